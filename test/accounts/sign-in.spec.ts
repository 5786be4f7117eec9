import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { AccountService, type Credential, password, type Reply } from './service.js';

/** The limit of the specification, in the body and in the header fields. */
function expectRefusal({ status, body, headers }: Reply): void {
  expect([status, body.error, body.code, body.limit, body.window]).to.deep.equal([
    429,
    'Rate limit exceeded',
    'rate_limit_exceeded',
    20,
    '15 minutes',
  ]);
  expect(body.retry_after).to.be.within(1, 900);
  const fields = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Policy'].map((name) => headers.get(name));
  expect(fields).to.deep.equal([String(body.retry_after), '20', '0', '20;w=900']);
}

describe('signing in', () => {
  const service = AccountService.own();
  let acme: CreatedAccount;
  let owner: Credential;
  const email = 'ada@example.com';
  let address = 0;

  /** Each from another address, so that the rate limit is not reached. */
  const login = (as: string, secret: string): Promise<Reply> =>
    service.call('POST', '/v1/auth/login', null, { email: as, password: secret }, { 'X-Forwarded-For': `192.0.2.${++address}` });
  const tokenOf = async (as: string, secret = password): Promise<{ token: string }> => ({ token: (await login(as, secret)).body.token });
  const whoami = (as: Credential) => service.call('GET', '/v1/probe', as);
  const addUser = async (name: string, role: string) =>
    (await service.call('POST', '/v1/account/users', owner, { email: `${name}@example.com`, role, password })).body;
  const signed = (claims: object, options: jwt.SignOptions = {}, key: Buffer = service.app.purposeKey('jwt')) => ({
    token: jwt.sign({ sub: acme.user.id, acc: acme.account_id, role: 'owner', ver: 1, ...claims }, key, { expiresIn: 60, ...options }),
  });

  before(async () => {
    acme = await service.createAccount('Acme', email);
    owner = { key: acme.api_key };
  });

  it('returns a token for an hour', async () => {
    const { status, body } = await login(email, password);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('token', 'token_type', 'expires_in', 'expires_at', 'user', 'account_id');
    expect(body).to.deep.include({ token_type: 'Bearer', expires_in: 3600, account_id: acme.account_id });
    expect(body.user).to.deep.equal({ id: acme.user.id, email, role: 'owner' });
    expect(Date.parse(body.expires_at) - service.clock.now()).to.be.within(3_590_000, 3_600_000);
    expect((await whoami(body)).body).to.deep.include({ account: acme.account_id, role: 'owner', scopes: null });
  });

  it('accepts the email in any case and with spaces', async () => expect((await login(' ADA@Example.COM ', password)).status).to.equal(200));

  it('answers alike to a wrong password, an unknown user and an invalid email', async () => {
    const [wrong, unknown, none] = await Promise.all([
      login(email, 'wrong horse battery'),
      login('eve@example.com', password),
      login('eve', password),
    ]);
    for (const reply of [wrong, unknown, none]) {
      expect(reply.status).to.equal(401);
      expect({ ...reply.body, request_id: null }).to.deep.equal({ ...wrong.body, request_id: null });
      expect(reply.body.code).to.equal('invalid_credentials');
    }
  });

  it('takes as long for an unknown user as for a wrong password', async () => {
    // In CPU time, which does not depend on the load of the machine.
    const work = async (as: string): Promise<number> => {
      const began = process.cpuUsage();
      await login(as, 'wrong horse battery');
      const { user, system } = process.cpuUsage(began);
      return user + system;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 5; i++) {
      known.push(await work(email));
      unknown.push(await work('eve@example.com'));
    }
    // The minimum is the cost of the work itself; a sign-in without the hash takes a few percent of it.
    expect(Math.min(...unknown) / Math.min(...known)).to.be.within(0.5, 2);
  }).timeout(20_000);

  it('rejects the 21st attempt for one email from whatever address, whether or not there is such a user', async () => {
    const strict = new AccountService({});
    await strict.start();
    await strict.createAccount('Acme', email);
    const attempt = (as: string, secret: string) =>
      strict.call('POST', '/v1/auth/login', null, { email: as, password: secret }, { 'X-Forwarded-For': `203.0.113.${++address % 250}` });
    for (const as of [email, 'nobody@example.com']) {
      const attempts = await Promise.all(Array.from({ length: 20 }, () => attempt(as, 'wrong horse battery')));
      expect(attempts.map(({ status }) => status)).to.deep.equal(Array(20).fill(401));
      expectRefusal(await attempt(` ${as.toUpperCase()}`, password));
    }
    await strict.remove();
  }).timeout(90_000);

  it('counts only failed attempts for an email', async () => {
    const strict = new AccountService({});
    await strict.start();
    await strict.createAccount('Acme', email);
    const attempt = async (secret: string) =>
      (await strict.call('POST', '/v1/auth/login', null, { email, password: secret }, { 'X-Forwarded-For': `203.0.113.${++address % 250}` })).status;
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth++) statuses.push(await attempt(password));
    for (let nth = 0; nth < 19; nth++) statuses.push(await attempt('wrong horse battery'));
    // Neither do these free what the failed ones took.
    for (let nth = 0; nth < 3; nth++) statuses.push(await attempt(password));
    statuses.push(await attempt('wrong horse battery'), await attempt(password));
    expect(statuses).to.deep.equal([...Array(12).fill(200), ...Array(19).fill(401), 200, 200, 200, 401, 429]);
    await strict.remove();
  }).timeout(90_000);

  it('rejects the 21st attempt from one address', async () => {
    const from = { 'X-Forwarded-For': '198.51.100.7' };
    const attempt = () => service.call('POST', '/v1/auth/login', null, { email: 'x', password: 'y' }, from);
    const attempts = await Promise.all(Array.from({ length: 20 }, attempt));
    expect(attempts.map(({ status }) => status)).to.deep.equal(Array(20).fill(401));
    expectRefusal(await attempt());
  }).timeout(90_000);

  it('lists missing fields', async () => {
    const { status, body } = await service.call('POST', '/v1/auth/login', null, { email: 5 }, { 'X-Forwarded-For': '198.51.100.8' });
    expect(status).to.equal(422);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.have.members(['email', 'password']);
  });

  it('expires after an hour with its own code', async () => {
    const token = await tokenOf(email);
    service.clock.shift += 3_601_000;
    const reply = await whoami(token);
    expect(reply.status).to.equal(401);
    expect(reply.body.code).to.equal('token_expired');
  });

  it('can be prolonged with a token that is still valid', async () => {
    const first = await tokenOf(email);
    service.clock.shift += 1_800_000;
    const second = await service.call('POST', '/v1/auth/refresh', first);
    expect(second.status).to.equal(200);
    expect(second.body.user).to.deep.equal({ id: acme.user.id, email, role: 'owner' });
    service.clock.shift += 2_000_000;
    expect((await whoami(first)).status).to.equal(401);
    expect((await whoami(second.body)).status).to.equal(200);
  });

  it('cannot be prolonged with a key', async () => {
    const reply = await service.call('POST', '/v1/auth/refresh', owner);
    expect([reply.status, reply.body.code]).to.deep.equal([403, 'forbidden']);
  });

  it('accepts only its own tokens', async () => {
    const now = Math.floor(service.clock.now() / 1000);
    const fresh = { iat: now };
    expect((await whoami(signed(fresh))).status).to.equal(200);
    const forged = [
      signed(fresh, {}, Buffer.alloc(32, 1)),
      signed(fresh, { algorithm: 'HS512' }),
      { token: jwt.sign({ sub: acme.user.id, acc: acme.account_id, ver: 1, ...fresh }, '', { algorithm: 'none', expiresIn: 60 }) },
      signed({ ...fresh, sub: 'usr_nobody' }),
      signed({ ...fresh, ver: 99 }),
      signed({ ...fresh, ver: undefined }),
      signed({ ...fresh, sub: acme.account_id }),
      { token: 'x.y.z' },
      { token: acme.api_key },
    ];
    for (const token of forged) expect((await whoami(token)).status, token.token).to.equal(401);
  });

  it('is needed', async () => {
    for (const as of [null, { key: '' }, { key: 'hk_live_x' }, { key: `hk_live_${'0'.repeat(43)}` }, { token: '' }]) {
      const reply = await whoami(as);
      expect([reply.status, reply.body.code], JSON.stringify(as)).to.deep.equal([401, 'unauthorized']);
    }
  });

  it('is invalid from the moment of a new password', async () => {
    const bob = await addUser('bob', 'member');
    const old = await tokenOf(bob.email);
    expect((await whoami(old)).status).to.equal(200);
    await service.call('PATCH', `/v1/account/users/${bob.id}`, owner, { password: 'another horse battery' });
    expect([(await whoami(old)).body.code, (await login(bob.email, password)).status]).to.deep.equal(['token_expired', 401]);
    expect((await whoami(await tokenOf(bob.email, 'another horse battery'))).status).to.equal(200);
  });

  it('is invalid from the moment a user is disabled, permanently', async () => {
    const carol = await addUser('carol', 'member');
    const old = await tokenOf(carol.email);
    expect((await whoami(old)).status).to.equal(200);
    await service.call('PATCH', `/v1/account/users/${carol.id}`, owner, { status: 'disabled' });
    expect([(await whoami(old)).status, (await login(carol.email, password)).status]).to.deep.equal([401, 401]);
    await service.call('PATCH', `/v1/account/users/${carol.id}`, owner, { status: 'active' });
    expect([(await whoami(old)).status, (await login(carol.email, password)).status]).to.deep.equal([401, 200]);
  });

  it('is invalid once a user is removed', async () => {
    const dan = await addUser('dan', 'member');
    const old = await tokenOf(dan.email);
    await service.call('DELETE', `/v1/account/users/${dan.id}`, owner);
    expect([(await whoami(old)).status, (await login(dan.email, password)).status]).to.deep.equal([401, 401]);
  });

  it('gives each role its permissions, at once after a change', async () => {
    const erin = await addUser('erin', 'analyst');
    const token = await tokenOf(erin.email);
    const may = async () => {
      const replies = [
        whoami(token),
        service.call('POST', '/v1/probe', token),
        service.call('POST', '/v1/api-keys', token, { name: 'x', scopes: [] }),
      ];
      return (await Promise.all(replies)).map((reply) => reply.body.code ?? reply.status);
    };
    const become = (role: string) => service.call('PATCH', `/v1/account/users/${erin.id}`, owner, { role });
    expect(await may()).to.deep.equal([200, 'insufficient_scope', 'forbidden']);
    await become('member');
    expect(await may()).to.deep.equal([200, 200, 'forbidden']);
    await become('owner');
    expect(await may()).to.deep.equal([200, 200, 201]);
    await become('analyst');
    expect(await may()).to.deep.equal([200, 'insufficient_scope', 'forbidden']);
  });
});
