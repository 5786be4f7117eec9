import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';

describe('contacts over HTTP', () => {
  const service = Service.guest();
  before(async () => {
    for (const field of [
      { key: 'plan', type: 'string' },
      { key: 'external_id', type: 'string', unique: true },
      { key: 'nickname', type: 'string', pii: true },
    ]) {
      const { status } = await service.api('POST', '/v1/custom-fields', { label: field.key, ...field });
      expect(status).to.equal(201);
    }
  });

  const post = (body: unknown, headers = {}): Promise<Reply> => service.api('POST', '/v1/contacts', body, headers);
  const get = (path: string, headers = {}): Promise<Reply> => service.api('GET', `/v1/contacts${path}`, undefined, headers);
  const patch = (id: string, body: unknown, headers = {}): Promise<Reply> => service.api('PATCH', `/v1/contacts/${id}`, body, headers);
  const remove = (id: string): Promise<Reply> => service.api('DELETE', `/v1/contacts/${id}`);
  let named = 0;
  const fresh = () => ({ email: `person${++named}@example.com`, phone: `+1415555${String(2000 + named)}` });

  async function made(body: object): Promise<Reply['body']> {
    const { status, body: contact } = await post(body);
    expect(status, JSON.stringify(contact)).to.equal(201);
    return contact;
  }

  it('are created once and found by each address and unique field', async () => {
    const { email, phone } = fresh();
    const contact = await made({
      email: ` ${email.toUpperCase()} `,
      phone,
      first_name: 'Ada',
      custom_fields: { plan: 'pro', external_id: 'x-1' },
      tags: ['vip'],
    });
    expect(contact).to.deep.include({ email, phone, first_name: 'Ada', last_name: null, source: 'api', merged: false, version: 1, merged_ids: [] });
    expect(contact.custom_fields).to.deep.equal({ plan: 'pro', external_id: 'x-1' });
    for (const key of [{ email }, { phone }, { custom_fields: { external_id: 'x-1' } }]) {
      const { status, body } = await post({ ...key, tags: ['new'] });
      expect([status, body.id, body.merged, body.first_name]).to.deep.equal([200, contact.id, true, 'Ada']);
      expect(body.tags).to.deep.equal(['new', 'vip']);
    }
    const { body, headers } = await get(`/${contact.id}`);
    expect(body).to.deep.include({ id: contact.id, version: 2, scores: {}, lists: [], consents: {}, suppressed_channels: [], suppressions: [] });
    expect(headers.get('etag')).to.match(/^"2-[\w-]{16}"$/);
  });

  it('are refused with all problems of the body at once', async () => {
    const { status, body } = await post({ email: 'nobody', phone: '123', timezone: 'Mars/Base', custom_fields: { plan: 5, shoe_size: 40 } });
    expect([status, body.code]).to.deep.equal([422, 'validation_error']);
    const fields = body.errors.map(({ field }: { field: string }) => field);
    expect(fields).to.have.members(['email', 'phone', 'timezone', 'custom_fields.plan', 'custom_fields.shoe_size']);
    const keyless = await post({ first_name: 'Nobody' });
    expect([keyless.status, keyless.body.errors[0].code]).to.deep.equal([422, 'required']);
    expect((await post({ ...fresh(), shoe: 1 })).body.warnings).to.deep.equal(['unknown field: shoe']);
  });

  it('have at most 500 tags, by requests and by imports', async () => {
    const { email } = fresh();
    const some = (from: number, count: number) => Array.from({ length: count }, (_, i) => `tag${from + i}`);
    for (let from = 0; from < 500; from += 100) expect((await post({ email, tags: some(from, 100) })).status).to.be.oneOf([200, 201]);
    const more = await post({ email, tags: ['one more'] });
    expect([more.status, more.body.errors]).to.deep.equal([
      422,
      [{ field: 'tags', code: 'too_many', message: 'A contact has at most 500 tags; with these it would have 501.', limit: 500, received: 501 }],
    ]);
    const { body } = await service.api('POST', '/v1/contacts/import', { contacts: [{ email, tags: ['one more'] }] });
    expect(body.errors[0]).to.include({ row: 1, field: 'tags', code: 'too_many' });
    expect((await post({ email, tags: ['tag7'], first_name: 'Ada' })).body.tags).to.have.length(500);
  });

  it('are created once under an idempotency key, and a repeat is answered byte for byte the same', async () => {
    const contact = fresh();
    const headers = { 'Idempotency-Key': 'contact-1' };
    const [first, second] = await Promise.all([post(contact, headers), post(contact, headers)]);
    await patch(first.body.id, { first_name: 'Later' });
    const third = await post(contact, headers);
    expect([first.status, second.status, third.status]).to.deep.equal([201, 201, 201]);
    expect(new Set([first.text, second.text, third.text]).size).to.equal(1);
    expect(third.headers.get('idempotency-replayed')).to.equal('true');
    expect((await post({ ...contact, first_name: 'X' }, headers)).body.code).to.equal('idempotency_key_reused');
  });

  it('are changed by PATCH: null removes a value and tags replace all tags', async () => {
    const { email, phone } = fresh();
    const { id } = await made({ email, phone, first_name: 'Ada', custom_fields: { plan: 'pro', nickname: 'Countess' }, tags: ['a', 'b'] });
    const { status, body } = await patch(id, { first_name: null, custom_fields: { plan: null }, tags: ['b', 'c'], last_name: 'L' });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ first_name: null, last_name: 'L', tags: ['b', 'c'], email, version: 2 });
    expect(body.custom_fields).to.deep.equal({ nickname: 'Countess' });
    expect((await patch(id, { last_name: 'M' }, { 'If-Match': '"1"' })).body).to.deep.include({ code: 'version_conflict', expected: 1, actual: 2 });
    expect((await patch(id, { last_name: 'M' }, { 'If-Match': '"2"' })).body).to.deep.include({ last_name: 'M', version: 3 });
    const unchanged = await patch(id, { last_name: 'M' });
    expect(unchanged.body.version).to.equal(3);
  });

  it('release an address that is replaced and forgotten to the next contact, and no other address', async () => {
    const one = fresh();
    const other = fresh();
    const { id } = await made(one);
    const { id: otherId } = await made(other);
    const refused = await patch(id, { email: other.email });
    expect([refused.status, refused.body.code, refused.body.contact_ids]).to.deep.equal([409, 'conflict', [otherId]]);
    const moved = fresh().email;
    expect((await patch(id, { email: moved, forget_previous: true })).body).to.deep.include({ email: moved, other_emails: [] });
    const again = await made({ email: one.email });
    expect(again.id).to.not.equal(id);
    expect((await post({ email: moved })).body.id).to.equal(id);
  });

  it('can be read as of any time', async () => {
    const { email } = fresh();
    const { id, created_at } = await made({ email, first_name: 'First' });
    await patch(id, { first_name: 'Second', tags: ['later'] });
    const then = await get(`/${id}?as_of=${created_at}`);
    expect(then.body).to.deep.include({ first_name: 'First', tags: [], version: 1 });
    expect((await get(`/${id}`)).body).to.deep.include({ first_name: 'Second', tags: ['later'] });
    expect((await get(`/${id}?as_of=2020-01-01T00:00:00Z`)).status).to.equal(404);
    expect((await get(`/${id}?as_of=yesterday`)).status).to.equal(400);
  });

  it('are not found once deleted, and free their addresses', async () => {
    const { email } = fresh();
    const { id } = await made({ email });
    expect((await remove(id)).status).to.equal(204);
    expect((await remove(id)).status).to.equal(204);
    expect((await get(`/${id}`)).status).to.equal(404);
    expect((await patch(id, { first_name: 'X' })).status).to.equal(404);
    expect((await made({ email })).id).to.not.equal(id);
  });

  it('are visible to their own account only', async () => {
    const { id } = await made(fresh());
    const theirs = { 'X-API-Key': await service.otherAccountKey() };
    expect((await get(`/${id}`, theirs)).status).to.equal(404);
    expect((await patch(id, { first_name: 'X' }, theirs)).status).to.equal(404);
    expect((await get('/con_UNKNOWN')).status).to.equal(404);
  });

  it('are merged into the older one when a row names two, and are as before once unmerged', async () => {
    const { email, phone } = fresh();
    const older = await made({ email, first_name: 'Ada', tags: ['mail'] });
    const younger = await made({ phone, last_name: 'Lovelace', tags: ['text'] });
    const { status, body } = await post({ phone, email, locale: 'en' });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id: older.id, email, phone, first_name: 'Ada', last_name: 'Lovelace', locale: 'en', tags: ['mail', 'text'] });
    expect(body.merged_ids).to.deep.equal([younger.id]);
    const merged = await get(`/${younger.id}`);
    expect([merged.body.id, merged.headers.get('x-service-merged-into')]).to.deep.equal([older.id, older.id]);
    await patch(younger.id, { tags: ['mail', 'text', 'said-of-younger'] });
    const apart = await service.api('POST', `/v1/contacts/${older.id}/unmerge`, { merge_id: body.merge_ids[0] });
    expect(apart.status).to.equal(200);
    expect(apart.body.contact).to.deep.include({ id: older.id, email, phone: null, first_name: 'Ada', last_name: null, merged_ids: [] });
    expect(apart.body.released).to.deep.include({ id: younger.id, email: null, phone, first_name: null, last_name: 'Lovelace' });
    expect(apart.body.released.tags).to.deep.equal(['said-of-younger', 'text']);
    expect(apart.body.contact.version).to.be.above(body.version);
    expect((await get(`/${younger.id}`)).headers.get('x-service-merged-into')).to.equal(null);
  });

  it('are not merged when on_conflict says so, in the body or in the query', async () => {
    const { email, phone } = fresh();
    const one = await made({ email });
    const other = await made({ phone });
    const refused = await post({ email, phone, on_conflict: 'reject' });
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'conflict']);
    expect(refused.body.contact_ids).to.have.members([one.id, other.id]);
    const { status, body } = await service.api('POST', '/v1/contacts?on_conflict=keep_separate', { email, phone, first_name: 'Apart' });
    expect([status, body.id, body.phone, body.first_name]).to.deep.equal([200, one.id, null, 'Apart']);
    expect((await get(`/${other.id}`)).body).to.deep.include({ id: other.id, phone, first_name: null });
  });

  it('are merged by request, whichever is named, and invalid merges are refused', async () => {
    const older = await made(fresh());
    const younger = await made({ email: fresh().email });
    const merge = (id: string, source_contact_id: string) => service.api('POST', `/v1/contacts/${id}/merge`, { source_contact_id });
    const { status, body, headers } = await merge(younger.id, older.id);
    expect([status, body.contact.id, headers.get('x-service-merged-into')]).to.deep.equal([200, older.id, older.id]);
    const again = await merge(older.id, younger.id);
    expect([again.status, again.body.merge_id]).to.deep.equal([200, body.merge_id]);
    expect((await merge(older.id, older.id)).status).to.equal(422);
    expect((await merge(older.id, 'con_UNKNOWN')).status).to.equal(404);
    expect((await service.api('POST', `/v1/contacts/${older.id}/unmerge`, { merge_id: 'evt_UNKNOWN' })).status).to.equal(404);
    expect((await remove(younger.id)).headers.get('x-service-merged-into')).to.equal(older.id);
    expect((await get(`/${older.id}`)).status).to.equal(404);
    expect((await get(`/${younger.id}`)).status).to.equal(404);
  });

  it('show the channels on which one of their addresses is suppressed', async () => {
    const { id } = await made({ email: 'bounce@sandbox.test', phone: fresh().phone });
    await service.api('POST', '/v1/messages/send', { to: 'bounce@sandbox.test', channel: 'email', subject: 'S', message: 'M' });
    await suppressed(id, ['email']);
  });

  async function suppressed(id: string, channels: readonly string[]): Promise<void> {
    for (let last: unknown = null; ; ) {
      last = (await get(`/${id}`)).body.suppressed_channels;
      if (JSON.stringify(last) !== '[]') {
        expect(last).to.deep.equal(channels);
        return;
      }
    }
  }
});
