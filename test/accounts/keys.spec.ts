import { expect } from 'chai';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { issueKey } from '../../commands/accounts/issue-key.js';
import { operatorCause } from '../../ops/app/operator-cause.js';
import { AccountService, type Credential, type Reply } from './service.js';

describe('API keys over HTTP', () => {
  const service = AccountService.own();
  let acme: CreatedAccount;
  let owner: Credential;
  const issue = (body: object, headers: Record<string, string> = {}, as = owner) => service.call('POST', '/v1/api-keys', as, body, headers);
  const list = async (): Promise<{ id: string; prefix: string; last_used_at: string | null }[]> =>
    (await service.call('GET', '/v1/api-keys?limit=200', owner)).body.data;
  const codes = (replies: Reply[]) => replies.map(({ status, body }) => body.code ?? status);
  /** The permissions of a key: read, write, manage. */
  const may = async (key: Credential) =>
    codes(
      await Promise.all([service.call('GET', '/v1/probe', key), service.call('POST', '/v1/probe', key), issue({ name: 'x', scopes: [] }, {}, key)]),
    );

  before(async () => {
    acme = await service.createAccount('Acme', 'ada@acme.example');
    owner = { key: acme.api_key };
  });

  it('are shown once and work at once', async () => {
    const { status, body } = await issue({ name: 'Reporting', scopes: ['read'] });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('id', 'name', 'prefix', 'scopes', 'mode', 'strict', 'created_at', 'last_used_at', 'key');
    expect(body.key).to.match(/^hk_live_[0-9A-Za-z]{43}$/);
    expect((await service.call('GET', '/v1/probe', { key: body.key })).body).to.deep.include({
      account: acme.account_id,
      scopes: ['read'],
      role: null,
    });
    const listed = (await list()).find(({ id }) => id === body.id);
    const { key, ...rest } = body;
    expect({ ...listed, last_used_at: null }).to.deep.equal(rest);
    expect(JSON.stringify(await list())).not.to.include(key);
  });

  it('allow what their scopes grant', async () => {
    const keyOf = async (scopes: unknown) => ({ key: (await issue(scopes === undefined ? { name: 'k' } : { name: 'k', scopes })).body.key });
    expect(await may(await keyOf(null))).to.deep.equal([200, 200, 201]);
    expect(await may(await keyOf(undefined))).to.deep.equal([200, 200, 201]);
    expect(await may(await keyOf(['read', 'write']))).to.deep.equal([200, 200, 'forbidden']);
    expect(await may(await keyOf(['read']))).to.deep.equal([200, 'insufficient_scope', 'forbidden']);
    expect(await may(await keyOf(['write']))).to.deep.equal(['insufficient_scope', 200, 'forbidden']);
    expect(await may(await keyOf([]))).to.deep.equal(['insufficient_scope', 'insufficient_scope', 'forbidden']);
  });

  it('accept only the scopes read and write', async () => {
    const { status, body } = await issue({ name: '', scopes: ['read', 'admin', 7] });
    expect(status).to.equal(422);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.include.members(['name', 'scopes[1]', 'scopes[2]']);
  });

  it('are the same key again under the same idempotency key', async () => {
    const [first, second] = [
      await issue({ name: 'CI', scopes: null }, { 'Idempotency-Key': 'k1' }),
      await issue({ name: 'CI', scopes: null }, { 'Idempotency-Key': 'k1' }),
    ];
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('idempotency-replayed')).to.equal('true');
    expect((await issue({ name: 'CD', scopes: null }, { 'Idempotency-Key': 'k1' })).body.code).to.equal('idempotency_key_reused');
    expect((await service.call('GET', '/v1/probe', { key: second.body.key })).status).to.equal(200);
  });

  it('stop working the moment they are revoked', async () => {
    const { body } = await issue({ name: 'Short', scopes: null });
    const key = { key: body.key };
    expect((await service.call('GET', '/v1/probe', key)).status).to.equal(200);
    expect((await service.call('DELETE', `/v1/api-keys/${body.id}`, owner)).status).to.equal(204);
    expect((await service.call('GET', '/v1/probe', key)).body.code).to.equal('unauthorized');
    expect((await list()).some(({ id }) => id === body.id)).to.equal(false);
    expect((await service.call('DELETE', `/v1/api-keys/${body.id}`, owner)).status).to.equal(204);
  });

  it('can revoke themselves', async () => {
    const { body } = await issue({ name: 'Suicidal', scopes: null });
    expect((await service.call('DELETE', `/v1/api-keys/${body.id}`, { key: body.key })).status).to.equal(204);
    expect((await service.call('GET', '/v1/probe', { key: body.key })).status).to.equal(401);
  });

  it('of another account are not found', async () => {
    const other = await service.createAccount('Other', 'eve@other.example');
    const theirs = (await service.call('GET', '/v1/api-keys', { key: other.api_key })).body.data;
    expect(theirs).to.have.length(1);
    const reply = await service.call('DELETE', `/v1/api-keys/${theirs[0].id}`, owner);
    expect([reply.status, reply.body.resource]).to.deep.equal([404, 'api_key']);
    expect((await service.call('GET', '/v1/probe', { key: other.api_key })).status).to.equal(200);
  });

  it('show when they were last used, also after a restart', async () => {
    const { body } = await issue({ name: 'Used', scopes: ['read'] });
    const lastUse = async () => (await list()).find(({ id }) => id === body.id)?.last_used_at ?? null;
    expect(await lastUse()).to.equal(null);
    const used = async () => {
      const at = service.clock.now();
      await service.call('GET', '/v1/probe', { key: body.key });
      return at;
    };
    const first = await used();
    expect(Date.parse((await lastUse()) ?? '')).to.be.within(first, first + 5_000);
    service.clock.shift += 600_000;
    const second = await used();
    expect(Date.parse((await lastUse()) ?? '')).to.be.within(second, second + 5_000);
    const written = await service.app.log.readSealed(`apiKey-${body.id}`);
    expect(written).to.have.length(1);

    await service.stop();
    await service.start();
    expect(Date.parse((await lastUse()) ?? '')).to.be.within(first, first + 5_000);
  });

  it('can be issued by the operator', async () => {
    const { output } = await service.app.dispatcher.execute(
      issueKey,
      { name: 'Operator', scopes: ['read'], granted_by: null },
      operatorCause(acme.account_id),
    );
    expect((await service.call('GET', '/v1/probe', { key: output.key })).status).to.equal(200);
    const tooFew = service.app.dispatcher.execute(issueKey, { name: 'Operator', scopes: null, granted_by: null }, operatorCause('acc_none'));
    expect(await tooFew.catch((e) => e.code)).to.equal('not_found');
  });
});
