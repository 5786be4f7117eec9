import { expect } from 'chai';
import { generateSync } from 'otplib';
import { createAccount } from '../../commands/accounts/create-account.js';
import { roles, type UserRole } from '../../domain/accounts/access.js';
import { type Permission, permissions, permissionsOf } from '../../domain/accounts/permissions.js';
import { newId } from '../../log/runtime/ids.js';
import { operatorCause } from '../../ops/app/operator-cause.js';
import { systemEntropy } from '../../ops/system/entropy.js';
import { PASSWORD, Service } from '../support/service.js';
import { inApplication } from '../support/service-accounts.js';

type Headers = Readonly<Record<string, string>>;

/** The header of a new user who is signed in. */
async function signedIn(service: Service, role: UserRole, email: string): Promise<Headers> {
  await service.ok('POST', '/account/users', { email, name: `The ${role}`, role, password: PASSWORD });
  return signIn(service, email);
}
async function signIn(service: Service, email: string): Promise<Headers> {
  const { token } = await service.ok('POST', '/auth/login', { email, password: PASSWORD });
  return { 'X-API-Key': '', Authorization: `Bearer ${token}` };
}

describe('who is calling', () => {
  const service = Service.guest();
  const me = (headers: Headers = {}) => service.ok('GET', '/me', undefined, headers);

  it('is the key, with its account and no user', async () => {
    const { user, key, account } = await me();
    expect(account).to.deep.equal({ id: service.accountId, name: 'Tests', timezone: 'UTC', locale: 'en', test: false });
    expect(user).to.equal(null);
    expect(key).to.include({ scopes: null, mode: 'live' }).and.have.keys('id', 'name', 'scopes', 'mode');
  });

  it('is the user, with the permissions of the role and no key', async () => {
    const email = `member@${service.accountId.slice('acc_'.length).toLowerCase()}.example`;
    const headers = await signedIn(service, 'member', email);
    const { user, key, account } = await me(headers);
    expect(account.id).to.equal(service.accountId);
    expect(key).to.equal(null);
    const { id, ...others } = user;
    expect(id).to.match(/^usr_/);
    expect(others).to.deep.equal({ email, name: 'The member', role: 'member', permissions: permissionsOf('member', false), two_factor: false });
  });

  it('has the settings and the role as they are now', async () => {
    const email = `second@${service.accountId.slice('acc_'.length).toLowerCase()}.example`;
    const headers = await signedIn(service, 'analyst', email);
    await service.ok('PATCH', '/account/settings', { name: 'Renamed', timezone: 'Europe/Vienna', branding: { locale: 'de' } });
    const { user, account } = await me(headers);
    expect(account).to.include({ name: 'Renamed', timezone: 'Europe/Vienna', locale: 'de' });
    await service.ok('PATCH', `/account/users/${user.id}`, { role: 'owner', name: null });
    expect((await me(headers)).user).to.deep.include({ role: 'owner', name: null, permissions: permissionsOf('owner', false) });
  });

  it('says whether the user signs in with a second factor', async () => {
    const headers = await signedIn(service, 'analyst', `factor@${service.accountId.slice('acc_'.length).toLowerCase()}.example`);
    const { secret } = await service.ok('POST', '/auth/totp', undefined, headers);
    expect((await me(headers)).user.two_factor).to.equal(false);
    const confirmed = await service.call('POST', '/auth/totp/confirm', { code: generateSync({ secret }) }, headers);
    expect(confirmed.status).to.equal(204);
    expect((await me(headers)).user.two_factor).to.equal(true);
  });

  it('of a key shows its scopes and its mode; a key without any scope reads nothing', async () => {
    const issue = (body: object) => service.ok('POST', '/api-keys', body);
    const test = await issue({ name: 'Trial', mode: 'test', scopes: ['write'] });
    const answer = await me({ 'X-API-Key': test.key });
    expect(answer.key).to.deep.equal({ id: test.id, name: 'Trial', scopes: ['write'], mode: 'test' });
    expect(answer.account.test).to.equal(true);
    const none = await issue({ name: 'None', scopes: [] });
    expect((await service.call('GET', '/me', undefined, { 'X-API-Key': none.key })).body.code).to.equal('insufficient_scope');
    expect((await service.call('GET', '/me', undefined, { 'X-API-Key': '' })).status).to.equal(401);
  });

  it('is told apart in each account', async () => {
    const other = await service.otherAccountKey();
    const answer = await me({ 'X-API-Key': other });
    expect(answer.account.id).not.to.equal(service.accountId);
    expect(answer.key.id).not.to.equal((await me()).key.id);
  });
});

