import { expect } from 'chai';
import { createAccount } from '../../commands/accounts/create-account.js';
import { newId } from '../../log/runtime/ids.js';
import { operatorCause } from '../../ops/app/operator-cause.js';
import { systemEntropy } from '../../ops/system/entropy.js';
import { projectionProblems } from '../../projections/overview/problems.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { dnsServer } from '../support/dns-server.js';
import { eventually } from '../support/eventually.js';
import { parkTodoOf } from '../support/park-work.js';
import { PASSWORD, Service } from '../support/service.js';
import { createAccountHere, inApplication } from '../support/service-accounts.js';
import { Receiver } from '../webhooks/receiver.js';

type Headers = Readonly<Record<string, string>>;
type Problem = { kind: string; severity: string; message: string; resource: { kind: string; id: string; name: string }; since: string | null };

describe('the overview', () => {
  const operators = newId(systemEntropy, 'acc', Date.now());
  /** Refuses its settings until they are corrected. */
  const carrier = FakeCarrier.own(() => ({ status: 401, body: { message: 'Authenticate' } }));
  const receiver = Receiver.own(({ url }) => (url.startsWith('/fails') ? 500 : 200));
  let dns: Awaited<ReturnType<typeof dnsServer>>;
  before(async () => {
    dns = await dnsServer(new Map());
  });
  after(() => dns.close());
  const service = Service.own(() => ({
    HELIOGRAPH_OPERATOR_ACCOUNTS: operators,
    HELIOGRAPH_ROUTES: JSON.stringify({ whatsapp: ['twilio'], email: ['sendgrid'] }),
    HELIOGRAPH_DNS_SERVERS: dns.address,
    HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '100ms',
    ...{ TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+14155550199', TWILIO_BASE_URL: carrier.url },
    ...{ SENDGRID_API_KEY: 'SG.key', SENDGRID_BASE_URL: carrier.url },
  }));

  let nth = 0;
  /** An account of its own, with its full key. */
  async function account(): Promise<{ id: string; headers: Headers }> {
    const created = await createAccountHere(service.settings, `overview${++nth}@example.com`);
    return { id: created.accountId, headers: { 'X-API-Key': created.key } };
  }
  const overview = (headers: Headers, query = '') => service.ok('GET', `/overview${query}`, undefined, headers);
  const send = async (headers: Headers, body: object): Promise<string> =>
    (await service.ok('POST', '/messages/send', { channel: 'sms', to: '+14155550100', message: 'Hello', ...body }, headers)).id;
  const reached = (headers: Headers, id: string, status: string) =>
    eventually(`${id} is ${status}`, async () => (await service.ok('GET', `/messages/${id}`, undefined, headers)).status === status);
  const problemsOf = async (headers: Headers): Promise<Problem[]> => (await overview(headers)).problems;
  const operator = (): Headers => ({ 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` });

  it('of a new account is empty', async () => {
    const { headers } = await account();
    const { messages, ...others } = await overview(headers);
    expect(others).to.deep.equal({ problems: [], sending_now: [], latest_replies: [], latest_failures: [] });
    expect(new Set(Object.values(messages.by_status))).to.deep.equal(new Set([0]));
    expect(Date.parse(messages.to) - Date.parse(messages.from)).to.equal(86_400_000);
    expect(Date.parse(messages.to)).to.be.greaterThan(Date.now());
  });

  it('counts messages by their status now, without those of test keys and of sample data', async () => {
    const { headers } = await account();
    const delivered = await Promise.all([1, 2, 3].map(() => send(headers, {})));
    await Promise.all(delivered.map((id) => reached(headers, id, 'delivered')));
    await reached(headers, await send(headers, { to: '+15005550002' }), 'undelivered');
    await send(headers, { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await send(headers, { to: '+15005550002', tags: ['sample'] });
    const { key } = await service.ok('POST', '/api-keys', { name: 'T', mode: 'test' }, headers);
    await send({ 'X-API-Key': key }, {});
    const { messages } = await overview(headers, '?period=PT1H');
    const { delivered: arrived, undelivered, scheduled, ...rest } = messages.by_status;
    expect({ arrived, undelivered, scheduled }).to.deep.equal({ arrived: 3, undelivered: 1, scheduled: 1 });
    expect(new Set(Object.values(rest))).to.deep.equal(new Set([0]));
    expect(Object.values(messages.previous)).to.not.include(1);
  });

  it('shows the latest failures and the latest answers of people, and none of the sample data', async () => {
    const { headers } = await account();
    const failed = await send(headers, { to: '+15005550002' });
    await reached(headers, failed, 'undelivered');
    const sample = await send(headers, { to: '+15005550002', tags: ['sample'] });
    await reached(headers, sample, 'undelivered');
    const inbound = (body: object) => service.ok('POST', '/sandbox/inbound', { to: '+14155550199', ...body }, headers);
    await inbound({ from: '+14155550101', text: `${'a'.repeat(299)}bc` });
    const answer = await eventually('the answer is listed', async () => (await overview(headers)).latest_replies[0]);
    expect(answer).to.include({ channel: 'sms', from: '+14155550101', text: `${'a'.repeat(299)}b` });
    const { latest_failures } = await overview(headers);
    expect(latest_failures).to.have.length(1);
    expect(latest_failures[0]).to.include({ id: failed, to: '+15005550002', status: 'undelivered', carrier: 'sandbox' });
  });

  it('shows ten of the failures at most, whatever of the sample data has failed since', async () => {
    const { headers } = await account();
    const bulk = (count: number, more: object) =>
      service.ok(
        'POST',
        '/messages/bulk',
        Array.from({ length: count }, () => ({ channel: 'sms', to: '+15005550002', message: 'x', ...more })),
        headers,
      );
    await bulk(12, {});
    await bulk(120, { tags: ['sample'] });
    const found = await eventually('twelve have failed', async () => {
      const { messages, latest_failures } = await overview(headers);
      return messages.by_status.undelivered === 12 && latest_failures;
    });
    expect(found).to.have.length(10);
  });

  it('names carriers that refuse their settings, domains without records, and endpoints that fail', async () => {
    const { headers } = await account();
    await service.ok('PATCH', '/account/settings', { senders: { email: 'us@unverified.example' } }, headers);
    const { id } = await service.ok('POST', '/webhook-endpoints', { url: `${receiver.origin}/fails`, description: 'CRM' }, headers);
    await service.ok('POST', '/webhook-endpoints', { url: `${receiver.origin}/works` }, headers);
    await send(headers, { channel: 'whatsapp' });
    await service.ok('POST', '/contacts', { email: 'ada@example.com' }, headers);
    const problems = await eventually('three problems', async () => {
      const found = await problemsOf(headers);
      return found.length === 3 && found.every(({ kind, severity }) => kind !== 'endpoint' || severity === 'error') && found;
    });
    expect(problems.map(({ kind, severity, resource }) => [kind, severity, resource.id])).to.have.deep.members([
      ['carrier', 'error', 'twilio'],
      ['endpoint', 'error', id],
      ['sending_domain', 'warning', 'unverified.example'],
    ]);
    const endpoint = problems.find(({ kind }) => kind === 'endpoint') as Problem;
    expect(endpoint).to.deep.include({ resource: { kind: 'webhook_endpoint', id, name: 'CRM' } });
    expect(endpoint.message).to.include('500');
    expect(Date.parse(endpoint.since ?? '')).to.be.closeTo(Date.now(), 60_000);
    expect((await problemsOf((await account()).headers)).map(({ kind }) => kind)).to.deep.equal([]);
  });

  it('names parked work to its account, and that of all accounts to the operator and to owners of their accounts', async () => {
    await inApplication(service.settings, ({ dispatcher }) =>
      dispatcher.execute(createAccount, { name: 'Operators', email: 'op@example.com', password: PASSWORD }, operatorCause(operators)),
    );
    await parkTodoOf(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0001');
    await parkTodoOf(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0002');
    await service.caughtUp();
    const parkedFor = async (headers: Headers) => (await problemsOf(headers)).filter(({ kind }) => kind === 'parked').map(({ message }) => message);
    const own = await parkedFor({});
    expect(own).to.have.length(1);
    expect(own[0]).to.include('2 pieces of work').and.include('messages/dispatch');
    expect(await parkedFor((await account()).headers)).to.deep.equal([]);
    const { token } = await service.ok('POST', '/auth/login', { email: 'op@example.com', password: PASSWORD });
    const owner = { 'X-API-Key': '', Authorization: `Bearer ${token}` };
    expect(await parkedFor(owner)).to.deep.equal(own);
    expect(await parkedFor(operator())).to.deep.equal(own);
    // One who may only read, of the same account, sees what every account sees.
    const { key } = await service.ok('POST', '/api-keys', { name: 'R', scopes: ['read'] }, owner);
    expect(await parkedFor({ 'X-API-Key': key })).to.deep.equal([]);
  });

  it('opens to the operator, who has no account and sees only the installation', async () => {
    const { messages, sending_now, latest_failures } = await overview(operator());
    expect(sending_now).to.deep.equal([]);
    expect(latest_failures).to.deep.equal([]);
    expect(new Set(Object.values(messages.by_status))).to.deep.equal(new Set([0]));
    expect((await service.call('GET', '/messages', undefined, operator())).status).to.equal(401);
    expect((await service.call('GET', '/overview', undefined, { 'X-API-Key': '', Authorization: 'Bearer nothing' })).status).to.equal(401);
  });

  it('shows a bulk while it is sent', async () => {
    const { headers } = await account();
    const message = { channel: 'whatsapp', to: '+14155550100', message: 'x' };
    const { batch_id } = await service.ok('POST', '/messages/bulk', [message, { ...message, channel: 'sms' }, message], headers);
    const found = await eventually('one of three has left', async () => {
      const [first] = (await overview(headers)).sending_now;
      return first?.done === 1 && first;
    });
    expect(found).to.deep.include({ kind: 'bulk', id: batch_id, total: 3, name: null });
  });

  it('refuses periods of no whole hours, and longer ones than a month', async () => {
    for (const period of ['P0D', 'PT30M', 'P32D', 'P1M', 'PT745H', '1', 'P5W']) {
      const { status, body } = await service.call('GET', `/overview?period=${period}`);
      expect(status, period).to.equal(400);
      expect(body.code).to.equal('invalid_parameter');
    }
    for (const period of ['P31D', 'PT744H', 'P4W', 'PT1H'])
      expect((await service.call('GET', `/overview?period=${period}`)).status, period).to.equal(200);
  });

  it('needs the scope read', async () => {
    const { key } = await service.ok('POST', '/api-keys', { name: 'W', scopes: ['write'] });
    expect((await service.call('GET', '/overview', undefined, { 'X-API-Key': key })).body.code).to.equal('insufficient_scope');
  });
});

describe('the problems of projections', () => {
  const status = { name: 'messages', version: 1, position: '1', head: '2', lag_ms: 0, status: 'live', reason: null } as const;
  const now = Date.parse('2026-01-15T10:00:00Z');

  it('are those that are halted, and those that are too far behind', () => {
    const halted = { ...status, name: 'contacts', lag_ms: 60_000, status: 'halted', reason: 'cannot take X' } as const;
    const late = { ...status, name: 'lists', lag_ms: 12_000 };
    const found = projectionProblems([status, halted, late, { ...status, lag_ms: 10_000 }], 10_000, now);
    expect(found.map(({ severity, resource, since }) => [severity, resource.id, since])).to.deep.equal([
      ['error', 'contacts', '2026-01-15T09:59:00.000Z'],
      ['warning', 'lists', '2026-01-15T09:59:48.000Z'],
    ]);
    expect(found[0]?.message).to.include('cannot take X');
  });
});
