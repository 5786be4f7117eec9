import { expect } from 'chai';
import { generateSync } from 'otplib';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { secondFactorStream } from '../../domain/accounts/second-factor.js';
import { AccountService, type Credential, password, type Reply } from './service.js';

const STEP = 30_000;

describe('signing in with a second factor', () => {
  const service = AccountService.own({ login: { limit: 10_000 }, login_user: { limit: 1_000 } });
  let acme: CreatedAccount;
  let owner: Credential;
  let users = 0;

  const codeOf = ({ body, status }: Reply) => body?.code ?? status;
  const login = async (email: string, code?: string, secret = password, path = '/v1/auth/login') =>
    codeOf(await service.call('POST', path, null, { email, password: secret, ...(code !== undefined && { code }) }));
  const appCode = (secret: string, shift = 0) => generateSync({ secret, epoch: Math.floor((service.clock.now() + shift) / 1000) });
  /** Another period begins, so that the app shows a code that was not used. */
  const wait = () => {
    service.clock.shift += STEP;
  };
  interface User {
    readonly id: string;
    readonly email: string;
    readonly token: { readonly token: string };
    readonly secret: string;
    readonly recovery_codes: readonly string[];
    readonly uri: string;
  }
  const prepared = async (): Promise<User> => {
    const email = `user${++users}@example.com`;
    const { id } = (await service.call('POST', '/v1/account/users', owner, { email, role: 'analyst', password })).body;
    const { body: token } = await service.call('POST', '/v1/auth/login', null, { email, password });
    const reply = await service.call('POST', '/v1/auth/totp', token);
    expect(reply.status).to.equal(200);
    return { id, email, token, ...reply.body };
  };
  const confirm = async (user: User, code = appCode(user.secret)) =>
    codeOf(await service.call('POST', '/v1/auth/totp/confirm', user.token, { code }));
  const turnedOn = async (): Promise<User> => {
    const user = await prepared();
    expect(await confirm(user)).to.equal(204);
    wait();
    return user;
  };
  const turnOff = async (user: User, body: object) => codeOf(await service.call('DELETE', '/v1/auth/totp', user.token, body));

  before(async () => {
    acme = await service.createAccount('Acme', 'ada@example.com');
    owner = { key: acme.api_key };
  });

  it('is set up with a secret, its URI and ten recovery codes, and asked for once it is confirmed', async () => {
    const user = await prepared();
    expect(user.secret).to.match(/^[A-Z2-7]{32}$/);
    expect(user.uri).to.equal(`otpauth://totp/Heliograph:${encodeURIComponent(user.email)}?secret=${user.secret}&issuer=Heliograph`);
    expect(new Set(user.recovery_codes).size).to.equal(10);
    expect(await login(user.email)).to.equal(200);
    expect(await confirm(user, '000000')).to.equal('invalid_credentials');
    expect(await login(user.email)).to.equal(200);
    expect(await confirm(user)).to.equal(204);
    expect(await login(user.email)).to.equal('second_factor_required');
    wait();
    expect(await login(user.email, appCode(user.secret))).to.equal(200);
    expect((await service.call('GET', '/v1/probe', user.token)).status).to.equal(200);
    expect(codeOf(await service.call('POST', '/v1/auth/totp', user.token))).to.equal('invalid_state');
  });

  it('is asked for by the sign-in of browsers, too, which sets no cookie without it', async () => {
    const user = await turnedOn();
    const attempt = (body: object) => service.call('POST', '/v1/auth/session', null, { email: user.email, password, ...body });
    for (const [body, code] of [
      [{}, 'second_factor_required'],
      [{ code: '' }, 'second_factor_required'],
      [{ code: '000000' }, 'invalid_credentials'],
    ] as const) {
      const refused = await attempt(body);
      expect([refused.status, refused.body.code, refused.headers.get('set-cookie')]).to.deep.equal([401, code, null]);
    }
    const { status, headers } = await attempt({ code: appCode(user.secret) });
    expect(status).to.equal(200);
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await service.call('GET', '/v1/auth/session', null, undefined, { Cookie: cookie })).status).to.equal(200);
  });

  it('is not asked for where the password is wrong', async () => {
    const user = await turnedOn();
    expect(await login(user.email, undefined, 'wrong horse battery')).to.equal('invalid_credentials');
    expect(await login(user.email, appCode(user.secret), 'wrong horse battery')).to.equal('invalid_credentials');
    // The code was not used up by it.
    expect(await login(user.email, appCode(user.secret))).to.equal(200);
  });

  it('takes a code once, whichever way it is used, and those of the neighboring periods', async () => {
    const user = await turnedOn();
    const code = appCode(user.secret);
    expect(await login(user.email, code)).to.equal(200);
    expect([await login(user.email, code), await login(user.email, code, password, '/v1/auth/session')]).to.deep.equal(
      Array(2).fill('invalid_credentials'),
    );
    expect(await login(user.email, appCode(user.secret, STEP))).to.equal(200);
    // It is older than the last one.
    expect(await login(user.email, code)).to.equal('invalid_credentials');
    service.clock.shift += 4 * STEP;
    expect(await login(user.email, appCode(user.secret, -2 * STEP))).to.equal('invalid_credentials');
    expect(await login(user.email, appCode(user.secret, 2 * STEP))).to.equal('invalid_credentials');
    expect(await login(user.email, appCode(user.secret, -STEP))).to.equal(200);
    // Of two at the same time one wins.
    const both = await Promise.all([login(user.email, appCode(user.secret)), login(user.email, appCode(user.secret))]);
    expect(both.sort()).to.deep.equal([200, 'invalid_credentials']);
  });

  it('takes each recovery code once', async () => {
    const user = await turnedOn();
    const [first = '', second = ''] = user.recovery_codes;
    expect(await login(user.email, first)).to.equal(200);
    expect(await login(user.email, first)).to.equal('invalid_credentials');
    expect(await login(user.email, second.toLowerCase().replaceAll('-', ' '))).to.equal(200);
    expect(await login(user.email, (await turnedOn()).recovery_codes[0])).to.equal('invalid_credentials');
  });

  it('counts wrong codes as failed attempts, and a missing one not', async () => {
    const strict = new AccountService({ login: { limit: 10_000 } });
    await strict.start();
    await strict.createAccount('Acme', 'ada@example.com');
    const body = { email: 'ada@example.com', password };
    const { body: token } = await strict.call('POST', '/v1/auth/login', null, body);
    const { secret } = (await strict.call('POST', '/v1/auth/totp', token)).body;
    const code = generateSync({ secret, epoch: Math.floor(strict.clock.now() / 1000) });
    expect((await strict.call('POST', '/v1/auth/totp/confirm', token, { code })).status).to.equal(204);
    const attempt = async (more: object) => codeOf(await strict.call('POST', '/v1/auth/login', null, { ...body, ...more }));
    const missing = await Promise.all(Array.from({ length: 15 }, () => attempt({})));
    expect(missing).to.deep.equal(Array(15).fill('second_factor_required'));
    const wrong = await Promise.all(Array.from({ length: 20 }, () => attempt({ code: '000000' })));
    expect(wrong).to.deep.equal(Array(20).fill('invalid_credentials'));
    strict.clock.shift += STEP;
    expect(await attempt({ code: generateSync({ secret, epoch: Math.floor(strict.clock.now() / 1000) }) })).to.equal('rate_limit_exceeded');
    await strict.remove();
  }).timeout(60_000);

  it('is turned off by the password or a code, and not by a session alone', async () => {
    const user = await turnedOn();
    const neither = await service.call('DELETE', '/v1/auth/totp', user.token, {});
    expect([neither.status, neither.body.errors[0].field]).to.deep.equal([422, 'password']);
    expect((await service.call('DELETE', '/v1/auth/totp', user.token, { password, code: appCode(user.secret) })).status).to.equal(422);
    expect([await turnOff(user, { password: 'wrong horse battery' }), await turnOff(user, { code: '000000' })]).to.deep.equal(
      Array(2).fill('invalid_credentials'),
    );
    expect(await login(user.email)).to.equal('second_factor_required');
    expect([await turnOff(user, { password }), await turnOff(user, { password })]).to.deep.equal([204, 204]);
    expect(await login(user.email)).to.equal(200);
    const other = await turnedOn();
    expect(await turnOff(other, { code: appCode(other.secret) })).to.equal(204);
    const third = await turnedOn();
    expect(await turnOff(third, { code: third.recovery_codes[9] })).to.equal(204);
    expect([await login(other.email), await login(third.email)]).to.deep.equal([200, 200]);
    // And on again, with another secret.
    const { secret } = (await service.call('POST', '/v1/auth/totp', other.token)).body;
    expect(secret).not.to.equal(other.secret);
    expect(await confirm({ ...other, secret })).to.equal(204);
    expect(await login(other.email)).to.equal('second_factor_required');
  });

  it('stays on across a new password and a restart', async () => {
    const user = await turnedOn();
    const code = appCode(user.secret);
    expect(await login(user.email, code)).to.equal(200);
    await service.call('PATCH', `/v1/account/users/${user.id}`, owner, { password: 'another horse battery' });
    await service.stop();
    await service.start();
    expect(await login(user.email, undefined, 'another horse battery')).to.equal('second_factor_required');
    expect(await login(user.email, code, 'another horse battery')).to.equal('invalid_credentials');
    wait();
    expect(await login(user.email, appCode(user.secret), 'another horse battery')).to.equal(200);
  });

  it('is nothing for keys', async () => {
    for (const [method, path, body] of [
      ['POST', '/v1/auth/totp', undefined],
      ['POST', '/v1/auth/totp/confirm', { code: '000000' }],
      ['DELETE', '/v1/auth/totp', { password }],
    ] as const)
      expect(codeOf(await service.call(method, path, owner, body)), path).to.equal('forbidden');
  });

  it('has its secret sealed, and its recovery codes only as hashes', async () => {
    const user = await turnedOn();
    const stored = JSON.stringify(await service.app.engine.events.read(secondFactorStream(user.id)), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(stored).to.include('SecondFactorTurnedOn');
    for (const text of [user.secret, ...user.recovery_codes]) expect(stored.includes(text), text).to.equal(false);
  });
});
