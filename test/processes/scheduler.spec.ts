import { expect } from 'chai';
import fc from 'fast-check';
import type { Priority, Todo } from '../../processes/runtime/process-manager.js';
import { type CallLimits, type Group, groupKey, Scheduler, type StartLimits } from '../../processes/runtime/scheduler.js';

/** Ten thousand take a minute: `PROPERTY_RUNS=10000`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

const OPEN: StartLimits = { all: Number.POSITIVE_INFINITY, lowPriority: Number.POSITIVE_INFINITY };

const todo = (id: string, account: string, priority: Priority = 1, lane = 'lane'): Todo => ({ id, due_at: 0, account, priority, lane });

/** This many to-dos of an account, their lanes in turn. */
const work = (account: string, count: number, { priority = 1, lanes = 1 }: { priority?: Priority; lanes?: number } = {}): Group => ({
  priority,
  account,
  todos: Array.from({ length: count }, (_, i) => todo(`${account}/${priority}/${i}`, account, priority, `lane ${i % lanes}`)),
});

const accountsOf = (starts: readonly (readonly Todo[])[]): string[] => starts.map(([first]) => (first as Todo).account);
const countOf = (names: readonly string[], name: string): number => names.filter((one) => one === name).length;

/** A pool and the to-dos that wait for it. */
class Pool {
  readonly scheduler: Scheduler;
  readonly waiting = new Map<string, Group>();
  readonly inFlight: (readonly Todo[])[] = [];

  constructor(places: Partial<CallLimits> & { total: number }) {
    this.scheduler = new Scheduler({ lane: places.total, batch: 1, ...places });
  }

  add(...groups: readonly Group[]): this {
    for (const group of groups) {
      const key = groupKey(group.priority, group.account);
      this.waiting.set(key, { ...group, todos: [...(this.waiting.get(key)?.todos ?? []), ...group.todos] });
    }
    return this;
  }

  start(openings: StartLimits = OPEN): readonly (readonly Todo[])[] {
    const starts = this.scheduler.take([...this.waiting.values()], openings);
    const started = new Set(starts.flat());
    for (const [key, group] of this.waiting) this.waiting.set(key, { ...group, todos: group.todos.filter((one) => !started.has(one)) });
    this.inFlight.push(...starts);
    return starts;
  }

  end(index: number): void {
    for (const ended of this.inFlight.splice(index % Math.max(1, this.inFlight.length), 1)) this.scheduler.ended(ended);
  }
}

