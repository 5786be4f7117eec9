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
  const { clock, receiver, house, atEnd } = webhookFixtures();

  it('happens four times at most: at once, and 30 s, 5 min and 30 min after the end of each failed attempt', async () => {
    // Each answer takes four seconds by the clock: the waits begin when it is there.
    const there = await receiver(async (_, nth) => {
      await clock().advance(4 * SECOND);
      return { status: 500, body: `no ${nth}` };
    });
    const home = house();
    const began = clock().now();
    const message = await home.sendMessage(`${there.origin}/h?k=1`);

    const outcomes: Outcome[] = [];
    let due = began;
    for (const wait of [30 * SECOND, 5 * MINUTE, 30 * MINUTE, null]) {
      expect(sentAt(await there.next())).to.equal(due);
      const outcome = await home.outcome();
      outcomes.push(outcome);
      expect(outcome.data.at).to.equal(new Date(due + 4 * SECOND).toISOString());
      if (wait === null) break;
      due += 4 * SECOND + wait;
      await clock().advance(wait - SECOND);
      expect(there.requests).to.have.lengthOf(outcomes.length);
      await clock().advance(SECOND);
    }
    await clock().advance(3 * 60 * MINUTE);

    expect(there.requests).to.have.lengthOf(4);
    expect(outcomes.map(({ type }) => type)).to.deep.equal([
      'DeliveryAttemptFailed',
      'DeliveryAttemptFailed',
      'DeliveryAttemptFailed',
      'DeliveryFailed',
    ]);
    const [delivery, ...others] = await home.deliveries(message);
    expect(others).to.deep.equal([]);
    expect(delivery).to.include({ status: 'failed', next_attempt_at: null, event: 'message.sent', url: `${there.origin}/h?k=1` });
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
    expect(home.errors).to.deep.equal([]);
  });

  it('ends with the first 2xx', async () => {
    const there = await receiver((_, nth) => (nth === 1 ? 500 : 204));
    const home = house();
    const message = await home.sendMessage(there.origin);
    await home.outcome();
    await clock().advance(30 * SECOND);
    expect((await home.outcome()).type).to.equal('DeliverySucceeded');
    await clock().advance(3 * 60 * MINUTE);

    expect(there.requests).to.have.lengthOf(2);
    expect((await home.deliveries(message))[0]).to.include({ status: 'delivered', next_attempt_at: null });
  });

  it('tells each status by a delivery of its own, and a failing one holds up none that follow', async () => {
    const there = await receiver(({ headers }) => (headers['x-service-event'] === 'message.sent' ? 500 : 200));
    const home = house();
    const message = await home.sendMessage(there.origin);
    expect((await home.outcome()).type).to.equal('DeliveryAttemptFailed');
    await home.record(message, 2, [delivered]);
    expect((await home.outcome()).type).to.equal('DeliverySucceeded');

    const deliveries = await home.deliveries(message);
    expect(deliveries.map(({ event, status }) => [event, status])).to.deep.equal([
      ['message.sent', 'pending'],
      ['message.delivered', 'delivered'],
    ]);
    expect(there.requests.map(({ body }) => JSON.parse(body).sequence)).to.deep.equal([3, 4]);
  });

  it('lists a delivery as pending before its first attempt', async () => {
    const there = await receiver(() => 'hang');
    const home = house();
    const message = await home.sendMessage(there.origin);
    await there.next();
    expect(await home.deliveries(message)).to.have.lengthOf(1);
    expect((await home.deliveries(message))[0]).to.deep.include({
      status: 'pending',
      attempts: [],
      created_at: '2026-01-15T10:30:00.000Z',
      next_attempt_at: '2026-01-15T10:30:00.000Z',
    });
    await there.close();
    await home.outcome();
  });

  it('sends nothing for a message without webhook_url', async () => {
    const there = await receiver(() => 200);
    const home = house();
    const message = await home.sendMessage(null);
    await home.sendMessage(there.origin);
    await home.outcome();
    expect(there.requests).to.have.lengthOf(1);
    expect(await home.deliveries(message)).to.deep.equal([]);
  });

  it('makes no host wait for another, however slow, and calls one host ten times at once at most', async () => {
    let release: (status: number) => void = () => {};
    const released = new Promise<number>((resolve) => {
      release = resolve;
    });
    const slow = await receiver(() => released);
    const fast = await receiver(() => 200);
    const home = house();
    for (let i = 0; i < 30; i++) await home.sendMessage(slow.origin);
    for (let i = 0; i < 10; i++) await slow.next();
    for (let i = 0; i < 30; i++) await home.sendMessage(fast.origin);
    for (let i = 0; i < 30; i++) expect((await home.outcome()).type).to.equal('DeliverySucceeded');

    expect(fast.requests).to.have.lengthOf(30);
    expect(slow).to.include({ open: 10, mostOpen: 10 });
    release(200);
    for (let i = 0; i < 30; i++) await home.outcome();
    expect(slow.requests).to.have.lengthOf(30);
    expect(slow.mostOpen).to.equal(10);
  });

  it('repeats an attempt that was not recorded, under the same id and number', async () => {
    const there = await receiver((_, nth) => (nth === 1 ? 500 : 200));
    let broken = true;
    const home = house({
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
    const message = await home.sendMessage(there.origin);
    const first = await there.next();
    await home.error();
    await clock().advance(SECOND);
    const second = await there.next();
    await home.outcome();

    expect(home.errors).to.deep.equal(['Error: the disk is full']);
    for (const name of ['X-Service-Delivery', 'X-Service-Attempt']) expect(header(second, name)).to.equal(header(first, name));
    expect(second.body).to.equal(first.body);
    expect((await home.deliveries(message))[0]?.attempts.map(({ number, status_code }) => [number, status_code])).to.deep.equal([[1, 200]]);
  });

  it('gives up waiting for an answer when it is to stop, and makes that attempt again afterwards', async () => {
    const there = await receiver((_, nth) => (nth === 1 ? 'hang' : 200));
    const engines = { log: openMemoryLog(), view: openMemoryViews({ clock: clock() }) };
    const home = house({ ...engines, parts: { stopGraceMs: 50 } });
    const message = await home.sendMessage(there.origin);
    const first = await there.next();
    const stopped = home.stop();
    await clock().advance(50);
    await stopped;
    expect(home.errors).to.deep.equal(['Error: stopped before the answer came']);

    const next = house(engines);
    const second = await there.next();
    await next.outcome();
    for (const name of ['X-Service-Delivery', 'X-Service-Attempt']) expect(header(second, name)).to.equal(header(first, name));
    expect((await next.deliveries(message))[0]?.attempts).to.have.lengthOf(1);
  });

  it('misses no attempt when it is stopped and started again between them, and keeps the times', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'heliograph-webhooks-'));
    atEnd(() => rmSync(dir, { recursive: true, force: true }));
    const master = Buffer.alloc(32, 2);
    let lives = 0;
    async function live<T>(during: (home: WebhookFixture) => Promise<T>): Promise<T> {
      const log = openSqliteLog({ dir });
      const view = openSqliteViews({ dir, instance: `life ${lives++}`, now: () => clock().now() });
      const home = new WebhookFixture({ log, view, clock: clock(), master }).start();
      try {
        return await during(home);
      } finally {
        await home.stop();
        await view.views.close();
        await log.events.close();
        expect(home.errors).to.deep.equal([]);
      }
    }
    const there = await receiver(() => 500);
    const began = clock().now();

    const message = await live(async (home) => {
      const id = await home.sendMessage(there.origin);
      await home.outcome();
      return id;
    });
    await clock().advance(20 * SECOND);
    await live(async (home) => {
      await clock().waitForSleepers();
      await clock().advance(10 * SECOND);
      await home.outcome();
    });
    // Down while the third attempt falls due: it is made at once, and the next wait is counted from its end.
    await clock().advance(7 * MINUTE);
    await live((home) => home.outcome());
    await clock().advance(30 * MINUTE);
    const deliveries = await live(async (home) => {
      expect((await home.outcome()).type).to.equal('DeliveryFailed');
      return home.deliveries(message);
    });

    const third = 30 * SECOND + 7 * MINUTE;
    expect(there.requests.map((request) => sentAt(request) - began)).to.deep.equal([0, 30 * SECOND, third, third + 30 * MINUTE]);
    expect(deliveries[0]?.attempts.map(({ number }) => number)).to.deep.equal([1, 2, 3, 4]);
  }).timeout(30_000);
});
