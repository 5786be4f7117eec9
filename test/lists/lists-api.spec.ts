import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { momentOf } from '../support/moment.js';
import { type Reply, Service } from '../support/service.js';
import { confirmationPath } from './confirmation-path.js';

describe('lists over HTTP', () => {
  const service = Service.guest();

  let named = 0;
  const fresh = () => ({ email: `member${++named}@example.com`, phone: `+1415555${String(3000 + named)}` });

  const contact = (body: object = fresh()) => service.ok('POST', '/contacts', body);
  const list = (body: object = {}) => service.ok('POST', '/lists', { name: 'News', ...body });
  const members = async (id: string, query = ''): Promise<[string, string][]> =>
    (await service.ok('GET', `/lists/${id}/contacts${query}`)).data.map(({ contact_id, status }: { contact_id: string; status: string }) => [
      contact_id,
      status,
    ]);

  it('name their members where that is asked for', async () => {
    const { id } = await list();
    const ada = await contact({ email: 'named-member@example.com', first_name: 'Ada', last_name: 'Ng' });
    const gone = await contact();
    await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [ada.id, gone.id] });
    await service.call('DELETE', `/contacts/${gone.id}`);
    const { data } = await service.ok('GET', `/lists/${id}/contacts?include=contact&order=asc`);
    const shown = new Map(data.map((one: { contact_id: string; contact: unknown }) => [one.contact_id, one.contact]));
    expect(shown.get(ada.id)).to.deep.equal({ first_name: 'Ada', last_name: 'Ng', email: 'named-member@example.com', phone: null });
    expect(shown.get(gone.id) ?? null).to.equal(null);
    expect((await service.ok('GET', `/lists/${id}/contacts`)).data[0]).to.not.have.property('contact');
    expect((await service.call('GET', `/lists/${id}/contacts?include=x`)).status).to.equal(400);
  });

  it('are created, read, changed at the expected version, and deleted', async () => {
    const made = await service.call('POST', '/lists', { name: 'News', description: 'Once a month', opt_in: 'double' });
    expect(made.status).to.equal(201);
    const { id } = made.body;
    expect(id).to.match(/^lst_/);
    const counts = { subscribed: 0, pending: 0, unsubscribed: 0, cleaned: 0 };
    expect(made.body).to.deep.include({ name: 'News', description: 'Once a month', opt_in: 'double', counts, version: 1 });
    const changed = await service.call('PATCH', `/lists/${id}`, { name: 'Weekly' }, { 'If-Match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, '"2"']);
    expect(changed.body).to.deep.include({ name: 'Weekly', opt_in: 'double' });
    expect((await service.call('PATCH', `/lists/${id}`, { name: 'Other' }, { 'If-Match': '"1"' })).body).to.include({
      code: 'version_conflict',
      actual: 2,
    });
    expect((await service.ok('GET', '/lists')).data[0]).to.deep.equal(await service.ok('GET', `/lists/${id}`));
    expect((await service.call('DELETE', `/lists/${id}`)).status).to.equal(204);
    expect((await service.call('DELETE', `/lists/${id}`)).status).to.equal(204);
    expect((await service.call('GET', `/lists/${id}`)).body).to.include({ code: 'not_found', resource: 'list' });
    expect((await service.ok('GET', '/lists')).data.map((one: { id: string }) => one.id)).to.not.include(id);
  });

  it('are not visible to other accounts', async () => {
    const { id } = await list();
    const { id: contactId } = await contact();
    const other = { 'X-API-Key': await service.otherAccountKey() };
    for (const [method, path, body] of [
      ['GET', `/lists/${id}`],
      ['PATCH', `/lists/${id}`, { name: 'Mine' }],
      ['DELETE', `/lists/${id}`],
      ['GET', `/lists/${id}/contacts`],
      ['POST', `/lists/${id}/contacts`, { contact_ids: [contactId] }],
      ['DELETE', `/lists/${id}/contacts/${contactId}`],
    ] as const) {
      expect((await service.call(method, path, body, other)).status, `${method} ${path}`).to.equal(404);
    }
  });

  it('add contacts by id, email and phone, once each, and return what identifies none', async () => {
    const { id } = await list();
    const [byId, byEmail, byPhone] = [fresh(), fresh(), fresh()];
    const ids = [];
    for (const person of [byId, byEmail, byPhone]) ids.push((await contact(person)).id);
    const body = {
      contact_ids: [ids[0], 'con_NOBODY', 'con_no/body'],
      emails: [byEmail.email.toUpperCase(), byId.email, 'nonsense'],
      phones: [byPhone.phone, '+14155559999'],
    };
    const answer = await service.ok('POST', `/lists/${id}/contacts`, body);
    expect(answer.added).to.deep.equal(ids.map((contact_id) => ({ contact_id, status: 'subscribed', changed: true })));
    expect(answer.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).to.deep.equal([
      ['contact_ids[1]', 'not_found'],
      ['contact_ids[2]', 'not_found'],
      ['emails[2]', 'invalid_email'],
      ['phones[1]', 'not_found'],
    ]);
    expect((await service.ok('GET', `/lists/${id}`)).counts.subscribed).to.equal(3);
    expect((await service.ok('GET', `/contacts/${ids[0]}`)).lists).to.deep.equal([{ id, status: 'subscribed' }]);
    const none = await service.call('POST', `/lists/${id}/contacts`, { emails: ['nobody@example.com'] });
    expect([none.status, none.body.errors[0].field]).to.deep.equal([422, 'emails[0]']);
    expect((await service.call('POST', `/lists/${id}/contacts`, {})).body.errors[0].code).to.equal('required');
  });

  it('do not add back a contact that left, whatever the source', async () => {
    const { id } = await list();
    const { id: person } = await contact();
    await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
    expect((await service.call('DELETE', `/lists/${id}/contacts/${person}`)).status).to.equal(204);
    expect((await service.call('DELETE', `/lists/${id}/contacts/${person}`)).status).to.equal(204);
    const again = await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
    const [{ unchanged, ...left }] = again.added;
    expect(left).to.deep.equal({ contact_id: person, status: 'unsubscribed', changed: false });
    expect(unchanged.code).to.equal('has_unsubscribed');
    expect(await members(id, '?status=unsubscribed')).to.deep.equal([[person, 'unsubscribed']]);
    expect(await members(id, '?status=subscribed')).to.deep.equal([]);
    expect((await service.ok('GET', `/lists/${id}`)).counts).to.deep.equal({ subscribed: 0, pending: 0, unsubscribed: 1, cleaned: 0 });
  });

  it('answer a repeat under an idempotency key with the first answer', async () => {
    const { id } = await list({ opt_in: 'double' });
    const { id: person } = await contact();
    const key = { 'Idempotency-Key': `add-${id}` };
    const first = await service.call('POST', `/lists/${id}/contacts`, { contact_ids: [person] }, key);
    const again = await service.call('POST', `/lists/${id}/contacts`, { contact_ids: [person] }, key);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
  });

  it('list members in pages, now and as of earlier times', async () => {
    const { id } = await list();
    const people: string[] = [];
    const moments: string[] = [];
    for (let i = 0; i < 5; i++) {
      people.push((await contact()).id);
      await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [people[i]] });
      moments.push(await momentOf(service));
    }
    await service.call('DELETE', `/lists/${id}/contacts/${people[1]}`);
    for (const [i, moment] of moments.entries()) {
      const then = await members(id, `?status=subscribed&order=asc&as_of=${moment}`);
      expect(then.map(([who]) => who)).to.deep.equal(people.slice(0, i + 1));
    }
    for (const extra of ['', `&as_of=${moments[4]}`]) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await service.ok('GET', `/lists/${id}/contacts?limit=2${extra}${cursor}`);
        seen.push(...page.data.map((row: { contact_id: string }) => row.contact_id));
        if (!page.has_more) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect(seen).to.have.members(people).and.to.have.length(5);
    }
  });

  it('count merged contacts once, and twice again once unmerged', async () => {
    const { id } = await list();
    const [a, b] = [await contact({ email: fresh().email }), await contact({ phone: fresh().phone })];
    await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [a.id, b.id] });
    await service.call('DELETE', `/lists/${id}/contacts/${b.id}`);
    const merged = await service.ok('POST', `/contacts/${a.id}/merge`, { source_contact_id: b.id });
    expect(await members(id)).to.deep.equal([[a.id, 'unsubscribed']]);
    expect((await service.ok('GET', `/lists/${id}`)).counts).to.deep.include({ subscribed: 0, unsubscribed: 1 });
    await service.ok('POST', `/contacts/${a.id}/unmerge`, { merge_id: merged.merge_id });
    expect(await members(id, '?order=asc')).to.have.deep.members([
      [a.id, 'subscribed'],
      [b.id, 'unsubscribed'],
    ]);
  });

  it('put back a contact that was taken off by mistake, with a reason and a proof', async () => {
    const { id } = await list();
    const { id: person } = await contact();
    const put = (body: object) => service.call('POST', `/lists/${id}/contacts/${person}/resubscribe`, body);
    const given = { reason: 'Removed by mistake', proof: 'Ticket 4711' };
    expect((await put(given)).body)
      .to.deep.include({ status: null, changed: false })
      .and.have.nested.property('unchanged.code', 'never_on_list');
    await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
    await service.call('DELETE', `/lists/${id}/contacts/${person}`);
    const without = await put({});
    expect([without.status, without.body.errors.map(({ field }: { field: string }) => field)]).to.deep.equal([422, ['reason', 'proof']]);
    expect(await members(id)).to.deep.equal([[person, 'unsubscribed']]);

    expect((await put(given)).body).to.deep.equal({ list_id: id, contact_id: person, status: 'subscribed', changed: true });
    expect(await members(id)).to.deep.equal([[person, 'subscribed']]);
    expect((await service.ok('GET', `/lists/${id}`)).counts).to.deep.include({ subscribed: 1, unsubscribed: 0 });
    expect((await put(given)).body).to.have.nested.property('unchanged.code', 'already_subscribed');
    const { data } = await service.ok('GET', `/contacts/${person}/timeline?kind=list`);
    const recorded = data.filter(({ type }: { type: string }) => type === 'ListResubscribed').map(({ data }: { data: object }) => data);
    expect(recorded).to.have.length(1);
    expect(recorded[0]).to.include(given);
  });

  describe('with a double opt-in', () => {
    /** The one mail that asks, as the API shows it. */
    async function asked(email: string): Promise<Reply['body']> {
      const found = await eventually('the mail that asks is there', async () => {
        const { data } = await service.ok('GET', `/messages?channel=email&to=${encodeURIComponent(email)}`);
        expect(data).to.have.length(1);
        return data[0];
      });
      expect(found).to.include({ category: 'transactional' });
      return found;
    }
    const open = (path: string): Promise<Reply> => service.api('GET', path, undefined, { 'X-API-Key': '' });
    const press = (path: string): Promise<Reply> =>
      service.api('POST', path, '', { 'X-API-Key': '', 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Browser/1' });

    it('ask by email, subscribe on confirmation, and record the consent with its proof', async () => {
      const { id } = await list({ name: 'News & <more>', opt_in: 'double' });
      const { email } = fresh();
      const { id: person } = await contact({ email });
      const { added } = await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
      expect(added[0]).to.deep.equal({ contact_id: person, status: 'pending', changed: true });
      await asked(email);
      const path = await confirmationPath(service, person);
      expect((await service.ok('GET', `/contacts/${person}`)).consents).to.deep.equal({});
      const marketing = { to: email, channel: 'email', subject: 'Offer', message: 'Offer', category: 'marketing' };
      expect((await service.ok('POST', '/messages/send', marketing)).status).to.equal('queued');

      const shown = await open(path);
      expect([shown.status, shown.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(shown.text).to.contain('News &amp; &lt;more&gt;').and.to.contain('<button');
      await open(path);
      expect(await members(id)).to.deep.equal([[person, 'pending']]);

      expect((await press(path)).status).to.equal(200);
      expect(await members(id)).to.deep.equal([[person, 'subscribed']]);
      const consents = await service.ok('GET', `/contacts/${person}/consents`);
      expect(consents.consents.email).to.deep.equal({ marketing: 'granted' });
      const [{ proof, cause, source }] = consents.data;
      expect(source).to.equal('double_opt_in');
      expect(cause.kind).to.equal('message');
      expect(proof).to.deep.include({
        text: 'Yes, I want to receive “News & <more>” by email.',
        language: 'en',
        text_version: '2',
        user_agent: 'Browser/1',
      });
      expect(proof.ip).to.match(/127\.0\.0\.1$/);

      expect((await press(path)).status).to.equal(200);
      expect((await service.ok('GET', `/contacts/${person}/consents/history`)).data).to.have.length(1);
      await service.call('DELETE', `/lists/${id}/contacts/${person}`);
      expect((await press(path)).status).to.equal(404);
      expect((await open(path)).status).to.equal(404);
      expect(await members(id)).to.deep.equal([[person, 'unsubscribed']]);
    });

    it('never show the link in the API, with which anybody could confirm', async () => {
      const { id } = await list({ opt_in: 'double' });
      const { email } = fresh();
      const { id: person } = await contact({ email });
      await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
      const mail = await asked(email);
      expect(mail.message).to.match(/http:\/\/\S+\/v1\/public\/lists\/confirm\/•••\n/);
      const token = (await confirmationPath(service, person)).split('/').at(-1) as string;
      const paths = ['messages', `messages/${mail.id}`, `messages/${mail.id}/events`, `messages/${mail.id}/why`, `contacts/${person}/timeline`];
      for (const path of paths) expect((await service.call('GET', `/${path}`)).text, path).to.not.include(token);
    });

    it('do not write to a suppressed address, which stays pending', async () => {
      const { id } = await list({ opt_in: 'double' });
      const { email } = fresh();
      const { id: person } = await contact({ email });
      await service.ok('POST', '/account/unsubscribes', { email, channel: 'email', reason: 'unsubscribed' });
      await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
      await eventually('the mail is held back', async () => {
        const { data } = await service.ok('GET', `/messages?channel=email&to=${encodeURIComponent(email)}`);
        return data.length === 1 && data[0].status === 'suppressed';
      });
      expect(await members(id)).to.deep.equal([[person, 'pending']]);
    });

    it('do not ask twice while a confirmation is pending', async () => {
      const { id } = await list({ opt_in: 'double' });
      const { email } = fresh();
      const { id: person } = await contact({ email });
      await service.ok('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
      await asked(email);
      const { added } = await service.ok('POST', `/lists/${id}/contacts`, { emails: [email] });
      expect(added[0]).to.include({ status: 'pending', changed: false });
      await asked(email);
    });

    it('show an error page of the account for a link that no longer works, in its language unless the reader has another', async () => {
      const other = await Service.shared();
      const own = (method: string, path: string, body?: unknown) => other.api(method, `/v1${path}`, body);
      await own('PATCH', '/account/settings', {
        name: 'Acme & Co',
        branding: { logo_url: 'https://cdn.example.com/l.png', color: '#7a1fa2', locale: 'fr' },
      });
      const { id } = (await own('POST', '/lists', { name: 'News', opt_in: 'double' })).body;
      const person = (await own('POST', '/contacts', fresh())).body.id;
      await own('POST', `/lists/${id}/contacts`, { contact_ids: [person] });
      const path = await confirmationPath(other, person);
      await own('DELETE', `/lists/${id}/contacts/${person}`);
      const shown = (method: string, language = {}) => other.api(method, path, undefined, { 'X-API-Key': '', Accept: 'text/html', ...language });
      for (const method of ['GET', 'POST']) {
        const { status, text, headers } = await shown(method);
        expect([status, headers.get('content-type')], method).to.deep.equal([404, 'text/html; charset=utf-8']);
        expect(text, method)
          .to.include('<html lang="fr">')
          .and.include('<p class="from">Acme &amp; Co</p>')
          .and.include('https://cdn.example.com/l.png');
        expect(headers.get('content-security-policy'), method).to.include('img-src https://cdn.example.com');
        expect(text, method).to.not.include(path.split('/').at(-1));
      }
      expect((await shown('GET', { 'Accept-Language': 'pl' })).text)
        .to.include('<html lang="pl">')
        .and.include('Acme &amp; Co');
      const forged = await other.api(
        'GET',
        path.replace(/confirm\/./, (start) => `${start.slice(0, -1)}${start.endsWith('A') ? 'B' : 'A'}`),
        undefined,
        { 'X-API-Key': '', Accept: 'text/html' },
      );
      expect(forged.status).to.equal(404);
      expect(forged.text).to.include('<html lang="en">').and.not.include('Acme');
      await other.close();
    });

    it('show an error page for an unknown link', async () => {
      const { status, text } = await service.api('GET', '/v1/public/lists/confirm/nonsense', undefined, { 'X-API-Key': '', Accept: 'text/html' });
      expect(status).to.equal(404);
      expect(text).to.contain('<h1>');
    });
  });
});
