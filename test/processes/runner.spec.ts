import { expect } from 'chai';
import Type from 'typebox';
import { createDispatcher } from '../../commands/dispatcher.js';
import { command } from '../../commands/kernel.js';
import { type EventOf, eventType } from '../../domain/kernel/event.js';
import { type Leases, type ReadModels, StoreUnavailable } from '../../domain/kernel/ports.js';
import { count, record, text } from '../../domain/kernel/schema.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { EventLog } from '../../log/event-log.js';
import { EventTypeRegistry } from '../../log/event-type-registry.js';
import { Vault } from '../../log/vault.js';
import { type PerformContext, type ProcessManager, performEach, type Todo } from '../../processes/kernel.js';
import { type ProcessDependencies, runProcesses } from '../../processes/runner.js';
import { todoList } from '../../processes/todo-list.js';
import { runProjections } from '../../projections/runner.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { system } from '../support/system.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

/** Chores, each in a lane: a process manager without a subject. */
const ChoreAsked = eventType('ChoreAsked', record({ lane: text, due_at: count }));
const ChoreDone = eventType('ChoreDone', record({ epoch: count }));
type ChoreEvent = EventOf<typeof ChoreAsked> | EventOf<typeof ChoreDone>;

const finish = command({
  name: 'FinishChore',
  input: Type.Unsafe<{ stream: string; epoch: number }>(Type.Object({})),
  handle: ({ stream, epoch }, context) => context.append(stream, 0, [{ type: 'ChoreDone', data: { epoch } }]),
});

interface Chores {
  /** Ids of started chores, in order. */
  readonly begun: string[];
  readonly errors: [todo: string | null, error: string][];
  ask(id: string, lane?: string, due_at?: number): Promise<void>;
  /** Ends a started chore. */
  end(id: string): void;
  /** Resolves when this many have started. */
  until(begun: number): Promise<void>;
  /** Stops the projection of the list. */
  freeze(): void;
  /** Aborts the runner's signal. */
  tell(): void;
  /** The same, and resolves when the runner has stopped. */
  stop(): Promise<void>;
}

interface Given {
  readonly concurrency?: ProcessManager['concurrency'];
  /** Chores that take until `end` is called; all others end at once. */
  readonly long?: (id: string) => boolean;
  /** Whether a store that chores need is unavailable. */
  readonly away?: () => boolean;
  readonly views?: (views: ReadModels) => ReadModels;
  readonly leases?: (leases: Leases, stop: () => void) => Leases;
}

describe('the runner of processes', () => {
  const running: Chores[] = [];
  afterEach(async () => {
    for (const chores of running.splice(0)) await chores.stop();
  });

  const now = Date.parse('2026-01-15T10:00:00.000Z');
  let clock: SkippingClock;
  beforeEach(() => {
    clock = new SkippingClock(now);
  });

  function chores({
    concurrency = { lane: 2, total: 100 },
    long = () => false,
    away = () => false,
    views: wrapViews = (v) => v,
    leases: wrapLeases = (l) => l,
  }: Given = {}): Chores {
    const engine = openMemoryLog();
    const { views, leases } = openMemoryViews({ clock });
    const vault = new Vault(Buffer.alloc(32), engine.keys, system);
    const log = new EventLog(engine.events, vault, new EventTypeRegistry([ChoreAsked, ChoreDone]));
    const dispatcher = createDispatcher({ log, addresses: vault, clock, entropy: system.entropy, secretKey: Buffer.alloc(32) });
    const begun: string[] = [];
    const errors: Chores['errors'] = [];
    const ends = new Map<string, () => void>();
    let told = () => {};
    const process: ProcessManager<ChoreEvent> = {
      name: 'chores',
      version: 1,
      handles: ['ChoreAsked', 'ChoreDone'],
      concurrency,
      reads: ({ stream }) => ({ todos: [stream] }),
      react: ({ event, stream }) =>
        event.type === 'ChoreAsked'
          ? [{ do: 'schedule', todo: { id: stream, account: 'acc_1', priority: 1, ...event.data } }]
          : [{ do: 'cancel', id: stream }],
      perform: performEach(async ({ id }: Todo, { execute, epoch }: PerformContext) => {
        const chore = id.slice('chore-'.length);
        const ended = long(chore) ? new Promise<void>((resolve) => ends.set(chore, resolve)) : Promise.resolve();
        begun.push(chore);
        told();
        await ended;
        if (away()) throw new StoreUnavailable('away');
        return (await execute(finish, { stream: id, epoch }, { account: 'acc_1', correlation: 'req_1', about: id })).position;
      }),
    };
    const ending = new AbortController();
    const parts: ProcessDependencies = {
      log,
      views: wrapViews(views),
      leases: wrapLeases(leases, () => ending.abort()),
      dispatcher,
      clock,
      onError: (_, todo, error) => errors.push([todo, String(error)]),
    };
    const frozen = new AbortController();
    const keeping = AbortSignal.any([ending.signal, frozen.signal]);
    const ended = Promise.all([
      runProjections([todoList(process)], { log, views, ...uncontendedLeases() }, keeping),
      runProcesses([process], parts, ending.signal),
    ]);
    const result: Chores = {
      begun,
      errors,
      async ask(id, lane = 'kitchen', due_at = now) {
        const of = {
          $correlationId: 'r',
          $causationId: 'r',
          account: 'acc_1',
          actor: { kind: 'key', id: 'k' },
          occurredAt: new Date(now).toISOString(),
        };
        await log.append(`chore-${id}`, 'no-stream', [{ type: 'ChoreAsked', data: { lane, due_at } }], { ...of, invocation: id });
      },
      end: (id) => ends.get(id)?.(),
      async until(n) {
        while (begun.length < n) {
          await new Promise<void>((resolve) => {
            told = resolve;
          });
        }
      },
      freeze: () => frozen.abort(),
      tell: () => ending.abort(),
      async stop() {
        ending.abort();
        for (const end of ends.values()) end();
        await ended;
      },
    };
    running.push(result);
    return result;
  }

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

  it('serves lanes in turn where the total limit is smaller than their number', async () => {
    const { ask, until, begun, end } = chores({ concurrency: { lane: 2, total: 2 }, long: () => true });
    for (const lane of ['a', 'b', 'c']) for (let i = 0; i < 6; i++) await ask(`${lane}${i}`, lane);
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
    const { ask, begun, errors } = chores({ concurrency: { lane: 100, total: 200 }, away: () => away });
    for (let i = 0; i < 300; i++) await ask(String(i), `lane ${i % 3}`);
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 200) {
        await clock.advance(200);
        for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await pass(60_000);
    expect(begun.length).to.be.within(200, 600);
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
  const methods = ['docs', 'writer', 'shadow', 'promote', 'discard', 'snapshot', 'status', 'halt', 'waitUntilReached', 'close'] as const;
  return Object.fromEntries(methods.map((name) => [name, (views[name] as (...args: unknown[]) => unknown).bind(views)])) as unknown as ReadModels;
}
