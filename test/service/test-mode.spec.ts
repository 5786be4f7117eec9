import { expect } from 'chai';
import { testKeyRuleOf, testKeyRules } from '../../api/http/access/test-keys.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly access: string;
}

/** Schemes of operations that a key may call. */
const KEYED = 'ApiKeyAuth';

/** A head that stays for so long has nothing on its way. Servers take longer to follow than the embedded engine. */
const SETTLED_MS = TIMEOUT_FACTOR > 1 ? 4_000 : 700;

describe('what a test key causes', () => {
  let nth = 0;
  const carrier = FakeCarrier.own(() => ({
    status: 201,
    body: { sid: `SM${String(++nth).padStart(32, '0')}` },
    headers: { 'x-message-id': `m${nth}` },
  }));
  const service = Service.own(() => ({
    HELIOGRAPH_ROUTES: JSON.stringify({ sms: ['twilio'], email: ['sendgrid'] }),
    ...{ TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+14155550199', TWILIO_BASE_URL: carrier.url },
    ...{ SENDGRID_API_KEY: 'SG.key', SENDGRID_BASE_URL: carrier.url, EMAIL_FROM: 'us@example.com' },
  }));
  let test: Record<string, string>;
  let operations: Operation[];

  before(async () => {
    const { body } = await service.call('POST', '/api-keys', { name: 'Trial', mode: 'test' });
    test = { 'X-API-Key': body.key };
    const { paths } = (await service.call('GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
    };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => {
        const access = security.some((scheme) => Object.hasOwn(scheme, KEYED)) ? 'write' : 'public';
        return { operationId, method: method.toUpperCase(), path, access };
      }),
    );
  });

  const made = async (path: string, body: object, headers = {}) => {
    const reply = await service.call('POST', path, body, headers);
    expect(reply.status, `${path} ${reply.text}`).to.be.oneOf([200, 201, 202]);
    return reply.body;
  };
  const head = async (): Promise<string> => {
    const operator = { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` };
    return (await service.call('GET', '/system/projections', undefined, operator)).body[0].head;
  };
  /** The end of the log, once nothing is appended between two looks. */
  const settledHead = (): Promise<string> => {
    let before = '';
    const unchanged = async () => {
      const [known, now] = [before, await head()];
      before = now;
      return now === known && now;
    };
    return eventually('nothing more is appended', unchanged, { within: 30_000, every: SETTLED_MS });
  };
  const messagesTo = async (to: string) =>
    (await service.call('GET', `/messages?to=${encodeURIComponent(to)}`)).body.data as { test?: true; status: string }[];
  const publish = async (on: object, text: string, between: readonly object[] = []) => {
    const { id } = await made('/journeys', journeyOf(on, text, between));
    await made(`/journeys/${id}/publish`, {});
    return id as string;
  };
  /** What the carrier was asked to send to an address. */
  const carried = (to: string) => carrier.requests.filter(({ body }) => decodeURIComponent(body).includes(to));

  it('is in the table: for every operation that takes a key, and for no other', () => {
    const keyed = operations.filter(({ access }) => access !== 'public').map(({ operationId }) => operationId);
    expect(
      keyed.filter((id) => !testKeyRules.has(id)),
      'missing in the table',
    ).to.deep.equal([]);
    expect(
      [...testKeyRules.keys()].filter((id) => !keyed.includes(id)),
      'no operation',
    ).to.deep.equal([]);
  });

  it('changes nothing that is live: whatever the table refuses answers 403 and appends no event', async () => {
    const contact = await made('/contacts', { email: 'live@live.example', phone: '+14155550123' });
    const message = await made('/messages/send', { to: '+14155550123', channel: 'sms', message: 'Live' });
    const campaign = await made('/campaigns', {
      name: 'C',
      channel: 'email',
      content: { subject: 'S', message: 'M' },
      audience: { include: { everyone: true } },
    });
    const list = await made('/lists', { name: 'L', opt_in: 'single' });
    await made(`/lists/${list.id}/contacts`, { contact_ids: [contact.id] });
    const live = { id: await publish({ type: 'event', event: 'never' }, 'x', [{ kind: 'delay', mode: 'duration', duration: 'P1D' }]) };
    const { id: enrollment_id } = await made(`/journeys/${live.id}/enrollments`, { contact_id: contact.id });
    const job = await made('/contacts/export', {});
    const ids: Record<string, string> = {
      contact: contact.id,
      message: message.id,
      campaign: campaign.id,
      journey: live.id,
      enrollment: enrollment_id,
      job: job.id,
    };
    // The first use of a key is recorded.
    await service.call('GET', '/lists', undefined, test);
    let position = await settledHead();
    for (const operation of operations) {
      const rule = testKeyRuleOf(operation);
      if (rule === null || rule === 'sandbox' || rule === 'allowed') continue;
      const target = rule === 'refused' ? 'x_1' : (ids[rule.own] ?? '');
      const path = operation.path
        .replace(/^\/v1/, '')
        .replace('{contact_id}', contact.id)
        .replace('{id}', operation.path.includes('/lists/') ? list.id : target);
      const reply = await service.call(operation.method, path.replace(/\{\w+\}/g, 'x_1'), operation.method === 'GET' ? undefined : {}, test);
      const { code, message: text } = reply.body ?? {};
      expect([reply.status, code], `${operation.operationId} ${reply.text}`).to.deep.equal([403, 'forbidden']);
      expect(text).to.match(/live key\.$/);
      const now = await head();
      expect(now, `${operation.operationId} appended`).to.equal(position);
      position = now;
    }
  });

  it('is only read where the table allows it: those answer no 403', async () => {
    for (const operation of operations.filter((one) => testKeyRuleOf(one) === 'allowed' && one.method === 'GET' && !one.path.endsWith('/stream'))) {
      const reply = await service.call('GET', operation.path.replace(/^\/v1/, '').replace(/\{\w+\}/g, 'x_1'), undefined, test);
      expect(reply.status, `${operation.operationId} ${reply.text.slice(0, 200)}`).to.be.oneOf([200, 400, 404]);
    }
  });

  describe('in live journeys, lists and campaigns', () => {
    before(async () => {
      await publish({ type: 'contact_created' }, 'Welcome');
      await publish({ type: 'event', event: 'bought' }, 'Thanks');
      const { id } = await made('/segments', { name: 'VIP', rules: { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' } });
      await publish({ type: 'segment_entered', segment_id: id }, 'VIP');
      await settledHead();
    });
    const asTest = (path: string, body: object) => made(path, body, test);
    const sandboxed = async (to: string, subjects: number) => {
      await eventually(`${subjects} messages to ${to}`, async () => {
        const found = await messagesTo(to);
        expect(found.map((one) => [one.status, one.test])).to.deep.equal(Array.from({ length: subjects }, () => ['delivered', true]));
        return true;
      });
      expect(carried(to)).to.deep.equal([]);
    };

    it('a contact starts what a live one starts, in the sandbox; a live key makes it live', async () => {
      const email = 'made-by-test@mode.example';
      const { id } = await asTest('/contacts', { email, tags: ['vip'] });
      await sandboxed(email, 2);
      await asTest('/events', { contact: { email }, event: 'bought' });
      await sandboxed(email, 3);
      expect((await service.call('PATCH', `/contacts/${id}`, { first_name: 'Ada' }, test)).status).to.equal(200);
      // The live key says nothing new.
      await made('/contacts', { email });
      await made('/events', { contact: { email }, event: 'bought' });
      await eventually('the carrier has it', () => carried(email).length === 1);
      const after = await service.call('PATCH', `/contacts/${id}`, { first_name: 'Eve' }, test);
      expect(after.body).to.include({ code: 'forbidden' });
    });

    it('an event of a live contact starts a test beside it, and counts for nothing else', async () => {
      const email = 'live-and-tried@mode.example';
      const { id } = await made('/contacts', { email });
      await eventually('its welcome is sent', () => carried(email).length === 1);
      const bought = { type: 'event', event: 'bought', count: { op: 'gte', value: 1 } };
      const { body: segment } = await service.call('POST', '/segments', { name: 'Buyers', rules: bought });
      await publish({ type: 'segment_entered', segment_id: segment.id }, 'Buyer');
      await publish({ type: 'event', event: 'begun' }, 'Waited', [
        { kind: 'wait', for: [{ on: { type: 'event', event: 'bought' }, next: 'mail' }], timeout: 'P1D', on_timeout: 'mail' },
      ]);
      await made('/events', { contact: { email }, event: 'begun' });
      await settledHead();
      const event = await asTest('/events', { contact: { id }, event: 'bought' });
      expect(event).to.include({ contact_id: id, contact_created: false });
      await settledHead();
      const tests = (await messagesTo(email)).filter((one) => one.test);
      expect(tests.map((one) => one.status)).to.deep.equal(['delivered']);
      expect(carried(email), 'neither a wait nor a segment has seen it').to.have.length(1);
      for (const [method, path, body] of [
        ['POST', '/contacts', { email, first_name: 'Eve' }],
        ['POST', `/contacts/${id}/consents`, { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'x' }],
      ] as const)
        expect((await service.call(method, path, body, test)).body, path).to.include({ code: 'forbidden' });
      // The live event counts, also after the test.
      await made('/events', { contact: { email }, event: 'bought' });
      await eventually('thanks, waited, buyer', () => carried(email).length === 4);
    });

    it('a message to a live contact counts in no segment', async () => {
      const email = 'messaged@mode.example';
      const { id } = await made('/contacts', { email });
      await eventually('its welcome is sent', () => carried(email).length === 1);
      const delivered = { type: 'message', action: 'delivered', count: { op: 'gte', value: 1 } };
      const segment = await made('/segments', { name: 'Reached', rules: delivered });
      await publish({ type: 'segment_entered', segment_id: segment.id }, 'Reached you');
      await settledHead();
      const message = await asTest('/messages/send', { to: email, channel: 'email', subject: 'x', message: 'x', contact_id: id });
      await eventually('it is delivered', async () => (await service.call('GET', `/messages/${message.id}`)).body.status === 'delivered');
      await settledHead();
      expect(carried(email)).to.have.length(1);
      const { body } = await service.call('GET', `/segments/${segment.id}/explain?contact_id=${id}`);
      expect(body.is_member ?? body.member, JSON.stringify(body)).to.equal(false);
    });

    it('imports, lists with double opt-in, and campaigns reach the sandbox; rows of live contacts fail', async () => {
      const live = 'live-row@mode.example';
      await made('/contacts', { email: live });
      const { id: list } = await made('/lists', { name: 'News', opt_in: 'double' });
      const rows = [{ email: 'new@mode.example' }, { email: live, first_name: 'Eve' }];
      const imported = await asTest('/contacts/import', { contacts: rows, list_ids: [list], start_journeys: true });
      expect(imported).to.include({ created: 1, failed: 1 });
      expect(imported.errors[0]).to.include({ code: 'forbidden' });
      // The mail that asks for a confirmation. Until then no journey begins.
      await sandboxed('new@mode.example', 1);
      const audience = { include: { everyone: true } };
      const mail = { channel: 'email', category: 'transactional', content: { subject: 'S', message: 'M' }, audience };
      const of = await asTest('/campaigns', { name: 'By a test key', ...mail });
      const before = carrier.requests.length;
      await asTest(`/campaigns/${of.id}/send`, {});
      await eventually('it is sent', async () => (await service.call('GET', `/campaigns/${of.id}`)).body.status === 'sent');
      expect(carrier.requests.length).to.equal(before);
      const byLive = await made('/campaigns', { name: 'Live', ...mail });
      await made(`/campaigns/${byLive.id}/send`, {});
      await eventually('it is sent', async () => (await service.call('GET', `/campaigns/${byLive.id}`)).body.status === 'sent');
      expect(carried(live).length).to.be.greaterThan(0);
      expect(carried('new@mode.example'), 'a test contact in a live campaign').to.deep.equal([]);
    });
  });

  it('does not make an owner, nor a live key', async () => {
    const user = { email: 'intruder@example.com', password: 'a long enough passphrase', role: 'owner' };
    expect((await service.call('POST', '/account/users', user, test)).body).to.include({ code: 'forbidden' });
    expect((await service.call('POST', '/api-keys', { name: 'k', mode: 'live' }, test)).body).to.include({ code: 'forbidden' });
  });
});

/** A journey that sends one email to whom its trigger takes in. */
const journeyOf = (on: object, text: string, between: readonly object[] = []) => ({
  name: text,
  settings: { reentry: { mode: 'always', max_concurrent: 5 } },
  nodes: [
    { id: 't', kind: 'trigger', on, next: between.length > 0 ? 'n0' : 'mail' },
    ...between.map((node, i) => ({
      id: `n${i}`,
      ...('on_timeout' in node ? {} : { next: i === between.length - 1 ? 'mail' : `n${i + 1}` }),
      ...node,
    })),
    { id: 'mail', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: text, next: null },
  ],
});
