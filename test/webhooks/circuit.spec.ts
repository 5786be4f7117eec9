import { expect } from 'chai';
import { type CallResult, CIRCUIT, type Circuit, callResultOf, circuitAfter, isOpen } from '../../domain/webhooks/circuit.js';
import type { Todo } from '../../processes/runtime/process-manager.js';
import { Scheduler } from '../../processes/runtime/scheduler.js';
import { ReceiverCircuits } from '../../processes/webhooks/receiver-circuits.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { header, webhookFixtures } from './fixtures.js';

const SECOND = 1_000;
const OPENED = Array<CallResult>(CIRCUIT.failures).fill('failed');

function stateAfter(results: readonly CallResult[], now = 0): Circuit | null {
  return results.reduce<Circuit | null>((circuit, result) => circuitAfter(circuit, result, now), null);
}

describe('the circuit of a receiver', () => {
  it('opens after ten failures in a row, and one answer closes it', () => {
    expect(isOpen(stateAfter(OPENED.slice(1)), 0)).to.equal(false);
    expect(isOpen(stateAfter(OPENED), 0)).to.equal(true);
    expect(isOpen(stateAfter([...OPENED, 'answered']), 0)).to.equal(false);
    expect(isOpen(stateAfter([...OPENED.slice(1), 'answered', 'failed']), 0)).to.equal(false);
  });

  it('is forgotten an hour after the last call, so the longest delay of a retry does not close it', () => {
    const open = stateAfter(OPENED);
    expect(isOpen(open, 1_800_000)).to.equal(true);
    expect(isOpen(open, CIRCUIT.forgottenMs + 1)).to.equal(false);
    expect(circuitAfter(open, 'failed', CIRCUIT.forgottenMs + 1)?.failures).to.equal(1);
  });

  it('counts no answer, 5xx and 429 as failures, other answers as signs of life, and attempts without a call not at all', () => {
    const resultOf = (status_code: number) => callResultOf({ status_code, response_body: '' });
    const errorOf = (code: string) => callResultOf({ error: { code, message: '' } });
    expect([500, 503, 429].map(resultOf)).to.deep.equal(['failed', 'failed', 'failed']);
    expect([200, 204, 302, 404, 410].map(resultOf)).to.deep.equal(Array(5).fill('answered'));
    expect(['timeout', 'dns_error', 'connection_refused', 'connection_reset', 'tls_error', 'connection_error'].map(errorOf)).to.deep.equal(
      Array(6).fill('failed'),
    );
    expect(['no_secret', 'erased', 'endpoint_disabled', 'forbidden_address', 'invalid_url', 'invalid_request'].map(errorOf)).to.deep.equal(
      Array(6).fill(null),
    );
  });
});

