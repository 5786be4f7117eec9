import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { recordAttempt } from '../../commands/webhooks/record-attempt.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteLog, openSqliteViews } from '../../engines/sqlite/index.js';
import { header, sentAt, webhookFixtures } from './fixtures.js';
import { delivered } from './samples.js';
import { type Outcome, WebhookFixture } from './webhook-fixture.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('delivering statuses', () => {
  const { clock, startReceiver, startFixture, atEnd } = webhookFixtures();

  it('makes at most four attempts: at once, and 30 s, 5 min and 30 min after the end of each failed one', async () => {
    // Each answer takes four seconds by the clock: the delays begin at its end.
    const receiver = await startReceiver(async (_, nth) => {
      await clock().advance(4 * SECOND);
      return { status: 500, body: `no ${nth}` };
    });
    const fixture = startFixture();
    const began = clock().now();
    const message = await fixture.sendMessage(`${receiver.origin}/h?k=1`);

    const outcomes: Outcome[] = [];
    let due = began;
    for (const wait of [30 * SECOND, 5 * MINUTE, 30 * MINUTE, null]) {
      expect(sentAt(await receiver.next())).to.equal(due);
      const outcome = await fixture.outcome();
      outcomes.push(outcome);
      expect(outcome.data.at).to.equal(new Date(due + 4 * SECOND).toISOString());
      if (wait === null) break;
      due += 4 * SECOND + wait;
      await clock().advance(wait - SECOND);
      expect(receiver.requests).to.have.lengthOf(outcomes.length);
      await clock().advance(SECOND);
    }
    await clock().advance(3 * 60 * MINUTE);

    expect(receiver.requests).to.have.lengthOf(4);
    expect(outcomes.map(({ type }) => type)).to.deep.equal([
      'DeliveryAttemptFailed',
      'DeliveryAttemptFailed',
      'DeliveryAttemptFailed',
      'DeliveryFailed',
    ]);
    const [delivery, ...others] = await fixture.deliveries(message);
    expect(others).to.deep.equal([]);
    expect(delivery).to.include({ status: 'failed', next_attempt_at: null, event: 'message.sent', url: `${receiver.origin}/h?k=1` });
    expect(
      delivery?.attempts.map(({ number, trigger, at, status_code, response_body, next_attempt_at }) => [
        number,
        trigger,
        at,
        status_code,
        response_body,
        next_attempt_at,
      ]),
    ).to.deep.equal([
      [1, 'schedule', '2026-01-15T10:30:04.000Z', 500, 'no 1', '2026-01-15T10:30:34.000Z'],
      [2, 'schedule', '2026-01-15T10:30:38.000Z', 500, 'no 2', '2026-01-15T10:35:38.000Z'],
      [3, 'schedule', '2026-01-15T10:35:42.000Z', 500, 'no 3', '2026-01-15T11:05:42.000Z'],
      [4, 'schedule', '2026-01-15T11:05:46.000Z', 500, 'no 4', null],
    ]);
    expect(fixture.errors).to.deep.equal([]);
  });

  it('ends with the first 2xx', async () => {
    const receiver = await startReceiver((_, nth) => (nth === 1 ? 500 : 204));
    const fixture = startFixture();
    const message = await fixture.sendMessage(receiver.origin);
    await fixture.outcome();
    await clock().advance(30 * SECOND);
    expect((await fixture.outcome()).type).to.equal('DeliverySucceeded');
    await clock().advance(3 * 60 * MINUTE);

    expect(receiver.requests).to.have.lengthOf(2);
    expect((await fixture.deliveries(message))[0]).to.include({ status: 'delivered', next_attempt_at: null });
  });

  it('makes a delivery for each status, and a failing one does not delay later ones', async () => {
    const receiver = await startReceiver(({ headers }) => (headers['x-service-event'] === 'message.sent' ? 500 : 200));
    const fixture = startFixture();
    const message = await fixture.sendMessage(receiver.origin);
    expect((await fixture.outcome()).type).to.equal('DeliveryAttemptFailed');
    await fixture.record(message, 2, [delivered]);
    expect((await fixture.outcome()).type).to.equal('DeliverySucceeded');

    const deliveries = await fixture.deliveries(message);
    expect(deliveries.map(({ event, status }) => [event, status])).to.deep.equal([
      ['message.sent', 'pending'],
      ['message.delivered', 'delivered'],
    ]);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).sequence)).to.deep.equal([3, 4]);
  });

  it('lists a delivery as pending before its first attempt', async () => {
    const receiver = await startReceiver(() => 'hang');
    const fixture = startFixture();
    const message = await fixture.sendMessage(receiver.origin);
    await receiver.next();
    expect(await fixture.deliveries(message)).to.have.lengthOf(1);
    expect((await fixture.deliveries(message))[0]).to.deep.include({
      status: 'pending',
      attempts: [],
      created_at: '2026-01-15T10:30:00.000Z',
      next_attempt_at: '2026-01-15T10:30:00.000Z',
    });
    await receiver.close();
    await fixture.outcome();
  });

  it('sends nothing for a message without webhook_url', async () => {
    const receiver = await startReceiver(() => 200);
    const fixture = startFixture();
    const message = await fixture.sendMessage(null);
    await fixture.sendMessage(receiver.origin);
    await fixture.outcome();
    expect(receiver.requests).to.have.lengthOf(1);
    expect(await fixture.deliveries(message)).to.deep.equal([]);
  });

  it('does not delay other hosts by a slow one, and makes at most ten concurrent calls to one host', async () => {
    let release: (status: number) => void = () => {};
    const released = new Promise<number>((resolve) => {
      release = resolve;
    });
    const slow = await startReceiver(() => released);
    const fast = await startReceiver(() => 200);
    const fixture = startFixture();
    for (let i = 0; i < 30; i++) await fixture.sendMessage(slow.origin);
    for (let i = 0; i < 10; i++) await slow.next();
    for (let i = 0; i < 30; i++) await fixture.sendMessage(fast.origin);
    for (let i = 0; i < 30; i++) expect((await fixture.outcome()).type).to.equal('DeliverySucceeded');

    expect(fast.requests).to.have.lengthOf(30);
    expect(slow).to.include({ open: 10, mostOpen: 10 });
    release(200);
    for (let i = 0; i < 30; i++) await fixture.outcome();
    expect(slow.requests).to.have.lengthOf(30);
    expect(slow.mostOpen).to.equal(10);
  });

  it('repeats an attempt that was not recorded, under the same id and number', async () => {
    const receiver = await startReceiver((_, nth) => (nth === 1 ? 500 : 200));
    let broken = true;
    const fixture = startFixture({
      dispatcher: (dispatcher) => ({
        context: (cause) => dispatcher.context(cause),
        execute: (command, ...rest) => {
          if (broken && command.name === recordAttempt.name) {
            broken = false;
            return Promise.reject(new Error('the disk is full'));
          }
          return dispatcher.execute(command, ...rest);
        },
      }),
    });
    const message = await fixture.sendMessage(receiver.origin);
    const first = await receiver.next();
    await fixture.error();
    await clock().advance(SECOND);
    const second = await receiver.next();
    await fixture.outcome();

    expect(fixture.errors).to.deep.equal(['Error: the disk is full']);
    for (const name of ['X-Service-Delivery', 'X-Service-Attempt']) expect(header(second, name)).to.equal(header(first, name));
    expect(second.body).to.equal(first.body);
    expect((await fixture.deliveries(message))[0]?.attempts.map(({ number, status_code }) => [number, status_code])).to.deep.equal([[1, 200]]);
  });

  it('aborts requests in flight when it stops, and repeats those attempts after the restart', async () => {
    const receiver = await startReceiver((_, nth) => (nth === 1 ? 'hang' : 200));
    const engines = { log: openMemoryLog(), view: openMemoryViews({ clock: clock() }) };
    const fixture = startFixture({ ...engines, options: { stopGraceMs: 50 } });
    const message = await fixture.sendMessage(receiver.origin);
    const first = await receiver.next();
    const stopped = fixture.stop();
    await clock().advance(50);
    await stopped;
    expect(fixture.errors).to.deep.equal(['Error: stopped before the answer came']);

    const next = startFixture(engines);
    const second = await receiver.next();
    await next.outcome();
    for (const name of ['X-Service-Delivery', 'X-Service-Attempt']) expect(header(second, name)).to.equal(header(first, name));
    expect((await next.deliveries(message))[0]?.attempts).to.have.lengthOf(1);
  });

  it('makes all attempts, at the same times, when it is restarted between them', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'heliograph-webhooks-'));
    atEnd(() => rmSync(dir, { recursive: true, force: true }));
    const master = Buffer.alloc(32, 2);
    let starts = 0;
    async function running<T>(during: (fixture: WebhookFixture) => Promise<T>): Promise<T> {
      const log = openSqliteLog({ dir });
      const view = openSqliteViews({ dir, instance: `start ${starts++}`, now: () => clock().now() });
      const fixture = new WebhookFixture({ log, view, clock: clock(), master }).start();
      try {
        return await during(fixture);
      } finally {
        await fixture.stop();
        await view.views.close();
        await log.events.close();
        expect(fixture.errors).to.deep.equal([]);
      }
    }
    const receiver = await startReceiver(() => 500);
    const began = clock().now();

    const message = await running(async (fixture) => {
      const id = await fixture.sendMessage(receiver.origin);
      await fixture.outcome();
      return id;
    });
    await clock().advance(20 * SECOND);
    await running(async (fixture) => {
      await clock().waitForSleepers();
      await clock().advance(10 * SECOND);
      await fixture.outcome();
    });
    // Down while the third attempt falls due: it is made at once, and the next wait is counted from its end.
    await clock().advance(7 * MINUTE);
    await running((fixture) => fixture.outcome());
    await clock().advance(30 * MINUTE);
    const deliveries = await running(async (fixture) => {
      expect((await fixture.outcome()).type).to.equal('DeliveryFailed');
      return fixture.deliveries(message);
    });

    const third = 30 * SECOND + 7 * MINUTE;
    expect(receiver.requests.map((request) => sentAt(request) - began)).to.deep.equal([0, 30 * SECOND, third, third + 30 * MINUTE]);
    expect(deliveries[0]?.attempts.map(({ number }) => number)).to.deep.equal([1, 2, 3, 4]);
  }).timeout(90_000);
});
