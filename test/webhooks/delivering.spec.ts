import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Stripe from 'stripe';
import { recordAttempt } from '../../commands/webhooks/record-attempt.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteLog, openSqliteViews } from '../../engines/sqlite/index.js';
import { PatientClock } from '../standins/patient-clock.js';
import { type Furnishing, House, type Outcome, SECRET } from './house.js';
import { type Received, Receiver, type Script } from './receiver.js';
import { delivered } from './samples.js';

const stripe = new Stripe('sk_test_unused');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const header = (received: Received, name: string): string => String(received.headers[name.toLowerCase()]);
const sentAt = (received: Received): number => Number(header(received, 'X-Service-Timestamp'));

/** As a customer who knows Stripe's library would check it. */
async function expectGenuine(received: Received): Promise<void> {
  for (const prefix of ['X-Service', 'X-Legacy']) {
    const value = `t=${header(received, `${prefix}-Timestamp`)},v1=${header(received, `${prefix}-Signature`)}`;
    expect(await stripe.webhooks.signature?.verifyHeader(received.body, value, SECRET, 0)).to.equal(true);
  }
}

describe('delivering statuses', () => {
  let clock: PatientClock;
  let ends: (() => unknown)[];

  beforeEach(() => {
    clock = new PatientClock('2026-01-15T10:30:00.000Z');
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function receiver(script: Script): Promise<Receiver> {
    const started = await Receiver.start(clock, script);
    ends.push(() => started.close());
    return started;
  }

  function house(given: Partial<Furnishing> = {}): House {
    const started = new House({ log: openMemoryLog(), view: openMemoryViews({ clock }), clock, ...given }).start();
    ends.push(() => started.stop());
    return started;
  }

  it('happens four times at most: at once, and 30 s, 5 min and 30 min after the end of each failed attempt', async () => {
    // Each answer takes four seconds by the clock: the waits begin when it is there.
    const there = await receiver(async (_, nth) => {
      await clock.advance(4 * SECOND);
      return { status: 500, body: `no ${nth}` };
    });
    const home = house();
    const began = clock.now();
    const message = await home.sends(`${there.origin}/h?k=1`);

    const outcomes: Outcome[] = [];
    let due = began;
    for (const wait of [30 * SECOND, 5 * MINUTE, 30 * MINUTE, null]) {
      expect(sentAt(await there.next())).to.equal(due);
      const outcome = await home.outcome();
      outcomes.push(outcome);
      expect(outcome.data.at).to.equal(new Date(due + 4 * SECOND).toISOString());
      if (wait === null) break;
      due += 4 * SECOND + wait;
      await clock.advance(wait - SECOND);
      expect(there.requests).to.have.lengthOf(outcomes.length);
      await clock.advance(SECOND);
    }
    await clock.advance(3 * 60 * MINUTE);

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

  it('sends the same bytes under the same id each time, signed afresh, which Stripe’s verifier takes under either prefix', async () => {
    const there = await receiver(() => 503);
    const home = house();
    const message = await home.sends(there.origin);
    for (const wait of [30 * SECOND, 5 * MINUTE, 30 * MINUTE, 0]) {
      await home.outcome();
      await clock.advance(wait);
    }

    const { requests } = there;
    for (const request of requests) await expectGenuine(request);
    expect(requests.map((request) => header(request, 'X-Service-Attempt'))).to.deep.equal(['1', '2', '3', '4']);
    expect(new Set(requests.map(({ body }) => body)).size).to.equal(1);
    expect(new Set(requests.map((request) => header(request, 'X-Service-Delivery'))).size).to.equal(1);
    expect(new Set(requests.map((request) => header(request, 'X-Service-Signature'))).size).to.equal(4);
    for (const name of ['Event', 'Timestamp', 'Signature']) {
      for (const request of requests) expect(header(request, `X-Legacy-${name}`)).to.equal(header(request, `X-Service-${name}`));
    }
    const [first] = requests as [Received];
    expect(header(first, 'X-Service-Event')).to.equal('message.sent');
    expect(header(first, 'Content-Type')).to.equal('application/json');
    expect(JSON.parse(first.body)).to.deep.include({
      event: 'message.sent',
      message_id: message,
      to: '+14155550100',
      sequence: 3,
      metadata: { order: 'A1' },
    });
    const [delivery] = await home.deliveries(message);
    expect(header(first, 'X-Service-Delivery')).to.equal(delivery?.id);
    expect(JSON.parse(first.body).event_id).to.equal(delivery?.event_id);
  });

  it('ends with the first 2xx', async () => {
    const there = await receiver((_, nth) => (nth === 1 ? 500 : 204));
    const home = house();
    const message = await home.sends(there.origin);
    await home.outcome();
    await clock.advance(30 * SECOND);
    expect((await home.outcome()).type).to.equal('DeliverySucceeded');
    await clock.advance(3 * 60 * MINUTE);

    expect(there.requests).to.have.lengthOf(2);
    expect((await home.deliveries(message))[0]).to.include({ status: 'delivered', next_attempt_at: null });
  });

  it('tells each status by a delivery of its own, and a failing one holds up none that follow', async () => {
    const there = await receiver(({ headers }) => (headers['x-service-event'] === 'message.sent' ? 500 : 200));
    const home = house();
    const message = await home.sends(there.origin);
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
    const message = await home.sends(there.origin);
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
    const message = await home.sends(null);
    await home.sends(there.origin);
    await home.outcome();
    expect(there.requests).to.have.lengthOf(1);
    expect(await home.deliveries(message)).to.deep.equal([]);
  });

  describe('takes for a failure', () => {
    const failing: [what: string, script: Script, expected: Record<string, unknown>][] = [
      ['a redirect, which is not followed', () => ({ status: 302, headers: { location: '/elsewhere' } }), { status_code: 302 }],
      ['a redirect that keeps the method', () => ({ status: 308, headers: { location: '/elsewhere' } }), { status_code: 308 }],
      ['410', () => 410, { status_code: 410 }],
      ['404', () => 404, { status_code: 404 }],
      ['no answer in time', () => 'hang', { status_code: null, code: 'timeout' }],
      ['a closed connection', () => 'hang up', { status_code: null, code: 'connection_reset' }],
    ];
    for (const [what, script, { status_code, code = undefined }] of failing)
      it(what, async () => {
        const there = await receiver(script);
        const home = house({ parts: { timeoutMs: 100 } });
        await home.sends(`${there.origin}/h`);
        const { type, data } = await home.outcome();
        expect(type).to.equal('DeliveryAttemptFailed');
        expect(data).to.include({ status_code, next_attempt_at: '2026-01-15T10:30:30.000Z' });
        expect('error' in data ? data.error?.code : undefined).to.equal(code);
        expect(there.requests.map(({ url }) => url)).to.deep.equal(['/h']);
      });

    it('a port where nobody listens', async () => {
      const home = house();
      await home.sends(`http://127.0.0.1:${await freePort()}/h`);
      const { data } = await home.outcome();
      expect(data).to.deep.include({ status_code: null, next_attempt_at: '2026-01-15T10:30:30.000Z', response_body: null });
      expect(data).to.have.nested.property('error.code', 'connection_refused');
    });

    it('a private address that is not opened', async () => {
      const there = await receiver(() => 200);
      const home = house({ parts: { allowedCidrs: [] } });
      const message = await home.sends(there.origin);
      expect((await home.outcome()).data).to.have.nested.property('error.code', 'forbidden_address');
      expect(there.requests).to.deep.equal([]);
      expect((await home.deliveries(message))[0]?.attempts[0]?.error?.message).to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
    });

    it('an account that can sign nothing any more, without sending anything', async () => {
      const there = await receiver(() => 200);
      const home = house({ parts: { secrets: () => null } });
      await home.sends(there.origin);
      expect((await home.outcome()).data).to.have.nested.property('error.code', 'no_secret');
      expect(there.requests).to.deep.equal([]);
    });
  });

  it('keeps 16 kB of an answer', async () => {
    const there = await receiver(() => ({ status: 500, body: 'é'.repeat(20_000) }));
    const home = house();
    const message = await home.sends(there.origin);
    await home.outcome();
    const [delivery] = await home.deliveries(message);
    expect(Buffer.byteLength(delivery?.attempts[0]?.response_body ?? '')).to.equal(16_384);
  });

  it('signs with both secrets while the previous one is valid', async () => {
    const there = await receiver(() => 200);
    const home = house({ parts: { secrets: () => ({ current: 'whsec_new', previous: SECRET }) } });
    await home.sends(there.origin);
    const request = await there.next();
    const of = (name: string) => `t=${header(request, 'X-Service-Timestamp')},v1=${header(request, name)}`;
    expect(await stripe.webhooks.signature?.verifyHeader(request.body, of('X-Service-Signature'), 'whsec_new', 0)).to.equal(true);
    expect(await stripe.webhooks.signature?.verifyHeader(request.body, of('X-Service-Signature-Previous'), SECRET, 0)).to.equal(true);
  });

  it('tells of an erased recipient what is left, and shows no answer that may name him', async () => {
    const there = await receiver(() => ({ status: 500, body: 'unknown number +14155550100' }));
    const home = house();
    const message = await home.sends(there.origin);
    await home.outcome();
    await home.vault.erase('k1');
    await clock.advance(30 * SECOND);
    await home.outcome();

    expect(JSON.parse(there.requests[1]?.body ?? '')).to.deep.include({ to: '<erased>', metadata: {}, status: 'sent' });
    await expectGenuine(there.requests[1] as Received);
    expect((await home.deliveries(message))[0]?.attempts[0]).to.include({ response_body: '<erased>', status_code: 500 });
  });

  it('makes no host wait for another, however slow, and calls one host ten times at once at most', async () => {
    let release: (status: number) => void = () => {};
    const released = new Promise<number>((resolve) => {
      release = resolve;
    });
    const slow = await receiver(() => released);
    const fast = await receiver(() => 200);
    const home = house();
    for (let i = 0; i < 30; i++) await home.sends(slow.origin);
    for (let i = 0; i < 10; i++) await slow.next();
    for (let i = 0; i < 30; i++) await home.sends(fast.origin);
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
        execute: (command, ...rest) => {
          if (broken && command.name === recordAttempt.name) {
            broken = false;
            return Promise.reject(new Error('the disk is full'));
          }
          return dispatcher.execute(command, ...rest);
        },
      }),
    });
    const message = await home.sends(there.origin);
    const first = await there.next();
    await home.error();
    await clock.advance(SECOND);
    const second = await there.next();
    await home.outcome();

    expect(home.errors).to.deep.equal(['Error: the disk is full']);
    for (const name of ['X-Service-Delivery', 'X-Service-Attempt']) expect(header(second, name)).to.equal(header(first, name));
    expect(second.body).to.equal(first.body);
    expect((await home.deliveries(message))[0]?.attempts.map(({ number, status_code }) => [number, status_code])).to.deep.equal([[1, 200]]);
  });

  it('misses no attempt when it is stopped and started again between them, and keeps the times', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'heliograph-webhooks-'));
    ends.push(() => rmSync(dir, { recursive: true, force: true }));
    const master = Buffer.alloc(32, 2);
    let lives = 0;
    async function live<T>(during: (home: House) => Promise<T>): Promise<T> {
      const log = openSqliteLog({ dir });
      const view = openSqliteViews({ dir, instance: `life ${lives++}`, now: () => clock.now() });
      const home = new House({ log, view, clock, master }).start();
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
    const began = clock.now();

    const message = await live(async (home) => {
      const id = await home.sends(there.origin);
      await home.outcome();
      return id;
    });
    await clock.advance(20 * SECOND);
    await live(async (home) => {
      await clock.asleep();
      await clock.advance(10 * SECOND);
      await home.outcome();
    });
    // Down while the third attempt falls due: it is made at once, and the next wait is counted from its end.
    await clock.advance(7 * MINUTE);
    await live((home) => home.outcome());
    await clock.advance(30 * MINUTE);
    const deliveries = await live(async (home) => {
      expect((await home.outcome()).type).to.equal('DeliveryFailed');
      return home.deliveries(message);
    });

    const third = 30 * SECOND + 7 * MINUTE;
    expect(there.requests.map((request) => sentAt(request) - began)).to.deep.equal([0, 30 * SECOND, third, third + 30 * MINUTE]);
    expect(deliveries[0]?.attempts.map(({ number }) => number)).to.deep.equal([1, 2, 3, 4]);
  }).timeout(30_000);
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