describe('an owner of an account that operates the installation', () => {
  const operators = newId(systemEntropy, 'acc', Date.now());
  const service = Service.own({ HELIOGRAPH_OPERATOR_ACCOUNTS: operators });

  it('may read what is wrong with it; other owners, and other users of that account, may not', async () => {
    const created = await inApplication(service.settings, ({ dispatcher }) =>
      dispatcher.execute(createAccount, { name: 'Operators', email: 'op@example.com', password: PASSWORD }, operatorCause(operators)),
    );
    await service.caughtUp();
    const permissionsFor = async (headers: Headers) => (await service.ok('GET', '/me', undefined, headers)).user.permissions;
    expect(await permissionsFor(await signIn(service, 'op@example.com'))).to.include('system:read');
    expect(await permissionsFor(await signIn(service, 'owner@example.com'))).not.to.include('system:read');
    const key = { 'X-API-Key': created.output.api_key };
    const added = { email: 'second@example.com', role: 'member', password: PASSWORD };
    await service.ok('POST', '/account/users', added, key);
    expect(await permissionsFor(await signIn(service, added.email))).not.to.include('system:read');
  });
});

/** The permission that an operation needs: by its tag and method, or by name where these do not say it. */
const named: Readonly<Record<string, Permission>> = {
  listSandboxMessages: 'messages:read_content',
  cancelMessage: 'messages:send',
  simulateInboundMessage: 'messages:send',
  getSettings: 'settings:read',
  updateSettings: 'settings:write',
  listUsers: 'users:read',
  getUser: 'users:read',
  createUser: 'users:manage',
  inviteUser: 'users:manage',
  updateUser: 'users:manage',
  deleteUser: 'users:manage',
  listApiKeys: 'keys:read',
  createApiKey: 'keys:manage',
  revokeApiKey: 'keys:manage',
  listSendingDomains: 'settings:read',
  checkSendingDomain: 'settings:read',
  previewSegment: 'segments:read',
  renderTemplate: 'templates:read',
  testWebhookEndpoint: 'webhooks:read',
};
/** Whoever is signed in may call these, and those of the own sign-in. */
const ofEverybody: readonly string[] = ['getMe', 'getOverview', 'listActivity', 'streamChanges'];

function permissionFor({ id, method, path, tag }: Operation): Permission | null {
  if (ofEverybody.includes(id) || path.startsWith('/v1/auth/')) return null;
  const ofTag = `${tag === 'fields' ? 'contacts' : tag}:${method === 'GET' ? 'read' : tag === 'messages' ? 'send' : 'write'}`;
  const found = named[id] ?? permissions.find((permission) => permission === ofTag);
  if (found === undefined) throw new Error(`no permission is named for ${id} (${ofTag})`);
  return found;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
}

describe('permissions', () => {
  const service = Service.own();

  async function operations(): Promise<Operation[]> {
    const { paths } = await service.ok('GET', '/openapi.json');
    return Object.entries(paths as Record<string, Record<string, { operationId: string; tags: string[]; security: object[] }>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).flatMap(([method, { operationId, tags, security }]) =>
          security.some((scheme) => 'ApiKeyAuth' in scheme)
            ? [{ id: operationId, method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'nothing'), tag: tags[0] ?? '' }]
            : [],
        ),
    );
  }

  /** Whether a role gets past the access check: whatever else is wrong with such a request is found after it. */
  async function isAllowed({ method, path }: Operation, headers: Headers): Promise<boolean> {
    const { 'X-API-Key': _, ...credentials } = headers;
    const ending = new AbortController();
    const json = method === 'GET' ? {} : { headers: { ...credentials, 'Content-Type': 'application/json' }, body: '[' };
    const { status } = await fetch(service.url + path, { method, headers: credentials, signal: ending.signal, ...json });
    ending.abort();
    return status !== 403;
  }

  it('of a role are exactly what the routes let it do', async () => {
    const all = await operations();
    expect(all.length).to.be.greaterThan(150);
    const wrong: string[] = [];
    const compare = async (role: UserRole): Promise<void> => {
      const headers = await signedIn(service, role, `${role}@roles.example`);
      const own = permissionsOf(role, false);
      for (const operation of all) {
        const permission = permissionFor(operation);
        const should = permission === null || own.includes(permission);
        if ((await isAllowed(operation, headers)) !== should) wrong.push(`${role} ${operation.id}: ${permission} ${should}`);
      }
    };
    await Promise.all(roles.map(compare));
    expect(wrong).to.deep.equal([]);
  });

  it('are each needed by some route', async () => {
    const needed = new Set((await operations()).map(permissionFor));
    expect(permissions.filter((permission) => permission !== 'system:read' && !needed.has(permission))).to.deep.equal([]);
  });
});