const totals = fc.integer({ min: 1, max: 200 });
const accounts = fc.array(
  fc.record({ count: fc.integer({ min: 0, max: 300 }), priority: fc.constantFrom<Priority>(0, 1, 2), lanes: fc.integer({ min: 1, max: 9 }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);
const ends = fc.array(fc.nat(), { maxLength: 300 });
const groupsOf = (given: readonly { count: number; priority: Priority; lanes: number }[], distinct: number): Group[] =>
  given.map(({ count, ...rest }, i) => work(`acc_${i % distinct}`, count, rest));

describe('the scheduler of to-dos', () => {
  it('never gives an account more than half of the places, nor a lane or the pool more than its limit', () => {
    fc.assert(
      fc.property(totals, fc.integer({ min: 1, max: 20 }), accounts, ends, fc.integer({ min: 1, max: 8 }), (total, lane, given, ended, distinct) => {
        const pool = new Pool({ total, lane }).add(...groupsOf(given, distinct));
        for (const nth of [0, ...ended]) {
          pool.end(nth);
          pool.start();
          const firsts = pool.inFlight.map(([first]) => first as Todo);
          expect(firsts.length).to.be.at.most(total);
          for (const { account } of firsts) expect(countOf(accountsOf(pool.inFlight), account)).to.be.at.most(Math.max(1, Math.floor(total / 2)));
          const lanes = firsts.map((one) => `${one.priority}/${one.account}/${one.lane}`);
          for (const name of new Set(lanes)) expect(countOf(lanes, name)).to.be.at.most(lane);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('starts the first to-do of a newcomer at once, whatever others hold', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 32, max: 200 }),
        fc.array(fc.constantFrom<Priority>(1, 2), { minLength: 1, maxLength: 6 }),
        fc.constantFrom<Priority>(0, 1, 2),
        (total, others, priority) => {
          const pool = new Pool({ total }).add(...others.map((each, i) => work(`acc_${i}`, 1_000, { priority: each })));
          pool.start();
          expect(pool.add(work('newcomer', 1, { priority })).start()).to.have.lengthOf(1);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('starts a single transactional to-do of the account that has taken all it may for its bulks', () => {
    const pool = new Pool({ total: 64 }).add(work('busy', 1_000), work('busy', 1_000, { priority: 2 }));
    pool.start();
    const [[first] = []] = pool.add(work('busy', 1, { priority: 0 })).start();
    expect(first).to.have.property('priority', 0);
  });

  it('starts by priority', () => {
    fc.assert(
      fc.property(totals, accounts, (total, given) => {
        const priorities = new Pool({ total })
          .add(...groupsOf(given, 8))
          .start()
          .map(([first]) => (first as Todo).priority);
        expect(priorities).to.deep.equal([...priorities].sort());
      }),
      { numRuns: RUNS },
    );
  });

  it('leaves an eighth of the places to priority 0', () => {
    const pool = new Pool({ total: 64 }).add(...Array.from({ length: 60 }, (_, i) => work(`acc_${i}`, 50)));
    expect(pool.start()).to.have.lengthOf(56);
    expect(pool.add(...Array.from({ length: 60 }, (_, i) => work(`acc_${i}`, 1, { priority: 0 }))).start()).to.have.lengthOf(8);
  });

  it('serves accounts in turn, also where places become free one by one', () => {
    const pool = new Pool({ total: 4 }).add(...['a', 'b', 'c', 'd', 'e'].map((account) => work(account, 100)));
    const served = accountsOf(pool.start());
    for (let i = 0; i < 96; i++) {
      pool.end(0);
      served.push(...accountsOf(pool.start()));
    }
    for (const account of ['a', 'b', 'c', 'd', 'e']) expect(countOf(served, account)).to.be.within(19, 21);
  });

  it('serves the lanes of an account in turn, and each lane in due order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 2, max: 12 }), (total, lanes) => {
        const pool = new Pool({ total }).add(work('a', 60 * lanes, { lanes }));
        const served = pool.start().flat();
        while (served.length < 20 * lanes) {
          pool.end(0);
          served.push(...pool.start().flat());
        }
        const names = served.map(({ lane }) => lane);
        for (const lane of new Set(names)) {
          expect(countOf(names, lane)).to.be.within(19, 21 + total);
          const ids = served.filter((one) => one.lane === lane).map(({ id }) => Number(id.split('/')[2]));
          expect(ids).to.deep.equal([...ids].sort((a, b) => a - b));
        }
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });

  it('starts other lanes where one is full', () => {
    const long: Group = { ...work('a', 50), todos: [...work('a', 50).todos, todo('short', 'a', 1, 'other')] };
    expect(
      new Pool({ total: 100, lane: 2 })
        .add(long)
        .start()
        .flat()
        .map(({ id }) => id),
    )
      .to.include('short')
      .and.have.lengthOf(3);
  });

  it('puts several to-dos of one lane into one call, which is one place', () => {
    const pool = new Pool({ total: 4, batch: 10 }).add(work('a', 35, { lanes: 2 }));
    const starts = pool.start();
    expect(starts.map((todos) => todos.length)).to.deep.equal([10, 10]);
    for (const todos of starts) expect(new Set(todos.map(({ lane }) => lane)).size).to.equal(1);
    expect(pool.scheduler.running).to.equal(2);
  });

  it('starts no more than the openings and the allowance of a group permit', () => {
    const pool = () => new Pool({ total: 100 }).add(work('a', 50), work('b', 50), work('b', 50, { priority: 0 }));
    expect(pool().start({ all: 3, lowPriority: 100 })).to.have.lengthOf(3);
    expect(
      new Set(
        pool()
          .start({ all: 100, lowPriority: 0 })
          .map(([first]) => first?.priority),
      ),
    ).to.deep.equal(new Set([0]));
    const allowance = (_: Priority, account: string) => (account === 'a' ? 2 : 5);
    expect(countOf(accountsOf(pool().start({ ...OPEN, allowance })), 'a')).to.equal(2);
  });
});