describe('the circuits of a node', () => {
  const clock = new ManualClock('2026-01-15T10:30:00.000Z');
  const todo = (id: string, { lane = 'host', account = 'acc_1', priority = 1 }: Partial<Todo> = {}): Todo => ({
    id,
    lane,
    account,
    priority,
    due_at: 0,
  });
  const fail = (circuits: ReceiverCircuits, lane = 'host') => {
    for (const result of OPENED) circuits.note({ account: 'acc_1', lane }, result, clock.now());
  };

  /** A worker of a partition with as many due to-dos as it can start. */
  function worker(circuits: ReceiverCircuits, name: string) {
    let woken = 0;
    let nth = 0;
    const scheduler = new Scheduler(
      { lane: 10, total: 100, batch: 1 },
      circuits.enter(() => (woken += 1), clock),
    );
    const running: (readonly Todo[])[] = [];
    return {
      running,
      start(given: Partial<Todo> = {}) {
        const todos = Array.from({ length: 20 }, () => todo(`${name}/${nth++}`, given));
        const [{ priority, account }] = todos as [Todo];
        const starts = scheduler.take([{ priority, account, todos }], { all: 100, lowPriority: 100 });
        running.push(...starts);
        return starts.length;
      },
      end: () => scheduler.ended(running.shift() as readonly Todo[]),
      leave: () => scheduler.close(),
      woken: () => woken,
    };
  }

  it('are open for one host of one account only', () => {
    const opened: number[] = [];
    const circuits = new ReceiverCircuits((open) => opened.push(open));
    const one = worker(circuits, 'one');
    fail(circuits);
    expect(one.start()).to.equal(1);
    expect(one.start({ lane: 'other host' })).to.equal(10);
    expect(one.start({ account: 'acc_2' })).to.equal(10);
    expect(one.start({ lane: 'host/replay', priority: 2 })).to.equal(0);
    circuits.note(todo('', { lane: 'host/replay' }), 'answered', clock.now());
    expect(one.start()).to.equal(9);
    expect(opened).to.deep.equal([1, 0]);
  });

  it('give each worker a turn at a receiver that fails, and never two at once', () => {
    const circuits = new ReceiverCircuits();
    const workers = ['a', 'b', 'c'].map((name) => worker(circuits, name));
    const [a, b, c] = workers as [ReturnType<typeof worker>, ReturnType<typeof worker>, ReturnType<typeof worker>];
    fail(circuits);
    expect(workers.map((one) => one.start())).to.deep.equal([1, 0, 0]);
    for (const next of [a, b, c, a, b]) {
      const running = workers.find((one) => one.running.length > 0);
      running?.start();
      const before = next.woken();
      running?.end();
      expect(next.woken()).to.equal(before + 1);
      expect(workers.filter((one) => one !== next).map((one) => one.start())).to.deep.equal([0, 0]);
      expect(next.start()).to.equal(1);
    }
  });

  it('pass the turn of a worker that left, or that has nothing to start, to the others', async () => {
    const circuits = new ReceiverCircuits();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => worker(circuits, name)) as [
      ReturnType<typeof worker>,
      ReturnType<typeof worker>,
      ReturnType<typeof worker>,
    ];
    fail(circuits);
    for (const one of [a, b, c]) one.start();
    a.end();
    a.leave();
    b.leave();
    expect(c.start()).to.equal(1);
    a.start();
    c.end();
    expect(a.start()).to.equal(0);
    await clock.advance(6_000);
    expect(a.start()).to.equal(1);
  });

  it('let the calls that already run end, then make one at a time', () => {
    const circuits = new ReceiverCircuits();
    const one = worker(circuits, 'one');
    expect(one.start()).to.equal(10);
    fail(circuits);
    for (let n = 9; n > 0; n--) {
      one.end();
      expect(one.start()).to.equal(0);
    }
    one.end();
    expect(one.start()).to.equal(1);
  });
});

describe('deliveries to a receiver that fails', () => {
  const { clock, startReceiver, startFixture } = webhookFixtures();
  const MESSAGES = 40;

  it('are made one at a time until it answers; each attempt is a call, and none is lost', async () => {
    let isDown = true;
    const receiver = await startReceiver(async () => {
      for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
      if (isDown) return 500;
      // The receiver answers its first caller at once and the next ones only when there are three: they are no longer alone.
      if (receiver.requests.length > 2 * MESSAGES + 1 && receiver.requests.length <= 3 * MESSAGES - 3)
        await eventually('several calls at once', () => receiver.open >= 3 || receiver.mostOpen >= 3);
      return 200;
    });
    const opened: number[] = [];
    const fixture = startFixture({ options: { onOpenCircuits: (open) => opened.push(open) } });
    const outcomes = async (count: number) => {
      for (let n = 0; n < count; n++) await fixture.outcome();
    };
    for (let n = 0; n < MESSAGES; n++) await fixture.sendMessage(receiver.origin);
    await outcomes(MESSAGES / 2);
    receiver.mostOpen = 0;
    await outcomes(MESSAGES / 2);
    await clock().advance(30 * SECOND);
    await outcomes(MESSAGES);
    expect(receiver.mostOpen).to.equal(1);
    expect(opened).to.deep.equal([1]);

    isDown = false;
    await clock().advance(300 * SECOND);
    await outcomes(MESSAGES);
    expect(receiver.mostOpen).to.be.above(2);
    expect(opened).to.deep.equal([1, 0]);
    const numbers = new Map<string, string[]>();
    for (const request of receiver.requests) {
      const id = header(request, 'X-Service-Delivery');
      numbers.set(id, [...(numbers.get(id) ?? []), header(request, 'X-Service-Attempt')]);
    }
    expect([...numbers.values()]).to.deep.equal(Array(MESSAGES).fill(['1', '2', '3']));
    expect(fixture.errors).to.deep.equal([]);
  });
});
