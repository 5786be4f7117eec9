import { expect } from 'chai';
import type { Leases, ReadModels } from '../../domain/kernel/ports.js';
import type { Todo } from '../../processes/runtime/process-manager.js';
import { eventually } from '../support/eventually.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { type ExampleProcess, type Given, startChores } from './example-process.js';

describe('the runner of processes', () => {
  const running: ExampleProcess[] = [];
  afterEach(async () => {
    for (const chores of running.splice(0)) await chores.stop();
  });

  const now = Date.parse('2026-01-15T10:00:00.000Z');
  let clock: SkippingClock;
  beforeEach(() => {
    clock = new SkippingClock(now);
  });

  const chores = (given: Omit<Given, 'clock'> = {}): ExampleProcess => {
    const started = startChores({ clock, ...given });
    running.push(started);
    return started;
  };

  it('performs due to-dos at once and later ones when they are due', async () => {
    const { ask, until, begun } = chores();
    await ask('later', 'kitchen', now + 5_000);
    await ask('now');
    await until(1);
    expect(begun).to.deep.equal(['now']);
    await clock.advance(5_000);
    await until(2);
    expect(begun).to.deep.equal(['now', 'later']);
  });

  it('wakes once in two seconds while there is nothing to do', async () => {
    const sleeps: number[] = [];
    class CountingClock extends SkippingClock {
      override sleep(ms: number, signal?: AbortSignal): Promise<void> {
        sleeps.push(ms);
        return super.sleep(ms, signal);
      }
    }
    clock = new CountingClock(now);
    const { ask, until } = chores();
    await ask('one');
    await until(1);
    await clock.advance(4_000);
    sleeps.length = 0;
    await clock.advance(20_000);
    // The runner, and the renewal of its lease with its time limit.
    expect(sleeps.filter((ms) => ms < 2_000)).to.deep.equal([]);
    expect(sleeps.length).to.be.at.most(30);
  });

  it('performs each to-do once', async () => {
    const { ask, until, begun } = chores();
    for (let i = 0; i < 200; i++) await ask(String(i), `lane ${i % 7}`);
    await until(200);
    await clock.advance(10_000);
    expect(new Set(begun).size).to.equal(200);
    expect(begun).to.have.lengthOf(200);
  });

  it('performs a to-do once although its list has not reached the recorded outcome yet', async () => {
    const { ask, until, begun, end, freeze } = chores({ long: (id) => id === 'first' });
    await ask('first');
    await ask('second', 'attic', now + 5_000);
    await until(1);
    freeze();
    end('first');
    await clock.advance(10_000);
    await until(2);
    expect(begun).to.deep.equal(['first', 'second']);
  });

  it('starts to-dos of a lane while another lane is full', async () => {
    const { ask, until, begun } = chores({ long: (id) => id.startsWith('slow') });
    for (let i = 0; i < 50; i++) await ask(`slow ${i}`, 'attic');
    await ask('quick', 'kitchen');
    await until(3);
    expect(begun).to.have.members(['slow 0', 'slow 1', 'quick']);
  });

  it('serves lanes in turn where an account may start fewer to-dos than it has lanes', async () => {
    const { ask, until, begun, end, list } = chores({ concurrency: { lane: 2, total: 4 }, long: () => true });
    for (const lane of ['a', 'b', 'c']) for (let i = 0; i < 6; i++) await ask(`${lane}${i}`, lane, now + 1_000);
    await eventually('all are in the list', async () => (await list.count({})) === 18);
    await clock.advance(1_000);
    for (let n = 0; n < 12; n++) {
      await until(n + 1);
      end(begun[n] as string);
    }
    const lanes = new Set(begun.slice(0, 8).map((id) => id[0]));
    expect([...lanes]).to.have.members(['a', 'b', 'c']);
  });

  it('performs due to-dos of very many lanes within the limit of each lane', async () => {
    const { ask, until, begun, end } = chores({ long: (id) => id.startsWith('slow') });
    for (let i = 0; i < 600; i++) await ask(`slow ${i}`, 'attic');
    for (let i = 0; i < 100; i++) await ask(`quick ${i}`, `lane ${i}`);
    await until(102);
    expect(begun.filter((id) => id.startsWith('slow'))).to.have.lengthOf(2);
    await ask('one more', 'lane 7');
    await until(103);
    expect(begun).to.include('one more');
    end('slow 0');
    await until(104);
    expect(begun.filter((id) => id.startsWith('slow'))).to.have.lengthOf(3);
  });

  it('starts a to-do of another account, and an urgent one of the same, while one account holds all it may', async () => {
    const { ask, until, begun } = chores({ concurrency: { lane: 32, total: 32 }, long: (id) => id.startsWith('bulk') });
    for (let i = 0; i < 1_200; i++) await ask(`bulk ${i}`, 'sms', now, { account: 'busy', priority: 2 });
    await until(14);
    await ask('code', 'sms', now, { account: 'busy', priority: 0 });
    await until(15);
    await ask('another', 'sms', now, { account: 'other', priority: 2 });
    await until(16);
    expect(begun.slice(14)).to.deep.equal(['code', 'another']);
  });

  it('performs several to-dos of a lane with one call', async () => {
    const calls: string[][] = [];
    const onCall = (todos: readonly Todo[]) => void calls.push(todos.map(({ lane }) => lane));
    const { ask, until, begun } = chores({ concurrency: { lane: 1, total: 4 }, batch: { max: 10 }, onCall, long: (id) => id === 'first' });
    await ask('first', 'a');
    await until(1);
    await Promise.all(Array.from({ length: 25 }, (_, i) => ask(String(i), i < 20 ? 'b' : 'c')));
    await until(26);
    expect(calls.every((lanes) => new Set(lanes).size === 1)).to.equal(true);
    expect(calls.length).to.be.below(20);
    expect(new Set(begun).size).to.equal(26);
  });

  it('tries the to-dos of a call that threw one by one', async () => {
    const calls: number[] = [];
    const onCall = (todos: readonly Todo[]) => {
      if (calls.push(todos.length) === 1) throw new Error('one of them is invalid');
    };
    const { ask, until, begun, errors } = chores({ concurrency: { lane: 1, total: 4 }, batch: { max: 10 }, onCall });
    await Promise.all(Array.from({ length: 3 }, (_, i) => ask(String(i))));
    while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
    await until(3);
    expect(errors).to.have.lengthOf(calls[0] as number);
    expect(calls.slice(1, 4)).to.deep.equal([1, 1, 1]);
    expect(begun).to.have.members(['0', '1', '2']);
  });

  it('continues after its list could not be read', async () => {
    let failures = 2;
    const { ask, until, errors } = chores({
      views: (views) => ({
        ...bound(views),
        status: (spec) => (failures-- > 0 ? Promise.reject(new Error('the disk is gone')) : views.status(spec)),
      }),
    });
    await ask('now');
    const done = until(1);
    for (let i = 0; i < 2; i++) {
      await clock.waitForSleepers(2);
      await clock.advance(1_000);
    }
    await done;
    expect(errors).to.deep.equal([
      [null, 'Error: the disk is gone'],
      [null, 'Error: the disk is gone'],
    ]);
  });

  it('halves its concurrency on each failure of a store, reports one error for each round, and restores it after successes', async () => {
    let away = true;
    const { ask, begun, errors } = chores({ concurrency: { lane: 100, total: 460 }, away: () => away });
    for (let i = 0; i < 300; i++) await ask(String(i), `lane ${i % 3}`);
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 200) {
        await clock.advance(200);
        for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await pass(60_000);
    expect(begun.length).to.be.within(100, 600);
    expect(errors.length).to.be.within(10, 80);
    expect(new Set(errors.map(([, error]) => error))).to.deep.equal(new Set(['StoreUnavailable: away']));
    away = false;
    const tried = begun.length;
    await pass(20_000);
    expect(begun.length - tried).to.equal(300);
    expect(new Set(begun.slice(tried)).size).to.equal(300);
  });

  it('stops when the signal aborts while it acquires the lease', async () => {
    const { stop, begun } = chores({
      leases: (leases, stopNow) => ({
        join: leases.join.bind(leases),
        acquire: async (...args) => {
          const lease = await leases.acquire(...args);
          stopNow();
          return lease;
        },
      }),
    });
    await stop();
    expect(begun).to.deep.equal([]);
  });

  it('holds the lease until the work in flight has ended', async () => {
    let others: Leases | undefined;
    const { ask, until, tell, stop, end } = chores({
      long: () => true,
      leases: (leases) => {
        others = leases;
        return leases;
      },
    });
    await ask('long');
    await until(1);
    tell();
    await clock.advance(30_000);
    expect(await others?.acquire('process/chores', 1_000)).to.equal(null);
    end('long');
    await stop();
    expect(await others?.acquire('process/chores', 1_000)).to.have.property('epoch', 2);
  });
});

/** The same object, with its methods as fields, so that one of them can be replaced. */
function bound(views: ReadModels): ReadModels {
  const methods = ['docs', 'writer', 'shadow', 'promote', 'discard', 'snapshot', 'status', 'positions', 'halt', 'waitUntilReached', 'close'] as const;
  return Object.fromEntries(methods.map((name) => [name, (views[name] as (...args: unknown[]) => unknown).bind(views)])) as unknown as ReadModels;
}
