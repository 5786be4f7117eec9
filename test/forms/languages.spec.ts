import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import type { Reply } from '../support/service.js';
import { guestWithLinks } from '../suppressions/links.js';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const PROGRAM = { Accept: 'application/json' };
const fieldsOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

describe('the languages of forms', () => {
  const world = guestWithLinks();
  const ok = (method: string, path: string, body?: unknown) => world.service.ok(method, path, body);
  const call = (method: string, path: string, body?: unknown) => world.service.call(method, path, body);
  let forms = 0;
  const fields = [{ key: 'email', type: 'email', label: 'E-Mail', required: true, maps_to: 'email' }];
  const consent = { text: 'Ich möchte Angebote.', version: '1', channels: ['email'] };
  const en = { title: 'News', consent: 'I want offers.', fields: { email: { label: 'Email' } } };
  const fr = { title: 'Actualités', consent: 'Je souhaite des offres.', fields: { email: { label: 'E-mail' } } };
  const german = { name: 'Neues', language: 'de', consent, translations: { en, fr } };
  const form = (more: object = {}) => ok('POST', '/forms', { name: 'Plain', slug: `languages-${++forms}`, fields, status: 'live', ...more });
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const answer = await fetch(world.service.url + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
    return { status: answer.status, text: await answer.text() };
  };
  const languageOf = (text: string) => /<html lang="(\w+)"/.exec(text)?.[1];
  const submit = (id: string, body: object, headers: Record<string, string> = PROGRAM, query = '') =>
    ask('POST', `/v1/public/forms/${id}/submit${query}`, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(body));
  const submissionsOf = async (id: string) => (await ok('GET', `/forms/${id}/submissions`)).data;

  it('have one of their own, which is that of the account at first and stays', async () => {
    await ok('PATCH', '/account/settings', { branding: { locale: 'pl' } });
    const made = await form();
    expect([made.language, made.translations]).to.deep.equal(['pl', {}]);
    await ok('PATCH', '/account/settings', { branding: { locale: 'en' } });
    expect((await ok('GET', `/forms/${made.id}`)).language).to.equal('pl');
    expect(languageOf((await ask('GET', `/f/${made.slug}`, { ...BROWSER, 'Accept-Language': 'fr' })).text)).to.equal('pl');
    expect((await form({ language: 'de' })).language).to.equal('de');
    expect(fieldsOf(await call('POST', '/forms', { name: 'A', slug: 'languages-x', fields, language: 'pt' }))).to.deep.equal([
      422,
      'language not_allowed',
    ]);
  });

  /** What a request says, and what the page of a German form with English and French texts is in. */
  const pages: readonly (readonly [query: string, accepted: string | null, language: string])[] = [
    ['', null, 'de'],
    ['', 'en-GB,en;q=0.9', 'en'],
    ['', 'fr-CA', 'fr'],
    ['', 'pl', 'de'],
    ['', '*', 'de'],
    ['?lang=fr', null, 'fr'],
    ['?lang=fr', 'en', 'fr'],
    ['?lang=fr-CA', 'en', 'fr'],
    ['?lang=pl', 'en', 'en'],
    ['?lang=nonsense', null, 'de'],
    ['?lang=__proto__', null, 'de'],
  ];
  it('are picked by the address, then by the browser, then by the form', async () => {
    const { slug } = await form(german);
    for (const [query, accepted, language] of pages)
      for (const view of ['', '/frame']) {
        const { text } = await ask('GET', `/f/${slug}${view}${query}`, { ...BROWSER, ...(accepted !== null && { 'Accept-Language': accepted }) });
        expect([languageOf(text), /name="_language" value="(\w+)"/.exec(text)?.[1]], `${view}${query} ${accepted}`).to.deep.equal([
          language,
          language,
        ]);
        expect(text).to.include(language === 'de' ? 'Ich möchte Angebote' : language === 'fr' ? 'Je souhaite des offres' : 'I want offers');
      }
    expect((await ask('GET', `/f/${slug}/embed.js?lang=en`, { 'Accept-Language': 'de' })).text).to.include('I want offers');
  });

  it('translate all texts of the form, or are refused with the place of each', async () => {
    const whole = {
      ...{ name: 'All', success_message: 'Thanks', consent },
      fields: [
        ...fields,
        { key: 'size', type: 'select', label: 'Size', help: 'Of your firm', options: ['1', 'more'] },
        { key: 'at', type: 'hidden', value: 'x' },
      ],
    };
    const refused = await call('POST', '/forms', {
      ...whole,
      slug: 'languages-x',
      language: 'en',
      translations: { de: { title: 'Alles', fields: { size: { label: 'Größe' } } } },
    });
    expect(fieldsOf(refused)).to.deep.equal([
      ...[422, 'translations.de.success_message required', 'translations.de.consent required', 'translations.de.fields.email.label required'],
      ...['translations.de.fields.size.help required', 'translations.de.fields.size.options.more required'],
    ]);
    const de = {
      title: 'Alles',
      success_message: 'Danke',
      consent: 'Ja',
      fields: { email: { label: 'E-Mail' }, size: { label: 'Größe', help: 'Ihrer Firma', options: { more: 'mehr' } } },
    };
    const { id } = await form({ ...whole, language: 'en', translations: { de } });
    const own = { en: { description: 'Once a month.', button: 'Join' } };
    expect(fieldsOf(await call('PATCH', `/forms/${id}`, { translations: own }))).to.deep.equal([
      422,
      'translations.de.description required',
      'translations.de.button required',
    ]);
    expect(fieldsOf(await call('PATCH', `/forms/${id}`, { fields: [...whole.fields, { key: 'more', type: 'text', label: 'More' }] }))).to.deep.equal([
      422,
      'translations.de.fields.more.label required',
    ]);
    expect((await ok('PATCH', `/forms/${id}`, { translations: { fr: { ...de, title: 'Tout' } } })).translations).to.have.all.keys('de', 'fr');
    expect((await ok('PATCH', `/forms/${id}`, { translations: { de: null } })).translations).to.have.all.keys('fr');
    for (const [translations, problem] of [
      [{ pt: de }, 'translations.pt not_allowed'],
      [{ german: de }, 'translations.german invalid_language'],
      [{ 'de-AT': de }, 'translations.de-AT not_allowed'],
    ] as const)
      expect(fieldsOf(await call('PATCH', `/forms/${id}`, { translations }))).to.deep.equal([422, problem]);
  });

  /** What a program says, and in which languages it is answered and the person is recorded. */
  const programs: readonly (readonly [body: object, headers: Record<string, string>, query: string, answer: string, recorded: string])[] = [
    [{}, PROGRAM, '', 'en', 'de'],
    [{}, {}, '', 'en', 'de'],
    [{}, { Accept: '*/*' }, '', 'en', 'de'],
    [{}, { ...PROGRAM, 'Accept-Language': 'fr' }, '', 'fr', 'de'],
    [{}, { ...PROGRAM, 'Accept-Language': 'pl' }, '', 'pl', 'de'],
    [{}, { ...PROGRAM, 'Accept-Language': 'ja' }, '', 'en', 'de'],
    [{}, PROGRAM, '?lang=fr', 'fr', 'fr'],
    [{ language: 'en' }, { ...PROGRAM, 'Accept-Language': 'fr' }, '', 'en', 'en'],
    [{ language: 'pl' }, PROGRAM, '', 'pl', 'de'],
  ];
  const required = { en: 'Please fill this in.', fr: 'Veuillez remplir ce champ.', pl: 'Wypełnij to pole.', de: 'Bitte füllen Sie dieses Feld aus.' };
  it('answer programs in English, unless they ask for another one', async () => {
    const { id } = await form(german);
    for (const [nth, [body, headers, query, answer, recorded]] of programs.entries()) {
      const about = JSON.stringify([body, headers, query]);
      const refused = await submit(id, { fields: {}, ...body }, headers, query);
      expect(JSON.parse(refused.text).errors[0].message, about).to.equal(required[answer as keyof typeof required]);
      const taken = await submit(id, { fields: { email: `program${nth}@example.com` }, consent: true, ...body }, headers, query);
      expect(taken.status, about).to.equal(200);
      expect((await submissionsOf(id))[0].language, about).to.equal(recorded);
    }
  });

  it('of a consent, its proof, the mail, its page and the page of preferences are the same', async () => {
    const { id, slug } = await form({ ...german, double_opt_in: true });
    const page = await ask('GET', `/f/${slug}?lang=fr`, { ...BROWSER, 'Accept-Language': 'en' });
    const [, token = ''] = /name="_token" value="([^"]+)"/.exec(page.text) ?? [];
    const body = new URLSearchParams({ email: 'lea@sandbox.test', consent: 'on', _token: token, _language: 'fr' }).toString();
    const sent = await ask(
      'POST',
      `/v1/public/forms/${id}/submit`,
      { ...BROWSER, 'Accept-Language': 'en', 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    );
    expect([sent.status, languageOf(sent.text)]).to.deep.equal([200, 'fr']);
    const mail = await eventually('the mail is there', async () => (await ok('GET', '/sandbox/messages?to=lea@sandbox.test')).data[0] ?? false);
    expect(mail.subject).to.equal('Veuillez confirmer\u00a0: Actualités');
    const { pathname } = new URL((/https?:\/\/\S+\/confirm\/\S+/.exec(mail.text) as RegExpExecArray)[0]);
    const opened = await ask('GET', pathname, { ...BROWSER, 'Accept-Language': 'en' });
    expect(languageOf(opened.text)).to.equal('fr');
    const done = await ask(
      'POST',
      pathname,
      { ...BROWSER, 'Accept-Language': 'en', 'Content-Type': 'application/x-www-form-urlencoded' },
      'language=fr',
    );
    expect(languageOf(done.text)).to.equal('fr');

    const { data } = await ok('GET', '/contacts?email=lea@sandbox.test');
    expect(data[0].locale).to.equal('fr');
    const { data: history } = await ok('GET', `/contacts/${data[0].id}/consents/history`);
    const proofs = history.map(({ source, proof }: { source: string; proof: Record<string, string> }) => [source, proof.language, proof.text]);
    expect(proofs).to.have.lengthOf(2);
    expect(proofs).to.deep.include(['form', 'fr', 'Je souhaite des offres.']);
    const [, , shown] = proofs.find(([source]: string[]) => source === 'double_opt_in') as [string, string, string];
    expect(opened.text).to.include(shown);
    expect(shown).to.include('Actualités');

    const preferences = `/v1/public/preferences/${await world.tokenFor('lea@sandbox.test')}`;
    for (const [query, accepted, language] of [
      ['', 'en', 'fr'],
      ['?lang=pl', 'en', 'pl'],
    ] as const) {
      const { text } = await ask('GET', preferences + query, { ...BROWSER, 'Accept-Language': accepted });
      expect([languageOf(text), text.includes(`action="${preferences}${query}"`)], query).to.deep.equal([language, true]);
    }
  });

  it('of a proof is that of the text: one in another language is not shown', async () => {
    const { id } = await form({ name: 'Neues', language: 'de', consent });
    await submit(id, { fields: { email: 'own@example.com' }, consent: true, language: 'en' });
    const { data } = await ok('GET', '/contacts?email=own@example.com');
    const [entry] = (await ok('GET', `/contacts/${data[0].id}/consents/history`)).data;
    expect(entry.proof).to.include({ text: 'Ich möchte Angebote.', language: 'de' });
    const { data: given } = await ok('POST', `/contacts/${data[0].id}/consents`, {
      channel: 'sms',
      purpose: 'marketing',
      status: 'granted',
      proof: { text: 'Ja', language: 'de-AT' },
    }).then(() => ok('GET', `/contacts/${data[0].id}/consents`));
    expect(given.find(({ channel }: { channel: string }) => channel === 'sms').proof.language).to.equal('de-AT');
    expect(
      fieldsOf(
        await call('POST', `/contacts/${data[0].id}/consents`, {
          channel: 'sms',
          purpose: 'marketing',
          status: 'granted',
          proof: { language: 'german' },
        }),
      ),
    ).to.deep.equal([422, 'proof.language invalid_language']);
  });

  it('are those in which people write numbers and dates, in the bytes of their page', async () => {
    const more = [
      { key: 'size', type: 'number', label: 'Größe' },
      { key: 'day', type: 'date', label: 'Tag' },
      { key: 'name', type: 'text', label: 'Name', maps_to: 'first_name' },
    ];
    const { id } = await form({ name: 'Zahlen', language: 'de', fields: [...fields, ...more] });
    const post = (body: string) =>
      ask('POST', `/v1/public/forms/${id}/submit`, { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' }, body);
    expect((await post('email=bytes@example.com&size=4%2C5&day=31.1.2026&name=Zo%EB')).status).to.equal(200);
    expect((await submissionsOf(id))[0].fields).to.deep.equal({ email: 'bytes@example.com', size: 4.5, day: '2026-01-31', name: 'Zoë' });
    const again = await post('email=bytes@example.com&size=viel&day=31.1.2026&_language=de');
    expect(again.status).to.equal(422);
    expect(again.text).to.include('zum Beispiel 4,5.').and.include('value="viel"');
  });

  it('of an answer give the contact its language, unless it has one', async () => {
    const { id } = await form(german);
    await submit(id, { fields: { email: 'new@example.com' }, language: 'fr' });
    expect((await ok('GET', '/contacts?email=new@example.com')).data[0].locale).to.equal('fr');
    await ok('POST', '/contacts', { email: 'known@example.com', locale: 'es' });
    await submit(id, { fields: { email: 'known@example.com' }, language: 'fr' });
    expect((await ok('GET', '/contacts?email=known@example.com')).data[0].locale).to.equal('es');
    expect((await submissionsOf(id))[0]).to.not.have.property('not_applied');
    const plain = await form({ language: 'en' });
    await submit(plain.id, { fields: { email: 'plain@example.com' } });
    expect((await ok('GET', '/contacts?email=plain@example.com')).data[0].locale).to.equal(null);
  });

  it('are those of the texts in pages of links, which programs read in English', async () => {
    await ok('PATCH', '/account/settings', { branding: { locale: 'pl' } });
    const path = `/v1/public/unsubscribe/${await world.tokenFor('links@example.com')}`;
    for (const [headers, query, language] of [
      [BROWSER, '', 'pl'],
      [PROGRAM, '', 'en'],
      [{ ...PROGRAM, 'Accept-Language': 'de' }, '', 'de'],
      [PROGRAM, '?lang=fr', 'fr'],
      [{ ...BROWSER, 'Accept-Language': 'de' }, '?lang=fr', 'fr'],
    ] as const)
      expect(languageOf((await ask('GET', path + query, headers)).text), JSON.stringify([headers, query])).to.equal(language);
    expect(languageOf((await ask('GET', '/v1/public/unsubscribe/x?lang=es', { ...BROWSER, 'Accept-Language': 'de' })).text)).to.equal('es');
    await ok('PATCH', '/account/settings', { branding: { locale: 'en' } });
  });
});
