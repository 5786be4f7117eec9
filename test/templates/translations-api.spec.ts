import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { guestWithLinks } from '../suppressions/links.js';

const fieldsOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];
const READER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0' };

describe('contents in several languages', () => {
  const world = guestWithLinks();
  const ok = (method: string, path: string, body?: unknown) => world.service.ok(method, path, body);
  const call = (method: string, path: string, body?: unknown) => world.service.call(method, path, body);
  const people: Record<string, string> = {};

  before(async () => {
    await ok('PATCH', '/account/settings', { marketing_consent: { email: 'opt_out', sms: 'opt_out' }, quiet_hours: { enabled: false } });
    for (const locale of ['de-AT', 'pt-BR', 'fr'])
      people[locale] = (await ok('POST', '/contacts', { email: `${locale}@example.com`, locale, first_name: 'Ada' })).id;
    people.none = (await ok('POST', '/contacts', { email: 'none@example.com', first_name: 'Ada' })).id;
  });

  const email = { subject: 'Hi {{ contact.first_name }}', html: '<p>New: <a href="https://shop.example/new">look</a></p>' };
  const de = { subject: 'Hallo {{ contact.first_name }}', html: '<p>Neu: <a href="https://shop.example/neu">ansehen</a></p>' };
  const pt = { subject: 'Olá {{ contact.first_name }}', html: '<p>Novo</p>' };
  /** By the language of the reader, the subject and the language that is recorded. */
  const expected = { 'de-AT': ['Hallo Ada', 'de'], 'pt-BR': ['Olá Ada', 'pt'], fr: ['Hi Ada', undefined], none: ['Hi Ada', undefined] };

  async function subjectsOf(ids: readonly string[]) {
    const messages = await Promise.all(ids.map((id) => ok('GET', `/messages/${id}`)));
    return messages.map(({ subject, content_language }) => [subject, content_language]);
  }

  it('of a template: the contact picks, for a single message, a bulk and a preview', async () => {
    const created = await ok('POST', '/templates', { name: 'News', channel: 'email', ...email, translations: { DE: de, pt_PT: pt, pt } });
    expect(Object.keys(created.translations)).to.deep.equal(['de', 'pt', 'pt-PT']);
    expect(created.translations.de).to.deep.equal(de);
    expect(created).to.not.have.property('warnings');
    const request = (locale: string) => ({ to: `${locale}@example.com`, channel: 'email', template_id: created.id });
    const locales = Object.keys(expected);
    const single: string[] = [];
    for (const locale of locales) single.push((await ok('POST', '/messages/send', request(locale))).id);
    const bulk = await ok('POST', '/messages/bulk', locales.map(request));
    expect(await subjectsOf(single)).to.deep.equal(Object.values(expected));
    expect(await subjectsOf(bulk.messages.map(({ id }: { id: string }) => id))).to.deep.equal(Object.values(expected));

    for (const [about, language, subject] of [
      [{ contact_id: people['de-AT'] }, 'de', 'Hallo Ada'],
      [{ contact_id: people['de-AT'], locale: 'pt-AO' }, 'pt', 'Olá Ada'],
      [{ values: { contact: { first_name: 'Eve', locale: 'de' } } }, 'de', 'Hallo Eve'],
      [{ locale: 'ja' }, null, 'Hi'],
      [{}, null, 'Hi'],
    ] as const)
      expect(await ok('POST', `/templates/${created.id}/render`, about), JSON.stringify(about)).to.include({ language, subject });
    const wrong = await call('POST', `/templates/${created.id}/render`, { locale: 'german' });
    expect(fieldsOf(wrong)).to.deep.equal([422, 'locale invalid_language']);
    expect(wrong.body.errors[0].message).to.include('for example de');
  });

  it('of a template are changed one by one, and keep their versions', async () => {
    const { id } = await ok('POST', '/templates', {
      name: 'News',
      channel: 'sms',
      message: 'Hi',
      translations: { de: { message: 'Hallo' }, fr: { message: 'Salut' } },
    });
    const kept = await ok('PATCH', `/templates/${id}`, { translations: { de: { message: 'Servus' }, fr: null, es: { message: 'Hola' } } });
    expect([kept.version, kept.translations]).to.deep.equal([2, { de: { message: 'Servus' }, es: { message: 'Hola' } }]);
    expect((await ok('PATCH', `/templates/${id}`, { translations: { de: { message: 'Servus' } } })).version).to.equal(2);
    expect(await ok('POST', `/templates/${id}/render`, { locale: 'fr', version: 1 })).to.include({ message: 'Salut', language: 'fr' });
    expect((await ok('PATCH', `/templates/${id}`, { translations: null })).translations).to.deep.equal({});
    expect(await ok('GET', `/templates/${id}`)).to.deep.include({ translations: {}, version: 3 });
  });

  it('of a template name every problem with its place', async () => {
    const bad = {
      ...{ name: 'Bad', channel: 'email', ...email, message: 'Hi' },
      translations: { de: { subject: 'Hallo {{ a | nope }}', message: ' ', title: 'Hallo' }, german: de, fr: null },
    };
    expect(fieldsOf(await call('POST', '/templates', bad))).to.have.members([
      ...[422, 'translations.german invalid_language', 'translations.de.title not_for_channel', 'translations.de.message blank'],
      ...['translations.de.subject unknown_filter', 'translations.de.html required'],
    ]);
    const mjml = '<mjml><mj-body><mj-section><mj-column><mj-text>{% if %}</mj-text></mj-column></mj-section></mj-body></mjml>';
    expect(
      fieldsOf(await call('POST', '/templates', { name: 'Bad', channel: 'email', ...email, translations: { de: { subject: 'x', mjml } } })),
    ).to.deep.equal([...[422, 'translations.de.mjml invalid_template']]);
    const { id } = await ok('POST', '/templates', { name: 'Later', channel: 'email', ...email, translations: { de } });
    expect(fieldsOf(await call('PATCH', `/templates/${id}`, { message: 'A text' }))).to.deep.equal([422, 'translations.de.message required']);
    const answer = await ok('POST', '/templates', {
      ...{ name: 'Warned', channel: 'sms', message: 'Hi' },
      translations: { de: { message: '{{ contact.firstname }}', wobble: 'x' } },
    });
    expect(answer.warnings.join('\n')).to.include('contact.first_name').and.include('translations.de.wobble');
    expect(answer.variables).to.deep.equal(['contact.firstname']);
  });

  it('of a template in MJML are compiled, each with a text of its own', async () => {
    const mjml = (text: string) => `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
    const sources = {
      name: 'MJML',
      channel: 'email',
      subject: 'Hi',
      mjml: mjml('Good day'),
      translations: { de: { subject: 'Hallo', mjml: mjml('Guten Tag') } },
    };
    const { id, translations } = await ok('POST', '/templates', sources);
    expect(translations.de.html).to.include('Guten Tag').and.not.include('mj-text');
    const shown = await ok('POST', `/templates/${id}/render`, { locale: 'de' });
    expect(shown).to.include({ subject: 'Hallo', message: 'Guten Tag' });
    await ok('PATCH', `/templates/${id}`, { name: 'Renamed' });
    expect(await ok('POST', `/templates/${id}/render`, { locale: 'de' })).to.include({ version: 2, message: 'Guten Tag' });
  });

  const until = (id: string, status: string) =>
    eventually(`the campaign is ${status}`, async () => (await ok('GET', `/campaigns/${id}`)).status === status, { within: 30_000, every: 100 });
  const audience = () => ({ include: { contact_ids: Object.values(people) } });
  async function sent(asked: object) {
    const { id } = await ok('POST', '/campaigns', { name: 'News', channel: 'email', audience: audience(), ...asked });
    await ok('POST', `/campaigns/${id}/send`);
    await until(id, 'sent');
    const { data } = await ok('GET', `/campaigns/${id}/recipients?limit=50`);
    const found = new Map<string, Reply['body']>(data.map((one: { contact_id: string }) => [one.contact_id, one]));
    return { id, messages: Object.keys(expected).map((locale) => found.get(people[locale] ?? '')) };
  }

  it('of a campaign: each recipient reads its own, and its links are counted as it names them', async () => {
    const { id, messages } = await sent({ content: { ...email, translations: { de, pt } } });
    expect(await subjectsOf(messages.map((one) => one.id))).to.deep.equal(Object.values(expected));
    for (const [i, url] of ['https://shop.example/neu', '', 'https://shop.example/new'].entries())
      if (url !== '')
        await fetch(`${world.service.url}/v1/public/c/${world.trackingOf(messages[i].id, url).clicked}`, { headers: READER, redirect: 'manual' });
    const links = (await ok('GET', `/campaigns/${id}/links`)).data.map(({ url, clicks }: { url: string; clicks: number }) => [url, clicks]);
    expect(links).to.have.deep.members([
      ['https://shop.example/neu', 1],
      ['https://shop.example/new', 1],
    ]);
  });

  it('of a campaign over a template with translations', async () => {
    const { id: template_id } = await ok('POST', '/templates', { name: 'News', channel: 'email', ...email, translations: { de, pt } });
    const { messages } = await sent({ content: { template_id } });
    expect(await subjectsOf(messages.map((one) => one.id))).to.deep.equal(Object.values(expected));
    const refused = await call('POST', '/campaigns', { name: 'N', channel: 'email', audience: audience(), content: { template_id, subject: 'Own' } });
    expect(fieldsOf(refused)).to.deep.equal([422, 'content.translations.de.subject required', 'content.translations.pt.subject required']);
    const content = { template_id, subject: 'Own', translations: { de: { subject: 'Eigenes' }, pt: { subject: 'Meu' } } };
    const own = await sent({ content });
    expect((await subjectsOf(own.messages.map((one) => one.id))).map(([subject]) => subject)).to.deep.equal(['Eigenes', 'Meu', 'Own', 'Own']);
  });

  it('of the variants of a campaign: a text of a variant needs translations of its own', async () => {
    const content = { ...email, translations: { de, pt } };
    const asked = (own: object) => ({
      content,
      variants: [
        { key: 'a', weight: 1, content: {} },
        { key: 'b', weight: 9_999, content: own },
      ],
    });
    const refused = await call('POST', '/campaigns', {
      name: 'N',
      channel: 'email',
      audience: audience(),
      ...asked({ subject: 'B', translations: { de: { subject: 'B {{ x | nope }}' } } }),
    });
    expect(fieldsOf(refused)).to.deep.equal([
      422,
      'variants[1].content.translations.pt.subject required',
      'variants[1].content.translations.de.subject unknown_filter',
    ]);
    const { messages } = await sent(asked({ subject: 'B', translations: { de: { subject: 'B de' }, pt: { subject: 'B pt' } } }));
    const subjects = await subjectsOf(messages.map((one) => one.id));
    const byVariant = { a: ['Hallo Ada', 'Olá Ada', 'Hi Ada', 'Hi Ada'], b: ['B de', 'B pt', 'B', 'B'] };
    expect(subjects.map(([subject]) => subject)).to.deep.equal(messages.map(({ variant }, i) => byVariant[variant as 'a' | 'b'][i]));
  });

  it('of a campaign name every problem with its place, also in a change', async () => {
    const content = {
      ...email,
      translations: { de: { html: '<p>{% if %}</p>', from: '{{ x }}@example.com' }, 'de-': de, xx: { subject: 'x', html: 'x', title: 'x' } },
    };
    const { id } = await ok('POST', '/campaigns', { name: 'N', channel: 'email', audience: audience(), content: email });
    const found = [
      ...[
        422,
        'content.translations.de- invalid_language',
        'content.translations.de.subject required',
        'content.translations.xx.title not_for_channel',
      ],
      ...['content.translations.de.html invalid_template', 'content.translations.de.from variable_in_address'],
    ];
    expect(fieldsOf(await call('POST', '/campaigns', { name: 'N', channel: 'email', audience: audience(), content }))).to.have.members(found);
    expect(fieldsOf(await call('PATCH', `/campaigns/${id}`, { content }))).to.have.members(found);
    const stored = await ok('PATCH', `/campaigns/${id}`, {
      content: { ...email, translations: { pt_br: { subject: '{{ contact.firstname }}', html: 'x' } } },
    });
    expect(Object.keys(stored.content.translations)).to.deep.equal(['pt-BR']);
    expect(stored.warnings[0]).to.include('contact.first_name');
  });

  it('of a campaign stand in its content or beside it', async () => {
    const whole = { name: 'N', channel: 'email', audience: audience(), content: email };
    const { id, content } = await ok('POST', '/campaigns', { ...whole, translations: { DE: de } });
    expect(content).to.deep.equal({ ...email, translations: { de } });
    expect((await ok('PATCH', `/campaigns/${id}`, { translations: { pt } })).content.translations).to.deep.equal({ pt });
    expect((await ok('PATCH', `/campaigns/${id}`, { translations: null })).content).to.deep.equal(email);
    for (const [asked, ...problems] of [
      [{ translations: { de: { subject: 'x' } } }, 'translations.de.html required'],
      [{ translations: { de: { subject: 7, html: 'x' } } }, 'translations.de.subject wrong_type'],
      [{ translations: { german: de } }, 'translations.german invalid_language'],
      [{ translations: { de }, content: { ...email, translations: { de } } }, 'translations conflicting'],
    ] as const) {
      expect(fieldsOf(await call('POST', '/campaigns', { ...whole, ...asked })), JSON.stringify(asked)).to.deep.equal([422, ...problems]);
      expect(fieldsOf(await call('PATCH', `/campaigns/${id}`, asked)), JSON.stringify(asked)).to.deep.equal([422, ...problems]);
    }
  });

  it('of a campaign are tried one by one', async () => {
    const { id } = await ok('POST', '/campaigns', {
      name: 'N',
      channel: 'email',
      audience: audience(),
      content: { ...email, translations: { de, pt } },
    });
    const tried = async (more: object) => (await ok('POST', `/campaigns/${id}/test-send`, { to: ['me@example.com'], ...more })).messages[0].id;
    const ids = [await tried({ locale: 'de-CH' }), await tried({ contact_id: people['pt-BR'] }), await tried({})];
    expect(await subjectsOf(ids)).to.deep.equal([
      ['Hallo', 'de'],
      ['Olá Ada', 'pt'],
      ['Hi', undefined],
    ]);
    expect(fieldsOf(await call('POST', `/campaigns/${id}/test-send`, { to: ['me@example.com'], locale: 'klingon!' }))).to.deep.equal([
      422,
      'locale invalid_language',
    ]);
  });

  const journey = (node: object) => ({
    name: 'Welcome',
    nodes: [
      { id: 't', kind: 'trigger', on: { type: 'event', event: 'hello' }, next: 's' },
      { id: 's', kind: 'send', channel: 'email', next: null, ...node },
    ],
  });

  it("of a journey's messages", async () => {
    const { id, warnings } = await ok(
      'POST',
      '/journeys',
      journey({ ...email, translations: { DE: de, pt: { ...pt, subject: 'Olá {{ contact.firstname }}' } } }),
    );
    expect(warnings[0]).to.include('contact.first_name');
    const dry = async (contact: object) => (await ok('POST', `/journeys/${id}/test-enroll`, { mode: 'dry_run', contact })).path[1].rendered;
    expect(await dry({ email: 'new@example.com', first_name: 'Eve', locale: 'de' })).to.include({
      subject: 'Hallo Eve',
      language: 'de',
      message: 'Neu: ansehen [https://shop.example/neu]',
    });
    expect(await dry({ email: 'new@example.com', first_name: 'Eve', locale: 'fr' }))
      .to.include({ subject: 'Hi Eve' })
      .and.not.have.property('language');
    await ok('POST', `/journeys/${id}/publish`);
    await ok('POST', '/events', { event: 'hello', contact: { id: people['de-AT'] } });
    await eventually('the message is there', async () => {
      const { data } = await ok('GET', `/messages?journey_id=${id}`);
      return data[0]?.subject === 'Hallo Ada' && data[0].content_language === 'de';
    });
  });

  it("of a journey's messages name every problem with its place", async () => {
    const { id: template_id } = await ok('POST', '/templates', { name: 'T', channel: 'email', ...email });
    for (const [node, ...problems] of [
      [{ template_id, translations: { de } }, 'nodes[1].translations not_allowed'],
      [{ ...email, translations: { de: { subject: 'x' } } }, 'nodes[1].translations.de.html required'],
      [{ ...email, translations: { de: { ...de, title: 'x' } } }, 'nodes[1].translations.de.title not_for_channel'],
      [{ ...email, translations: { german: de } }, 'nodes[1].translations.german invalid_language'],
      [{ ...email, translations: { de: { ...de, subject: '{{ x | nope }}' } } }, 'nodes[1].translations.de.subject unknown_filter'],
    ] as const)
      expect(fieldsOf(await call('POST', '/journeys', journey(node))), JSON.stringify(node)).to.deep.equal([422, ...problems]);
  });
});

describe('the language of a contact', () => {
  const service = Service.guest();

  it('is a language tag in its one form, wherever it comes from', async () => {
    for (const [given, stored] of [
      ['pt_br', 'pt-BR'],
      ['DE', 'de'],
      ['zh-hant', 'zh-Hant'],
    ])
      expect((await service.ok('POST', '/contacts', { email: `${stored}@example.com`, locale: given })).locale).to.equal(stored);
    for (const locale of ['english', 'de-', 'x', 'e\u0301n']) {
      const answer = await service.call('POST', '/contacts', { email: 'no@example.com', locale });
      expect(fieldsOf(answer), locale).to.deep.equal([422, 'locale invalid_language']);
      expect(answer.body.errors[0].message).to.include('en-GB');
    }
    const { id } = await service.ok('POST', '/contacts', { email: 'change@example.com' });
    expect(fieldsOf(await service.call('PATCH', `/contacts/${id}`, { locale: 'german' }))).to.deep.equal([422, 'locale invalid_language']);
    const imported = await service.ok('POST', '/contacts/import', {
      contacts: [
        { email: 'row@example.com', locale: 'de_at' },
        { email: 'row2@example.com', locale: 'german' },
      ],
    });
    expect([imported.created, imported.failed, imported.errors[0].code]).to.deep.equal([1, 1, 'invalid_language']);
    expect((await service.ok('GET', '/contacts?email=row@example.com')).data[0].locale).to.equal('de-AT');
  });
});
