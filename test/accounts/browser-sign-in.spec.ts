import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SessionCookies } from '../../api/accounts/session-cookies.js';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { AccountService, type Credential, password, type Reply } from './service.js';

const HOUR = 3_600_000;
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/** A browser: it keeps its cookie. */
class Browser {
  cookie: string | null = null;

  constructor(
    private readonly service: AccountService,
    private readonly agent: string,
  ) {}

  async signIn(email: string, secret = password, address = '192.0.2.1'): Promise<Reply> {
    const headers = { 'User-Agent': this.agent, 'X-Forwarded-For': address, ...(this.cookie && { Cookie: this.cookie }) };
    const reply = await this.service.call('POST', '/v1/auth/session', null, { email, password: secret }, headers);
    const given = reply.headers.get('set-cookie');
    if (given) this.cookie = given.split(';')[0] ?? null;
    return reply;
  }

  call(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = OWN_PAGE, as: Credential = null): Promise<Reply> {
    return this.service.call(method, path, as, body, { ...headers, ...(this.cookie && { Cookie: this.cookie }) });
  }
}

describe('signing in with a browser', () => {
  // Each test signs in from the same address.
  const service = AccountService.own({ login: { limit: 10_000 }, login_user: { limit: 1_000 } });
  let acme: CreatedAccount;
  let owner: Credential;
  const email = 'ada@example.com';
  let users = 0;

  const browser = (agent = 'Firefox') => new Browser(service, agent);
  const signedIn = async (as = email, agent?: string): Promise<Browser> => {
    const own = browser(agent);
    expect((await own.signIn(as)).status).to.equal(200);
    return own;
  };
  const addUser = async (role = 'member') =>
    (await service.call('POST', '/v1/account/users', owner, { email: `user${++users}@example.com`, role, password })).body;
  const codeOf = async (reply: Promise<Reply>) => (await reply).body?.code ?? (await reply).status;
  const probe = (own: Browser) => codeOf(own.call('GET', '/v1/probe'));

  before(async () => {
    acme = await service.createAccount('Acme', email);
    owner = { key: acme.api_key };
  });

  it('answers the user, and sets a cookie that scripts cannot read', async () => {
    const own = browser();
    const { status, body, headers } = await own.signIn(email);
    expect([status, body]).to.deep.equal([200, { user: { id: acme.user.id, email, role: 'owner' }, account_id: acme.account_id }]);
    expect(headers.get('set-cookie')).to.match(
      /^heliograph_session=usr_[0-9A-Z]{26}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const read = await own.call('GET', '/v1/auth/session', undefined, {});
    expect([read.status, read.body]).to.deep.equal([200, body]);
    expect((await own.call('GET', '/v1/probe')).body).to.deep.include({ account: acme.account_id, role: 'owner', scopes: null });
  });

  it('protects the cookie further over https', () => {
    const cookies = new SessionCookies('https://mail.example.com');
    const { 'Set-Cookie': set } = cookies.set('value');
    expect(set).to.equal('__Host-heliograph_session=value; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict; Secure');
    expect(cookies.clear()['Set-Cookie']).to.equal('__Host-heliograph_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure');
    const value = `usr_${'0'.repeat(26)}.${'A'.repeat(43)}`;
    expect(cookies.read(`heliograph_session=${value}`)).to.equal(null);
    expect(cookies.read(`theme=dark; __Host-heliograph_session=${value}; x=y`)?.user).to.equal(`usr_${'0'.repeat(26)}`);
  });

  it('answers as the sign-in of programs does to wrong passwords and unknown users, without a cookie', async () => {
    for (const [as, secret] of [[email, 'wrong horse battery'] as const, ['eve@example.com', password] as const, ['eve', password] as const]) {
      const reply = await browser().signIn(as, secret);
      expect([reply.status, reply.body.code, reply.headers.get('set-cookie')]).to.deep.equal([401, 'invalid_credentials', null]);
    }
  });

  it('shares its limits with the sign-in of programs', async () => {
    const strict = new AccountService({});
    await strict.start();
    await strict.createAccount('Acme', email);
    const body = { email, password: 'wrong horse battery' };
    const attempt = async (path: string, from: string) => (await strict.call('POST', path, null, body, { 'X-Forwarded-For': from })).status;
    const statuses: number[] = [];
    for (let nth = 0; nth < 10; nth++) {
      statuses.push(await attempt('/v1/auth/login', `203.0.113.${nth}`), await attempt('/v1/auth/session', `198.51.100.${nth}`));
    }
    expect(statuses).to.deep.equal(Array(20).fill(401));
    expect([await attempt('/v1/auth/session', '203.0.113.99'), await attempt('/v1/auth/login', '203.0.113.99')]).to.deep.equal([429, 429]);
    await strict.remove();
  }).timeout(60_000);

  it('gives a new secret every time, and ends the session that the browser had', async () => {
    const own = await signedIn();
    const first = own.cookie;
    await own.signIn(email);
    expect(own.cookie).not.to.equal(first);
    expect(await probe(own)).to.equal(200);
    own.cookie = first;
    expect(await probe(own)).to.equal('token_expired');
  });

  it('takes no cookie that it has not given', async () => {
    const own = await signedIn();
    const [name, value = ''] = (own.cookie ?? '').split('=');
    const [user, secret = ''] = value.split('.');
    const other = await addUser();
    const forged = ['', 'x', user, `${user}.`, `${user}.${'A'.repeat(43)}`, `${other.id}.${secret}`, `${acme.account_id}.${secret}`, `${value}x`];
    for (const text of forged) {
      own.cookie = `${name}=${text}`;
      expect((await own.call('GET', '/v1/probe')).status, text).to.equal(401);
    }
  });

  it('cannot be read or left without a session', async () => {
    const none = browser();
    expect(await codeOf(none.call('GET', '/v1/auth/session'))).to.equal('unauthorized');
    expect(await codeOf(none.call('DELETE', '/v1/auth/session'))).to.equal('unauthorized');
    expect(await codeOf(none.call('GET', '/v1/auth/session', undefined, {}, owner))).to.equal('unauthorized');
  });

  it('ends by signing out', async () => {
    const [own, other] = [await signedIn(), await signedIn()];
    const reply = await own.call('DELETE', '/v1/auth/session');
    expect([reply.status, reply.headers.get('set-cookie')]).to.deep.equal([204, 'heliograph_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect([await probe(own), await probe(other)]).to.deep.equal(['token_expired', 200]);
  });

  it('cannot be exchanged for a token, which would outlive it', async () =>
    expect(await codeOf((await signedIn()).call('POST', '/v1/auth/refresh'))).to.equal('forbidden'));

  it('yields to a key or token in the same request, and to nothing else where that is wrong', async () => {
    const own = await signedIn();
    const { id } = await addUser();
    expect((await own.call('GET', '/v1/probe', undefined, {}, owner)).body.actor.kind).to.equal('key');
    const login = { email: `user${users}@example.com`, password };
    const { body } = await service.call('POST', '/v1/auth/login', null, login);
    expect((await own.call('GET', '/v1/probe', undefined, {}, body)).body.actor).to.deep.equal({ kind: 'user', id });
    expect(await codeOf(own.call('GET', '/v1/probe', undefined, {}, { key: 'hk_live_x' }))).to.equal('unauthorized');
    expect(await codeOf(own.call('GET', '/v1/probe', undefined, {}, { token: 'x' }))).to.equal('unauthorized');
  });

  it('changes something only for pages of the service', async () => {
    const own = await signedIn();
    const post = (headers: Readonly<Record<string, string>>, as: Credential = null) => codeOf(own.call('POST', '/v1/probe', undefined, headers, as));
    expect([await post({ 'Sec-Fetch-Site': 'same-origin' }), await post({ 'X-Requested-With': 'XMLHttpRequest' })]).to.deep.equal([200, 200]);
    for (const headers of [{}, ...['same-site', 'cross-site', 'none'].map((site) => ({ 'Sec-Fetch-Site': site }))] as Record<string, string>[]) {
      expect(await post(headers), JSON.stringify(headers)).to.equal('forbidden');
      expect(await codeOf(own.call('DELETE', '/v1/auth/session', undefined, headers))).to.equal('forbidden');
      expect(await codeOf(own.call('GET', '/v1/probe', undefined, headers))).to.equal(200);
      expect(await post(headers, owner)).to.equal(200);
    }
    const { body } = await own.call('POST', '/v1/probe', undefined, {});
    expect(body.message).to.include('`X-Requested-With`');
  });

  it('opens what the role allows, at once after a change', async () => {
    const { id, email: as } = await addUser('analyst');
    const own = await signedIn(as);
    const may = async () => [
      await probe(own),
      await codeOf(own.call('POST', '/v1/probe')),
      await codeOf(own.call('POST', '/v1/api-keys', { name: 'x' })),
    ];
    expect(await may()).to.deep.equal([200, 'insufficient_scope', 'forbidden']);
    await service.call('PATCH', `/v1/account/users/${id}`, owner, { role: 'owner' });
    expect(await may()).to.deep.equal([200, 200, 201]);
  });

  it('ends after 12 hours without a request', async () => {
    const own = await signedIn();
    service.clock.shift += 12 * HOUR - 60_000;
    expect(await probe(own)).to.equal(200);
    service.clock.shift += 12 * HOUR - 60_000;
    expect(await probe(own)).to.equal(200);
    service.clock.shift += 12 * HOUR;
    expect(await probe(own)).to.equal('token_expired');
    // No request makes it go on.
    expect(await probe(own)).to.equal('token_expired');
  });

  it('ends after 30 days of use', async () => {
    const own = await signedIn();
    for (let nth = 0; nth < 65; nth++) {
      service.clock.shift += 11 * HOUR;
      expect(await probe(own)).to.equal(200);
    }
    service.clock.shift += 5 * HOUR;
    expect(await probe(own)).to.equal('token_expired');
  });

  it('survives a restart, and counts the time without a request from the use on record', async () => {
    const own = await signedIn();
    service.clock.shift += 6 * HOUR;
    expect(await probe(own)).to.equal(200);
    await service.stop();
    await service.start();
    service.clock.shift += 11 * HOUR;
    expect(await probe(own)).to.equal(200);
    expect(await probe(own)).to.equal(200);
  });

  it('ends once the user is disabled, for good, and once the user is removed', async () => {
    const { id, email: as } = await addUser();
    const own = await signedIn(as);
    await service.call('PATCH', `/v1/account/users/${id}`, owner, { status: 'disabled' });
    expect(await probe(own)).to.equal('token_expired');
    await service.call('PATCH', `/v1/account/users/${id}`, owner, { status: 'active' });
    expect(await probe(own)).to.equal('token_expired');
    const next = await signedIn(as);
    await service.call('DELETE', `/v1/account/users/${id}`, owner);
    expect(await probe(next)).to.equal('token_expired');
  });

  it('ends where an owner sets another password', async () => {
    const { id, email: as } = await addUser();
    const own = await signedIn(as);
    await service.call('PATCH', `/v1/account/users/${id}`, owner, { password: 'another horse battery' });
    expect(await probe(own)).to.equal('token_expired');
  });

  it('lists the sessions of the user alone, the present one marked', async () => {
    const { email: as } = await addUser('analyst');
    const [phone, laptop] = [await signedIn(as, 'Phone'), await signedIn(as, 'Laptop')];
    service.clock.shift += 60_000;
    const { status, body } = await laptop.call('GET', '/v1/auth/sessions');
    expect(status).to.equal(200);
    expect(body.data.map((one: { user_agent: string; current: boolean; ip: string }) => [one.user_agent, one.current, one.ip])).to.deep.equal([
      ['Laptop', true, '192.0.2.1'],
      ['Phone', false, '192.0.2.1'],
    ]);
    const [present, other] = body.data;
    expect(present).to.have.all.keys('id', 'current', 'ip', 'user_agent', 'created_at', 'last_used_at', 'expires_at');
    expect(present.id).to.match(/^ses_[0-9A-Z]{26}$/);
    expect(Date.parse(present.last_used_at) - Date.parse(other.last_used_at)).to.be.within(59_000, 70_000);
    expect(Date.parse(present.expires_at) - Date.parse(present.last_used_at)).to.equal(12 * HOUR);
    const first = (await phone.call('GET', '/v1/auth/sessions?limit=1&order=asc')).body;
    expect([first.data[0].id, first.has_more]).to.deep.equal([other.id, true]);
    const second = (await phone.call('GET', `/v1/auth/sessions?limit=1&order=asc&cursor=${first.next_cursor}`)).body;
    expect([second.data[0].id, second.has_more]).to.deep.equal([present.id, false]);
    expect(await codeOf(service.call('GET', '/v1/auth/sessions', owner))).to.equal('forbidden');
  });

  it('can be ended from another browser, once and again, but not by another user', async () => {
    const { email: as } = await addUser();
    const { email: stranger } = await addUser('owner');
    const [phone, laptop, foreign] = [await signedIn(as), await signedIn(as), await signedIn(stranger)];
    const { id } = (await phone.call('GET', '/v1/auth/sessions')).body.data.find((one: { current: boolean }) => one.current);
    expect(await codeOf(foreign.call('DELETE', `/v1/auth/sessions/${id}`))).to.equal('not_found');
    expect([await probe(phone), await probe(laptop)]).to.deep.equal([200, 200]);
    expect(await codeOf(laptop.call('DELETE', `/v1/auth/sessions/${id}`))).to.equal(204);
    expect(await codeOf(laptop.call('DELETE', `/v1/auth/sessions/${id}`))).to.equal(204);
    expect([await probe(phone), await probe(laptop)]).to.deep.equal(['token_expired', 200]);
    expect(await codeOf(service.call('DELETE', `/v1/auth/sessions/${id}`, owner))).to.equal('forbidden');
  });

  it('changes the own password: other sessions and all tokens end, the present session goes on', async () => {
    const { email: as } = await addUser('analyst');
    const [own, other] = [await signedIn(as), await signedIn(as)];
    const { body: token } = await service.call('POST', '/v1/auth/login', null, { email: as, password });
    const change = (current: string, next: string) => own.call('POST', '/v1/auth/password', { current, new: next });
    expect(await codeOf(change('wrong horse battery', 'another horse battery'))).to.equal('invalid_credentials');
    const weak = await change(password, as);
    expect([weak.status, weak.body.errors[0].field, weak.body.errors[0].code]).to.deep.equal([422, 'new', 'same_as_email']);
    expect([await probe(own), await probe(other)]).to.deep.equal([200, 200]);
    expect(await codeOf(change(password, 'another horse battery'))).to.equal(204);
    expect([await probe(own), await probe(other), await codeOf(service.call('GET', '/v1/probe', token))]).to.deep.equal([
      200,
      'token_expired',
      'token_expired',
    ]);
    expect([(await browser().signIn(as)).status, (await browser().signIn(as, 'another horse battery')).status]).to.deep.equal([401, 200]);
    // And once more.
    expect(await codeOf(change('another horse battery', 'a third horse battery'))).to.equal(204);
    expect(await probe(own)).to.equal(200);
    expect(await codeOf(service.call('POST', '/v1/auth/password', owner, { current: password, new: 'another horse battery' }))).to.equal('forbidden');
  });

  it('repeats a change of the password under its idempotency key', async () => {
    const { email: as } = await addUser();
    const own = await signedIn(as);
    const headers = { ...OWN_PAGE, 'Idempotency-Key': 'once' };
    const body = { current: password, new: 'another horse battery' };
    expect(await codeOf(own.call('POST', '/v1/auth/password', body, headers))).to.equal(204);
    const again = await own.call('POST', '/v1/auth/password', body, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([204, 'true']);
  });

  it('leaves neither secret nor address in plain text, in any file', async () => {
    const own = browser('A very special browser');
    await own.signIn(email, password, '203.0.113.77');
    const secret = own.cookie?.split('.')[1] ?? '';
    const files = readdirSync(service.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
    expect(stored).to.include('SessionStarted');
    expect(secret).to.have.lengthOf(43);
    for (const text of [secret, '203.0.113.77', 'A very special browser']) expect(stored.includes(text), text).to.equal(false);
  });
});
