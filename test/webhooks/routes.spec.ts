import { expect } from 'chai';
import type { Caller } from '../../api/http/route.js';
import type { Services } from '../../api/http/services.js';
import { webhookRoutes } from '../../api/webhooks/routes.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { Vault } from '../../log/vault/vault.js';
import { messages } from '../../projections/messages/projection.js';
import { webhookDeliveries } from '../../projections/webhooks/projection.js';
import { startTestServer } from '../api/support.js';
import { cheapPasswords } from '../support/cheap-passwords.js';
import { type Reply as Answer, request } from '../support/http.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { Receiver, type Reply, type Script } from './receiver.js';
import { delivered, receipt } from './samples.js';
import { ACCOUNT, WebhookFixture } from './webhook-fixture.js';

const callers: Record<string, Caller> = {
  mine: { account: ACCOUNT, actor: { kind: 'key', id: 'key_1' }, scopes: null, role: null },
  reader: { account: ACCOUNT, actor: { kind: 'key', id: 'key_2' }, scopes: ['read'], role: null },
  another: { account: 'acc_2', actor: { kind: 'key', id: 'key_3' }, scopes: null, role: null },
};

describe('the webhook deliveries of a message', () => {
  const failures: unknown[] = [];
  let clock: SkippingClock;
  let answer: (nth: number) => Reply | Promise<Reply>;
  let receiver: Receiver;
  let fixture: WebhookFixture;
  let call: (method: string, path: string, key?: string, headers?: Record<string, string>) => Promise<Answer>;
  let close: () => Promise<unknown>;

  beforeEach(async () => {
    clock = new SkippingClock('2026-01-15T10:30:00.000Z');
    answer = () => ({ status: 500, body: 'oops' });
    const script: Script = (_, nth) => answer(nth);
    receiver = await Receiver.start(clock, script);
    const view = openMemoryViews({ clock });
    fixture = new WebhookFixture({ log: openMemoryLog(), view, clock }).start();
    const { views } = view;
    const services: Services = {
      log: fixture.log,
      views,
      addresses: fixture.vault,
      clock,
      passwords: cheapPasswords(),
      purposeKey: (purpose) => Vault.purposeKey(Buffer.alloc(32), purpose),
      publicUrl: 'http://localhost',
      allowedCidrs: [],
      caughtUp: async () => true,
    };
    const byName = new Map([messages, webhookDeliveries].map((projection) => [projection.name, projection]));
    const server = await startTestServer({
      ...{ routes: webhookRoutes(services), dispatcher: fixture.dispatcher, clock },
      authenticator: {
        authenticate({ apiKey }) {
          const caller = callers[apiKey ?? ''];
          if (!caller) throw new DomainError('unauthorized', 'Unknown key.');
          return caller;
        },
      },
      reached: async (name, position, timeoutMs) => {
        const projection = byName.get(name);
        return projection !== undefined && views.waitUntilReached(projection, position, timeoutMs);
      },
      report: (error) => failures.push(error),
    });
    call = (method, path, key = 'mine', headers = {}) => request(method, server.url + path, undefined, { 'X-API-Key': key, ...headers });
    close = server.close;
  });
  afterEach(async () => {
    await close();
    await fixture.stop();
    await receiver.close();
    expect(failures).to.deep.equal([]);
    expect(fixture.errors).to.deep.equal([]);
  });

  /** Waits until the read models have all events, then returns the value. */
  async function projected<T>(value: T): Promise<T> {
    const head = await fixture.log.store.head();
    for (const projection of [messages, webhookDeliveries]) await fixture.with_.view.views.waitUntilReached(projection, head, 5_000);
    return value;
  }
  async function failedOnce(): Promise<string> {
    const id = await fixture.sendMessage(`${receiver.origin}/h`);
    await fixture.outcome();
    return projected(id);
  }

  it('are listed with every attempt', async () => {
    const id = await failedOnce();
    const { status, body } = await call('GET', `/v1/messages/${id}/webhook-deliveries`);
    expect(status).to.equal(200);
    expect(body).to.include({ next_cursor: null, has_more: false });
    const at = new Date(clock.now()).toISOString();
    const next = new Date(clock.now() + 30_000).toISOString();
    const [{ id: delivery, event_id, attempts, ...rest }] = body.data;
    expect(delivery).to.match(/^whd_[0-9A-Z]{26}$/);
    expect(event_id).to.match(/^evt_[0-9A-Z]{26}$/);
    expect(rest).to.deep.equal({
      message_id: id,
      event: 'message.sent',
      url: `${receiver.origin}/h`,
      status: 'pending',
      next_attempt_at: next,
      created_at: at,
    });
    expect(attempts).to.have.lengthOf(1);
    const [{ duration_ms, ...attempt }] = attempts;
    expect(attempt).to.deep.equal({
      number: 1,
      trigger: 'schedule',
      at,
      status_code: 500,
      error: null,
      response_body: 'oops',
      next_attempt_at: next,
    });
    expect(duration_ms).to.be.a('number');
  });

  it('are paged, newest first or oldest first', async () => {
    answer = () => 200;
    const id = await fixture.sendMessage(receiver.origin, { webhook_events: ['message.sent', 'message.delivered', 'message.read'] });
    await fixture.record(id, 2, [delivered, { type: 'MessageRead', data: receipt({ receipt_key: 'r2' }) }]);
    for (let i = 0; i < 3; i++) await fixture.outcome();
    await projected(id);
    const path = `/v1/messages/${id}/webhook-deliveries?limit=2`;
    const events = ({ body }: Answer) => body.data.map(({ event }: { event: string }) => event);
    const first = await call('GET', path);
    expect(events(first)).to.deep.equal(['message.read', 'message.delivered']);
    expect(first.body.has_more).to.equal(true);
    expect(events(await call('GET', `${path}&cursor=${first.body.next_cursor}`))).to.deep.equal(['message.sent']);
    const oldest = await call('GET', `${path}&order=asc`);
    expect(events(oldest)).to.deep.equal(['message.sent', 'message.delivered']);
    expect(events(await call('GET', `${path}&order=asc&cursor=${oldest.body.next_cursor}`))).to.deep.equal(['message.read']);
  });

  it('are an empty list before the first delivery', async () => {
    const id = await projected(await fixture.sendMessage(null));
    expect((await call('GET', `/v1/messages/${id}/webhook-deliveries`)).body).to.deep.equal({ data: [], next_cursor: null, has_more: false });
  });

  it('show the exact body of the request', async () => {
    const id = await failedOnce();
    const { body: list } = await call('GET', `/v1/messages/${id}/webhook-deliveries`);
    const { status, body } = await call('GET', `/v1/messages/${id}/webhook-deliveries/${list.data[0].id}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include(list.data[0]);
    expect(body.request_body).to.equal(receiver.requests.at(-1)?.body);
  });

  it('are not found for another account or another message', async () => {
    const id = await failedOnce();
    const other = await failedOnce();
    const [{ id: delivery }] = (await call('GET', `/v1/messages/${id}/webhook-deliveries`)).body.data;
    const none = { status: 404, code: 'not_found' };
    for (const [method, path, key] of [
      ['GET', `/v1/messages/${id}/webhook-deliveries`, 'another'],
      ['GET', `/v1/messages/${id}/webhook-deliveries/${delivery}`, 'another'],
      ['POST', `/v1/messages/${id}/webhook-deliveries/${delivery}/redeliver`, 'another'],
      ['GET', `/v1/messages/${other}/webhook-deliveries/${delivery}`, 'mine'],
      ['GET', '/v1/messages/msg_none/webhook-deliveries', 'mine'],
      ['GET', `/v1/messages/${id}/webhook-deliveries/whd_none`, 'mine'],
    ] as const) {
      const { status, body } = await call(method, path, key);
      expect({ status, code: body.code }, `${method} ${path}`).to.deep.equal(none);
    }
  });

  describe('can be sent again', () => {
    const path = (id: string, delivery: string) => `/v1/messages/${id}/webhook-deliveries/${delivery}/redeliver`;
    async function failed(): Promise<{ id: string; delivery: string }> {
      const id = await failedOnce();
      const [{ id: delivery }] = (await call('GET', `/v1/messages/${id}/webhook-deliveries`)).body.data;
      return { id, delivery };
    }

    it('at once, with the same id and body, without a change of the retry schedule', async () => {
      const { id, delivery } = await failed();
      const before = receiver.requests.at(-1);
      answer = () => 200;
      const { status, body } = await call('POST', path(id, delivery));
      expect(status).to.equal(202);
      expect(body).to.deep.equal({ id: delivery, message_id: id, trigger: 'manual', number: 1 });
      expect((await fixture.outcome()).type).to.equal('DeliverySucceeded');
      const again = receiver.requests.at(-1);
      expect(again?.body).to.equal(before?.body);
      expect(again?.headers['x-service-delivery']).to.equal(delivery);

      const [, shown] = [await projected(id), (await call('GET', `/v1/messages/${id}/webhook-deliveries/${delivery}`)).body];
      expect(shown).to.include({ status: 'pending', next_attempt_at: new Date(clock.now() + 30_000).toISOString() });
      expect(shown.attempts.map(({ trigger, number, status_code }: Record<string, unknown>) => [trigger, number, status_code])).to.deep.equal([
        ['schedule', 1, 500],
        ['manual', 1, 200],
      ]);
      await clock.advance(30_000);
      const second = await fixture.outcome();
      expect(second.data).to.include({ trigger: 'schedule', number: 2 });
    });

    it('after the retry schedule has ended, and then count as delivered', async () => {
      const { id, delivery } = await failed();
      for (const wait of [30_000, 300_000, 1_800_000]) {
        await clock.advance(wait);
        await fixture.outcome();
      }
      await projected(id);
      expect((await call('GET', `/v1/messages/${id}/webhook-deliveries`)).body.data[0].status).to.equal('failed');
      answer = () => 200;
      await call('POST', path(id, delivery));
      await fixture.outcome();
      await projected(id);
      expect((await call('GET', `/v1/messages/${id}/webhook-deliveries`)).body.data[0]).to.include({ status: 'delivered', next_attempt_at: null });
    });

    it('once for an idempotency key, and each time without one', async () => {
      const { id, delivery } = await failed();
      answer = () => 200;
      const key = { 'Idempotency-Key': 'again' };
      const [first, repeated] = [await call('POST', path(id, delivery), 'mine', key), await call('POST', path(id, delivery), 'mine', key)];
      expect(repeated.body).to.deep.equal(first.body);
      expect(repeated.headers.get('idempotency-replayed')).to.equal('true');
      expect((await call('POST', path(id, delivery))).body.number).to.equal(2);
      expect([(await fixture.outcome()).data.number, (await fixture.outcome()).data.number]).to.have.members([1, 2]);
    });

    it('only with the scope write', async () => {
      const { id, delivery } = await failed();
      expect((await call('POST', path(id, delivery), 'reader')).body).to.include({ code: 'insufficient_scope', required_scope: 'write' });
      expect((await call('GET', `/v1/messages/${id}/webhook-deliveries/${delivery}`, 'reader')).status).to.equal(200);
    });
  });
});
