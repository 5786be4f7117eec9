import { expect } from 'chai';
import { dropWork } from '../../commands/parked/drop-work.js';
import { retryWork } from '../../commands/parked/retry-work.js';
import { partitionAt, UNDIVIDED } from '../../domain/kernel/ports.js';
import { hashId } from '../../log/runtime/ids.js';
import { partOfRate, scopeOf } from '../../processes/runtime/divided-work.js';
import { type AnyProcessManager, byAccount } from '../../processes/runtime/process-manager.js';
import { parkedQueries } from '../../projections/parked/queries.js';
import { eventually } from '../support/eventually.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { type ExampleProcess, type Given, startChores } from './example-process.js';

const PARTITIONS = 4;
const LATER_MS = 600_000;

describe('a divided process', () => {
  const now = Date.parse('2026-01-15T10:00:00.000Z');
  let clock: SkippingClock;
  let chores: ExampleProcess;
  const start = (given: Omit<Given, 'clock'> = {}) => {
    clock = new SkippingClock(now);
    chores = startChores({ clock, partitions: PARTITIONS, ...given });
  };
  afterEach(() => chores.stop());

  const pass = async (ms: number, step = 500) => {
    for (let passed = 0; passed < ms; passed += step) {
      await clock.advance(step);
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  /** The lists are projected by real time. */
  const until = async (what: string, condition: () => boolean | Promise<boolean>) => {
    await eventually(
      what,
      async () => {
        await pass(1_000);
        return condition();
      },
      { within: 60_000, every: 1 },
    );
  };

  it('performs each to-do of all partitions once, at its time, whatever the number of nodes', async () => {
    start({ nodes: 3 });
    for (let i = 0; i < 200; i++) await chores.ask(`${i}`, `lane ${i % 7}`, i % 2 ? now : now + LATER_MS, { account: `acc_${i % 5}` });
    await until('those that are due are done', () => chores.begun.length === 100);
    await clock.advance(LATER_MS);
    await until('all are done', () => chores.begun.length === 200);
    await pass(20_000);
    expect(new Set(chores.begun).size).to.equal(200);
    expect(chores.begun.length).to.equal(200);
  });

  it('works under epochs above all of the undivided process', async () => {
    start();
    for (let i = 0; i < 20; i++) await chores.ask(`${i}`);
    await until('all are done', () => chores.begun.length === 20);
    for (const epoch of chores.epochs) expect(epoch).to.be.above(1_000_000_000);
  });

  it('does not begin while a node of an earlier release has the undivided process', async () => {
    const held: { release(): Promise<void> }[] = [];
    clock = new SkippingClock(now);
    chores = startChores({
      clock,
      partitions: PARTITIONS,
      leases: (leases) => ({
        join: leases.join.bind(leases),
        acquire: async (name, ttlMs) => {
          if (held.length === 0) held.push((await leases.acquire('process/chores', 60_000)) ?? expect.fail('no lease'));
          return leases.acquire(name, ttlMs);
        },
      }),
    });
    await chores.ask('first');
    await pass(20_000);
    expect(chores.begun).to.deep.equal([]);
    await held[0]?.release();
    await until('it begins', () => chores.begun.length === 1);
  });

  it('parks, retries and drops to-dos of any partition', async () => {
    let broken = true;
    start({ broken: () => broken });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await chores.ask(id);
    const { list } = parkedQueries(chores.views);
    const parked = async () => (await list({}, { after: null, descending: true, limit: 10 })).length;
    await until('all are parked', async () => (await parked()) === ids.length);
    broken = false;
    const idOf = (id: string) => hashId('prk', 'chores', `chore-${id}`);
    for (const id of ids.slice(1)) await chores.execute(retryWork, { parked_id: idOf(id) });
    await chores.execute(dropWork, { parked_id: idOf('a') });
    await until('none is left', async () => (await parked()) === 0 && chores.dropped.length === 1);
    expect(chores.dropped).to.deep.equal(['a']);
    for (const id of ids.slice(1)) expect(chores.begun.filter((begun) => begun === id).length).to.equal(21);
  });

  it('gives each partition its part of the places', () => {
    start();
    const process = { name: 'work', concurrency: { lane: 10, total: 500 } } as AnyProcessManager;
    const held = { epoch: 3, unclean: false };
    const tenure = { since: 3, ended: new AbortController().signal };
    expect(scopeOf(process, UNDIVIDED, held, tenure)).to.deep.include({ name: 'work', epoch: 3, concurrency: process.concurrency });
    expect(scopeOf(process, partitionAt(5, 16), held, tenure)).to.deep.include({ name: 'work/5', concurrency: { lane: 1, total: 31 } });
    const ofAccounts = { ...process, ...byAccount, concurrency: { lane: 4, total: 16 } } as AnyProcessManager;
    expect(scopeOf(ofAccounts, partitionAt(5, 16), held, tenure)).to.deep.include({ name: 'work/5', concurrency: { lane: 4, total: 8 } });
  });

  it('has the whole rate of an account where its partitions are of whole accounts', () => {
    const process = { name: 'work' } as AnyProcessManager;
    expect(partOfRate(32, process, partitionAt(5, 16))).to.equal(2);
    expect(partOfRate(32, { ...process, ...byAccount }, partitionAt(5, 16))).to.equal(32);
  });
});
