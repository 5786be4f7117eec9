import { expect } from 'chai';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { AccountService, type Credential, password } from './service.js';

describe('users over HTTP', () => {
  const service = AccountService.own();
  let acme: CreatedAccount;
  let other: CreatedAccount;
  let owner: Credential;
  const add = (body: object, headers: Record<string, string> = {}) => service.call('POST', '/v1/account/users', owner, body, headers);
  const list = async (query = '') => (await service.call('GET', `/v1/account/users${query}`, owner)).body;

  before(async () => {
    [acme, other] = await Promise.all([service.createAccount('Acme', 'ada@acme.example'), service.createAccount('Other', 'eve@other.example')]);
    owner = { key: acme.api_key };
  });

  it('are added and read back at once', async () => {
    const { status, body, headers } = await add({ email: 'Bob@Acme.example', name: 'Bob', role: 'member', password });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('id', 'email', 'name', 'role', 'status', 'version', 'created_at', 'updated_at');
    expect(body).to.deep.include({ email: 'bob@acme.example', name: 'Bob', role: 'member', status: 'active', version: 1 });
    expect(headers.get('etag')).to.equal('"1"');
    const read = await service.call('GET', `/v1/account/users/${body.id}`, owner);
    expect(read.body).to.deep.equal(body);
    expect((await list()).data[0]).to.deep.equal(body);
  });

  it('never show a password or its hash', async () => expect(JSON.stringify(await list())).not.to.match(/scrypt|password|box|sealed/));

  it('are listed page by page, newest first or oldest first', async () => {
    for (const name of ['carol', 'dan', 'erin']) await add({ email: `${name}@acme.example`, role: 'analyst', password });
    const newest = (await list()).data.map(({ id }: { id: string }) => id);
    expect(newest).to.have.length(5);
    for (const order of ['desc', 'asc']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await list(`?limit=2&order=${order}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.data.map(({ id }: { id: string }) => id));
        expect(page.has_more).to.equal(page.next_cursor !== null);
        cursor = page.next_cursor ?? '';
      } while (cursor);
      expect(seen).to.deep.equal(order === 'desc' ? newest : newest.toReversed());
    }
  });

  it('report every wrong field at once', async () => {
    const { status, body } = await add({ email: 'nobody', role: 'king', password: 'short' });
    expect(status).to.equal(422);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.have.members(['email', 'role', 'password']);
  });

  it('have no password that is their own email or follows from itself, when they are added and when it changes', async () => {
    const problemOf = ({ status, body }: Awaited<ReturnType<typeof add>>) => [status, body.errors?.map((one: { code: string }) => one.code)];
    const email = 'grace.hopper@acme.example';
    expect(problemOf(await add({ email, role: 'member', password: 'Grace.Hopper1' }))).to.deep.equal([422, ['same_as_email']]);
    expect(problemOf(await add({ email, role: 'member', password: 'aaaaaaaaaaaa' }))).to.deep.equal([422, ['too_predictable']]);
    const { id } = (await add({ email, role: 'member', password })).body;
    const change = (to: string) => service.call('PATCH', `/v1/account/users/${id}`, owner, { password: to });
    expect(problemOf(await change('gracehopper!'))).to.deep.equal([422, ['same_as_email']]);
    expect(problemOf(await change('abcabcabcabc'))).to.deep.equal([422, ['too_predictable']]);
    expect((await change('gracious hopping')).status).to.equal(200);
    await service.call('DELETE', `/v1/account/users/${id}`, owner);
  });

  it('have an email that no user of any account has', async () => {
    for (const email of ['bob@acme.example', ' BOB@acme.example', 'eve@other.example']) {
      const reply = await add({ email: email.trim(), role: 'member', password });
      expect([reply.status, reply.body.code]).to.deep.equal([409, 'conflict']);
      expect(JSON.stringify(reply.body)).not.to.include(other.account_id);
    }
  });

  it('are created once under one idempotency key, however often and concurrently', async () => {
    const body = { email: 'frank@acme.example', role: 'member', password };
    const key = { 'Idempotency-Key': 'add-frank' };
    const replies = await Promise.all(Array.from({ length: 5 }, () => add(body, key)));
    expect(replies.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201, 201]);
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).to.equal(1);
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).to.have.length(4);
    const changed = await add({ ...body, email: 'frances@acme.example' }, key);
    expect([changed.status, changed.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
    expect((await add({ ...body, email: 'frances@acme.example' })).status).to.equal(201);
  });

  it('are created once by concurrent requests for the same email', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => add({ email: 'grace@acme.example', role: 'member', password })));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409]);
    expect((await list('?limit=200')).data.filter(({ email }: { email: string }) => email === 'grace@acme.example')).to.have.length(1);
  });

  it('change only if the version has not changed since the read', async () => {
    const { body: heidi } = await add({ email: 'heidi@acme.example', role: 'member', password });
    const path = `/v1/account/users/${heidi.id}`;
    const changed = await service.call('PATCH', path, owner, { name: 'Heidi', shoe_size: 38 }, { 'If-Match': '"1"' });
    expect([changed.status, changed.headers.get('etag'), changed.body.name]).to.deep.equal([200, '"2"', 'Heidi']);
    expect(changed.body.warnings).to.deep.equal(['unknown field: shoe_size']);
    const late = await service.call('PATCH', path, owner, { name: 'H' }, { 'If-Match': '"1"' });
    expect([late.status, late.body.code, late.body.expected, late.body.actual]).to.deep.equal([409, 'version_conflict', 1, 2]);
  });

  it('can be removed, and their email is free again', async () => {
    const { body: ivan } = await add({ email: 'ivan@acme.example', role: 'member', password });
    const path = `/v1/account/users/${ivan.id}`;
    expect((await service.call('DELETE', path, owner)).status).to.equal(204);
    expect((await service.call('GET', path, owner)).status).to.equal(404);
    expect((await service.call('DELETE', path, owner)).status).to.equal(204);
    expect(
      (await service.call('POST', '/v1/account/users', { key: other.api_key }, { email: 'ivan@acme.example', role: 'owner', password })).status,
    ).to.equal(201);
  });

  it('include at least one owner', async () => {
    const path = `/v1/account/users/${acme.user.id}`;
    const tries = await Promise.all([
      service.call('DELETE', path, owner),
      service.call('PATCH', path, owner, { role: 'member' }),
      service.call('PATCH', path, owner, { status: 'disabled' }),
    ]);
    for (const reply of tries) expect([reply.status, reply.body.code]).to.deep.equal([409, 'invalid_state']);
  });

  it('of another account are not found', async () => {
    const path = `/v1/account/users/${other.user.id}`;
    for (const [method, body] of [['GET'], ['PATCH', { role: 'analyst' }], ['DELETE']] as const) {
      const reply = await service.call(method, path, owner, body);
      expect([reply.status, reply.body.code], method).to.deep.equal([404, 'not_found']);
    }
    expect((await list('?limit=200')).data.some(({ id }: { id: string }) => id === other.user.id)).to.equal(false);
  });
});
