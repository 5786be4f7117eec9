import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parkTodoOf } from '../support/park-work.js';
import { PASSWORD, Service } from '../support/service.js';
import { createAccountHere } from '../support/service-accounts.js';

type Headers = Readonly<Record<string, string>>;
interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly resource: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  readonly count: number;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
}

describe('the activity of an account', () => {
  const service = Service.own();
  let nth = 0;

  /** An account of its own: its full key, and its owner as signed in. */
  async function account() {
    const email = `activity${++nth}@example.com`;
    const { accountId, key } = await createAccountHere(service.settings, email);
    const byKey: Headers = { 'X-API-Key': key };
    const { token, user } = await service.ok('POST', '/auth/login', { email, password: PASSWORD });
    const byUser: Headers = { 'X-API-Key': '', Authorization: `Bearer ${token}`, 'User-Agent': 'Spec/1.0' };
    const list = async (query = '', headers = byKey): Promise<Entry[]> => (await service.ok('GET', `/activity${query}`, undefined, headers)).data;
    return { accountId, email, byKey, byUser, userId: user.id as string, list };
  }

  it('begins with its creation by the operator', async () => {
    const { accountId, list } = await account();
    const entries = await list();
    expect(entries.map(({ action, actor }) => [action, actor.kind, actor.name]).sort()).to.deep.equal([
      ['account.create', 'operator', 'Operator'],
      ['key.create', 'operator', 'Operator'],
      ['user.create', 'operator', 'Operator'],
    ]);
    const created = entries.find(({ action }) => action === 'account.create') as Entry;
    expect(created.resource).to.deep.equal({ kind: 'account', id: accountId, name: 'Tests' });
    expect(created.id).to.match(/^act_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('says what a user changed, from what to what, from where and by which request', async () => {
    const { accountId, email, byUser, userId, list } = await account();
    const before = await service.ok('GET', '/account/settings', undefined, byUser);
    const { headers } = await service.call(
      'PATCH',
      '/account/settings',
      { timezone: 'Europe/Vienna', quiet_hours: { enabled: true } },
      { ...byUser, 'X-Request-Id': 'my-request-7' },
    );
    expect(headers.get('x-request-id')).to.equal('my-request-7');
    const [entry] = await list('?action=settings.update');
    expect(entry).to.deep.include({
      actor: { kind: 'user', id: userId, name: email },
      resource: { kind: 'account', id: accountId, name: 'Tests' },
      changes: {
        timezone: { from: 'UTC', to: 'Europe/Vienna' },
        quiet_hours: { from: before.quiet_hours, to: { ...before.quiet_hours, enabled: true } },
      },
      count: 1,
      user_agent: 'Spec/1.0',
      request_id: 'my-request-7',
    });
    expect(entry?.ip).to.be.oneOf(['127.0.0.1', '::ffff:127.0.0.1', '::1']);
  });

  it('has sign-ins and sign-outs of users, with where they came from', async () => {
    const { email, userId, list } = await account();
    const browser = { 'X-API-Key': '', 'User-Agent': 'Browser/1', 'Sec-Fetch-Site': 'same-origin' };
    const { headers } = await service.call('POST', '/auth/session', { email, password: PASSWORD }, browser);
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await service.call('DELETE', '/auth/session', undefined, { ...browser, Cookie: cookie })).status).to.equal(204);
    const [end, start] = await list(`?user_id=${userId}`);
    for (const [entry, action] of [
      [start, 'session.start'],
      [end, 'session.end'],
    ] as const) {
      expect(entry).to.deep.include({ action, actor: { kind: 'user', id: userId, name: email }, user_agent: 'Browser/1' });
      expect(entry?.resource).to.deep.equal({ kind: 'session', id: start?.resource.id, name: null });
      expect(entry?.ip).to.be.a('string');
    }
  });

  it('has addresses and programs of users nowhere on disk but sealed', async () => {
    const { byUser, list } = await account();
    await service.ok('POST', '/lists', { name: 'Shown', opt_in: 'single' }, { ...byUser, 'User-Agent': 'Unheard-of/7.3' });
    expect((await list('?action=list.create'))[0]?.user_agent).to.equal('Unheard-of/7.3');
    const files = readdirSync(service.dir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const telling = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes('Unheard-of'));
    expect(telling.map(({ name }) => name)).to.deep.equal([]);
  });

  it('makes one entry of what one request changed of a user, and calls users by their names', async () => {
    const { byUser, list } = await account();
    const added = { email: `grace${nth}@example.com`, name: 'Grace', role: 'member', password: PASSWORD };
    const { id } = await service.ok('POST', '/account/users', added, byUser);
    await service.ok('PATCH', `/account/users/${id}`, { name: 'Grace Hopper', role: 'analyst', status: 'disabled' }, byUser);
    const [updated, created] = await list(`?resource_id=${id}`);
    expect(created).to.deep.include({ action: 'user.create', resource: { kind: 'user', id, name: 'Grace' } });
    expect(updated).to.deep.include({
      action: 'user.update',
      resource: { kind: 'user', id, name: 'Grace Hopper' },
      changes: { role: { from: 'member', to: 'analyst' }, status: { from: 'active', to: 'disabled' } },
    });
    await service.ok('DELETE', `/account/users/${id}`, undefined, byUser);
    expect((await list(`?resource_id=${id}`)).map(({ action, resource }) => [action, resource.name])).to.deep.equal([
      ['user.remove', 'Grace Hopper'],
      ['user.update', 'Grace Hopper'],
      ['user.create', 'Grace'],
    ]);
  });

  it('shows edits of lists, segments, templates and campaigns with names and values, and long values by their length', async () => {
    const { byUser, list } = await account();
    const made = await service.ok('POST', '/lists', { name: 'News', opt_in: 'single' }, byUser);
    await service.ok('PATCH', `/lists/${made.id}`, { name: 'Weekly news' }, byUser);
    await service.ok('PATCH', `/lists/${made.id}`, { description: 'Each Monday' }, byUser);
    await service.ok('DELETE', `/lists/${made.id}`, undefined, byUser);
    const ofList = await list('?resource_kind=list&order=asc');
    expect(ofList.map(({ action, resource, changes }) => [action, resource.name, changes])).to.deep.equal([
      ['list.create', 'News', {}],
      ['list.update', 'Weekly news', { name: { from: 'News', to: 'Weekly news' } }],
      ['list.update', 'Weekly news', { description: { from: null, to: 'Each Monday' } }],
      ['list.delete', 'Weekly news', {}],
    ]);
    const campaign = { name: 'Spring', channel: 'email', audience: { include: { everyone: true } } };
    const { id } = await service.ok('POST', '/campaigns', { ...campaign, content: { subject: 'S', message: 'a'.repeat(2_000) } }, byUser);
    await service.ok('PATCH', `/campaigns/${id}`, { content: { subject: 'S', message: 'b'.repeat(2_000) } }, byUser);
    const [edited] = await list(`?resource_id=${id}&action=campaign.update`);
    expect(Object.keys(edited?.changes ?? {})).to.deep.equal(['content']);
    expect(edited?.changes.content?.from).to.match(/^\(2\d{3} characters, [0-9a-f]{8}\)$/);
    expect(edited?.changes.content?.to).to.not.equal(edited?.changes.content?.from);
    await service.ok('POST', `/campaigns/${id}/send`, {}, byUser);
    const [sent] = await list('?action=campaign.send');
    expect(sent?.resource).to.deep.equal({ kind: 'campaign', id, name: 'Spring' });
  });

  it('counts what a key does often by hour, and what a user does one by one', async () => {
    const { byKey, byUser, list } = await account();
    const { key, id } = await service.ok('POST', '/api-keys', { name: 'Shop' }, byKey);
    const shop = { 'X-API-Key': key };
    const send = { channel: 'sms', to: '+14155550100', message: 'Hi' };
    const started = new Date().toISOString().slice(0, 13);
    for (let i = 0; i < 3; i++) await service.ok('POST', '/messages/send', send, shop);
    await service.ok('POST', '/messages/bulk', [send, send, send, send], shop);
    await service.ok('POST', '/contacts', { email: 'ada@example.com' }, shop);
    await service.ok('POST', '/contacts', { email: 'ben@example.com' }, shop);
    await service.ok('POST', '/events', { contact: { email: 'ada@example.com' }, event: 'order' }, shop);
    const ofKey = await list(`?key_id=${id}`);
    // Unless the hour has just ended.
    if (new Date().toISOString().slice(0, 13) === started) {
      const counts = Object.fromEntries(ofKey.map(({ action, count }) => [action, count]));
      expect(counts).to.deep.equal({ 'message.send': 7, 'contact.create': 2, 'event.record': 1 });
    }
    for (const entry of ofKey) {
      expect(entry.at).to.match(/:00:00\.000Z$/);
      expect(entry).to.deep.include({ actor: { kind: 'key', id, name: 'Shop' }, ip: null, request_id: null });
      expect(entry.resource.id).to.equal(null);
    }
    const { id: message } = await service.ok('POST', '/messages/send', send, byUser);
    await service.ok('POST', '/messages/send', send, byUser);
    const byHand = (await list('?action=message.send')).filter(({ actor }) => actor.kind === 'user');
    expect(byHand).to.have.length(2);
    expect(byHand.map(({ resource }) => resource.id)).to.include(message);
  });

  it('is filtered by user, key, action and resource, and read page by page', async () => {
    const { byKey, byUser, userId, list } = await account();
    for (const name of ['A', 'B', 'C']) await service.ok('POST', '/lists', { name, opt_in: 'single' }, byUser);
    await service.ok('POST', '/lists', { name: 'D', opt_in: 'single' }, byKey);
    expect((await list(`?user_id=${userId}`)).map(({ resource }) => resource.name)).to.deep.equal(['C', 'B', 'A']);
    expect((await list('?action=list.create')).map(({ resource }) => resource.name)).to.deep.equal(['D', 'C', 'B', 'A']);
    const [ofKey] = (await list('?action=list.create')).filter(({ actor }) => actor.kind === 'key');
    expect(await list(`?user_id=${userId}&key_id=${ofKey?.actor.id}`)).to.deep.equal([]);
    const names: (string | null)[] = [];
    let cursor = '';
    do {
      const page = await service.ok('GET', `/activity?limit=2&resource_kind=list${cursor}`, undefined, byKey);
      names.push(...page.data.map(({ resource }: Entry) => resource.name));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(names).to.deep.equal(['D', 'C', 'B', 'A']);
    const [, , second] = await list('?resource_kind=list');
    expect((await list(`?resource_kind=list&created_after=${second?.at}`)).map(({ resource }) => resource.name)).to.deep.equal(['D', 'C']);
    expect((await service.call('GET', '/activity?action=list.fly', undefined, byKey)).body.code).to.equal('invalid_parameter');
  });

  it('shows addresses of users to owners and full keys alone, and nothing to those who may not read', async () => {
    const { byKey, byUser, list } = await account();
    await service.ok('POST', '/lists', { name: 'A', opt_in: 'single' }, byUser);
    const { key: reader } = await service.ok('POST', '/api-keys', { name: 'R', scopes: ['read'] }, byKey);
    const { key: writer } = await service.ok('POST', '/api-keys', { name: 'W', scopes: ['write'] }, byKey);
    const [open] = await list('?action=list.create', byUser);
    const [closed] = await list('?action=list.create', { 'X-API-Key': reader });
    expect(open?.ip).to.be.a('string');
    expect(closed).to.deep.equal({ ...open, ip: null, user_agent: null });
    expect((await service.call('GET', '/activity', undefined, { 'X-API-Key': writer })).body.code).to.equal('insufficient_scope');
  });

  it('is apart in each account, and has what the operator did for it', async () => {
    const one = await account();
    const other = await account();
    await service.ok('POST', '/lists', { name: 'Mine', opt_in: 'single' }, one.byUser);
    expect(await other.list('?action=list.create')).to.deep.equal([]);
    const id = await parkTodoOf(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0009');
    const operator = { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` };
    await service.ok('POST', `/system/parked/${id}/retry`, undefined, operator);
    await service.caughtUp();
    const { data } = await service.ok('GET', '/activity?action=parked_work.retry');
    expect(data[0]).to.deep.include({
      actor: { kind: 'operator', id: 'operator', name: 'Operator' },
      resource: { kind: 'parked_work', id, name: null },
    });
  });

  it('has one entry for an import and none for its rows', async () => {
    const { byUser, list } = await account();
    const rows = Array.from({ length: 20 }, (_, i) => ({ email: `row${i}@example.com` }));
    const { status } = await service.call('POST', '/contacts/import', { contacts: rows }, byUser);
    expect(status).to.be.oneOf([200, 202]);
    await service.caughtUp();
    const found = await list();
    expect(found.filter(({ action }) => action === 'job.start')).to.have.length(1);
    expect(found.filter(({ action }) => action.startsWith('contact.'))).to.deep.equal([]);
  });
});
