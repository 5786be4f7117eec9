import { expect } from 'chai';
import { verifyDocument } from '../../formats/consent/signed-document.js';
import { Service } from '../support/service.js';

const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`;

describe('consents over HTTP', () => {
  const service = Service.guest();
  const call = (method: string, path: string, body?: unknown, headers = {}) => service.call(method, `/contacts${path}`, body, headers);
  const good = (method: string, path: string, body?: unknown) => service.ok(method, `/contacts${path}`, body);
  let named = 0;
  const contact = async (body: object = { email: `agrees${++named}@example.com` }): Promise<string> => (await good('POST', '', body)).id;
  const record = (id: string, body: object) =>
    good('POST', `/${id}/consents`, { channel: 'email', purpose: 'marketing', status: 'granted', ...body });
  const status = async (id: string, query = ''): Promise<string | undefined> =>
    (await good('GET', `/${id}/consents${query}`)).consents.email?.marketing;

  it('are stored with lawful basis, source, proof and cause', async () => {
    const id = await contact();
    const proof = { form_id: 'checkout', text_version: '3', text: 'Yes, news', ip: '203.0.113.7', user_agent: 'Browser/1' };
    const given = { lawful_basis: 'legitimate_interests', source: 'shop', proof, occurred_at: at(2) };
    const answer = await call(
      'POST',
      `/${id}/consents`,
      { channel: 'email', purpose: 'marketing', status: 'granted', ...given },
      { 'X-Request-Id': 'req-1' },
    );
    expect(answer.status).to.equal(201);
    expect(answer.body).to.deep.include({ ...given, contact_id: id, status: 'granted', cause: { kind: 'request', id: 'req-1' } });
    const now = await good('GET', `/${id}/consents`);
    expect(now).to.deep.include({ contact_id: id, as_of: null, known_at: null, consents: { email: { marketing: 'granted' } }, suppressions: [] });
    expect(now.data).to.deep.equal([{ ...answer.body, said_on: 'email' }]);
    expect((await good('GET', `/${id}`)).consents).to.deep.equal({ email: { marketing: 'granted' } });
  });

  it('are given as of any time (`as_of`), and by the records up to another (`known_at`)', async () => {
    const id = await contact();
    const statuses = ['granted', 'withdrawn', 'pending', 'granted', 'withdrawn', 'granted', 'pending', 'withdrawn', 'granted', 'withdrawn'] as const;
    // Recorded in another order than they occurred.
    for (const i of [3, 0, 9, 5, 1, 7, 2, 8, 4, 6]) await record(id, { status: statuses[i], occurred_at: at(i + 1), proof: { text: `words ${i}` } });
    expect(await status(id, `?as_of=2025-12-31T00:00:00Z`)).to.equal(undefined);
    for (const [i, expected] of statuses.entries()) {
      const { consents, data } = await good('GET', `/${id}/consents?as_of=${at(i + 1).replace('10:00', '18:30')}`);
      expect(consents.email.marketing, `day ${i + 1}`).to.equal(expected);
      expect(data[0].proof.text).to.equal(`words ${i}`);
    }
    const { data } = await good('GET', `/${id}/consents/history?order=asc`);
    expect(data.map((one: { status: string }) => one.status)).to.deep.equal(statuses);
    const first = data[3].recorded_at;
    expect(await status(id, `?known_at=${first}`)).to.equal('granted');
    expect((await good('GET', `/${id}/consents/history?known_at=${first}`)).data).to.have.length(1);
  });

  it('are paged', async () => {
    const id = await contact();
    for (let day = 1; day <= 5; day++) await record(id, { occurred_at: at(day) });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await good('GET', `/${id}/consents/history?limit=2${cursor}`);
      seen.push(...page.data.map((one: { occurred_at: string }) => one.occurred_at));
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).to.deep.equal([5, 4, 3, 2, 1].map(at));
  });

  it('of two merged contacts are the most restrictive, and separate again after the unmerge', async () => {
    const [a, b] = [await contact({ email: 'merge-a@example.com' }), await contact({ phone: '+14155554001' })];
    await record(a, { occurred_at: at(3) });
    await record(b, { status: 'withdrawn', channel: 'all', occurred_at: at(2) });
    const merged = await good('POST', `/${a}/merge`, { source_contact_id: b });
    expect(await status(a)).to.equal('withdrawn');
    const other = await call('GET', `/${b}/consents`);
    expect([other.body.contact_id, other.headers.get('x-service-merged-into')]).to.deep.equal([a, a]);
    expect((await good('GET', `/${a}/consents/history`)).data.map((one: { contact_id: string }) => one.contact_id)).to.deep.equal([a, b]);
    await record(b, { channel: 'email' });
    expect(await status(a)).to.equal('granted');
    await good('POST', `/${a}/unmerge`, { merge_id: merged.merge_id });
    expect(await status(a)).to.equal('granted');
    expect((await good('GET', `/${b}/consents`)).consents).to.deep.include({ email: { marketing: 'granted' }, sms: { marketing: 'withdrawn' } });
    expect((await good('GET', `/${a}/consents/history`)).data).to.have.length(1);
  });

  it('are listed beside suppressions, which are not copied into them', async () => {
    const email = 'suppressed-consent@example.com';
    const id = await contact({ email });
    await record(id, {});
    const { status: answered } = await service.api('POST', '/v1/account/unsubscribes', { email, channel: 'email', reason: 'unsubscribed' });
    expect(answered).to.be.below(300);
    const { consents, suppressions } = await good('GET', `/${id}/consents`);
    expect(consents.email.marketing).to.equal('granted');
    expect(suppressions[0]).to.deep.include({ address: 'email', channel: 'email', reason: 'unsubscribed' });
  });

  it('are exported as a document that verifies, and does not after any change', async () => {
    const id = await contact({ email: 'exported@example.com' });
    await record(id, { occurred_at: at(1), proof: { text: 'Ja, gern – ✓' } });
    await record(id, { status: 'withdrawn', occurred_at: at(2) });
    const { text, body, headers } = await call('GET', `/${id}/consents/export`);
    expect(headers.get('content-disposition')).to.contain('attachment');
    const verified = verifyDocument(Buffer.from(text));
    expect(verified.valid, JSON.stringify(verified)).to.equal(true);
    expect(body.entries.map((one: { status: string }) => one.status)).to.deep.equal(['granted', 'withdrawn']);
    expect(body.contact).to.deep.include({ id, email: 'exported@example.com' });
    expect(verifyDocument(Buffer.from(text.replace('withdrawn', 'withdrawm'))).valid).to.equal(false);
  });

  it('are rejected with all problems, and for an unknown contact', async () => {
    const id = await contact();
    const wrong = await call('POST', `/${id}/consents`, {
      channel: 'fax',
      purpose: 'No Spaces',
      status: 'maybe',
      lawful_basis: 'whim',
      occurred_at: 'soon',
    });
    expect(wrong.status).to.equal(422);
    expect(wrong.body.errors.map(({ field }: { field: string }) => field)).to.have.members([
      'channel',
      'purpose',
      'status',
      'lawful_basis',
      'occurred_at',
    ]);
    const other = { 'X-API-Key': await service.otherAccountKey() };
    for (const path of ['', '/history', '/export']) {
      expect((await call('GET', `/${id}/consents${path}`, undefined, other)).status, path).to.equal(404);
      expect((await call('GET', `/con_NOBODY/consents${path}`)).status, path).to.equal(404);
    }
    expect((await call('POST', `/${id}/consents`, { channel: 'email', purpose: 'x', status: 'granted' }, other)).status).to.equal(404);
  });

  it('are recorded once under an idempotency key', async () => {
    const id = await contact();
    const key = { 'Idempotency-Key': `consent-${id}` };
    const body = { channel: 'sms', purpose: 'marketing', status: 'granted' };
    const first = await call('POST', `/${id}/consents`, body, key);
    const again = await call('POST', `/${id}/consents`, body, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([201, 'true']);
    expect(again.body).to.deep.equal(first.body);
    expect((await good('GET', `/${id}/consents/history`)).data).to.have.length(1);
  });

  it('withdrawn for all channels are given back for none of them by an import', async () => {
    const email = `agrees${++named}@example.com`;
    const id = await contact({ email });
    await record(id, { channel: 'all', status: 'withdrawn' });
    const consent = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'fair' };
    await good('POST', '/import', { contacts: [{ email }], consent });
    const { data, consents } = await good('GET', `/${id}/consents`);
    expect(consents.email).to.deep.equal({ marketing: 'withdrawn' });
    expect(data.map(({ source }: { source: string }) => source)).to.not.include('fair');
    const message = { to: email, channel: 'email', subject: 'News', message: 'News', category: 'marketing' };
    expect((await service.ok('POST', '/messages/send', message)).status).to.equal('suppressed');
  });
});
