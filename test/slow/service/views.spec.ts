import { expect } from 'chai';
import { PASSWORD, Service } from '../../support/service.js';

describe('saved views', () => {
  const service = Service.guest();
  const body = { name: 'Failed', page: 'messages', query: 'status=failed&to=%2B14155550100' };
  const users = new Map<string, Record<string, string>>();
  before(async () => {
    for (const [name, role] of [['ada', 'member'] as const, ['bob', 'member'] as const, ['eve', 'analyst'] as const]) {
      const email = `${name}.${service.account.accountId.toLowerCase()}@example.com`;
      expect((await service.call('POST', '/account/users', { email, password: PASSWORD, role })).status).to.equal(201);
      const { token } = (await service.call('POST', '/auth/login', { email, password: PASSWORD })).body;
      users.set(name, { 'X-API-Key': '', Authorization: `Bearer ${token}` });
    }
  });
  const as = (name: string, method: string, path: string, sent?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    service.call(method, path, sent, { ...users.get(name), ...headers });
  const idsOf = async (name: string, query = '') => (await as(name, 'GET', `/views${query}`)).body.data.map(({ id }: { id: string }) => id);

  it('are personal, or shared in the account', async () => {
    const personal = await as('ada', 'POST', '/views', body);
    expect([personal.status, personal.headers.get('etag')]).to.deep.equal([201, '"1"']);
    expect(personal.body).to.include({ ...body, shared: false, version: 1 });
    expect(personal.body.id).to.match(/^vie_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(personal.body.user_id).to.match(/^usr_/);
    const shared = (await as('ada', 'POST', '/views', { ...body, page: 'contacts', shared: true })).body.id;
    expect(await idsOf('ada')).to.deep.equal([shared, personal.body.id]);
    expect(await idsOf('bob')).to.deep.equal([shared]);
    expect(await idsOf('ada', '?page=messages')).to.deep.equal([personal.body.id]);
    expect((await service.call('GET', '/views')).body.data.map(({ id }: { id: string }) => id)).to.deep.equal([shared]);
    for (const who of ['bob', 'eve', 'key']) {
      expect((await as(who, 'GET', `/views/${personal.body.id}`)).status, who).to.equal(404);
      expect((await as(who, 'GET', `/views/${shared}`)).status, who).to.equal(200);
    }
    expect((await as('bob', 'PATCH', `/views/${personal.body.id}`, { name: 'Mine' })).body.code).to.equal('not_found');
    expect((await as('bob', 'DELETE', `/views/${personal.body.id}`)).body.code).to.equal('not_found');
    expect((await as('bob', 'PATCH', `/views/${shared}`, { shared: false })).body.code).to.equal('forbidden');
    expect((await as('eve', 'PATCH', `/views/${shared}`, { name: 'x' })).body.code).to.equal('insufficient_scope');
    const other = await Service.shared();
    expect((await other.call('GET', `/views/${shared}`)).status).to.equal(404);
    expect((await other.call('GET', '/views')).body.data).to.deep.equal([]);
  });

  it('of keys are shared', async () => {
    const { status, body: view } = await service.call('POST', '/views', body);
    expect([status, view.shared, view.user_id]).to.deep.equal([201, true, null]);
    expect(await idsOf('bob')).to.include(view.id);
    const refused = await service.call('POST', '/views', { ...body, shared: false });
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'forbidden']);
  });

  it('change by version, and go once', async () => {
    const { id } = (await as('ada', 'POST', '/views', body)).body;
    const changed = await as('ada', 'PATCH', `/views/${id}`, { query: '', name: 'All' }, { 'If-Match': '"1"' });
    expect(changed.body).to.include({ query: '', name: 'All', page: 'messages', version: 2 });
    const stale = await as('ada', 'PATCH', `/views/${id}`, { name: 'Old' }, { 'If-Match': '"1"' });
    expect([stale.status, stale.body.code]).to.deep.equal([409, 'version_conflict']);
    expect((await as('ada', 'GET', `/views/${id}`)).body.name).to.equal('All');
    expect((await as('ada', 'DELETE', `/views/${id}`)).status).to.equal(204);
    expect((await as('ada', 'DELETE', `/views/${id}`)).status).to.equal(204);
    expect((await as('ada', 'GET', `/views/${id}`)).status).to.equal(404);
  });

  it('are checked, all fields at once, and made once by a key of idempotency', async () => {
    const wrong = await service.call('POST', '/views', { name: '', page: 5, query: 'x'.repeat(4_097) });
    expect([wrong.status, wrong.body.errors.map(({ field }: { field: string }) => field).sort()]).to.deep.equal([422, ['name', 'page', 'query']]);
    const once = () => service.call('POST', '/views', body, { 'Idempotency-Key': 'view-1' });
    const [first, second] = [await once(), await once()];
    expect([second.status, second.body]).to.deep.equal([201, first.body]);
  });

  it('are listed by pages, newest first', async () => {
    const other = await Service.shared();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await other.call('POST', '/views', { ...body, name: `View ${n}` })).body.id);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await other.call('GET', `/views?limit=2${cursor}`)).body;
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).to.deep.equal(made);
  });
});
