import { randomUUID } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';
import { type Command, command } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { type EventOf, eventType } from '../../domain/kernel/event.js';
import { type Docs, type Leases, type ReadModels, StoreUnavailable } from '../../domain/kernel/ports.js';
import { count, record, text } from '../../domain/kernel/schema.js';
import { probeEvents } from '../../domain/parked/crash-probes.js';
import { parkedEvents } from '../../domain/parked/parked-work.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { EventTypeRegistry } from '../../log/runtime/event-type-registry.js';
import { Vault } from '../../log/vault/vault.js';
import { type PerformContext, type Priority, type ProcessManager, performEach, type Todo } from '../../processes/runtime/process-manager.js';
import { type ProcessDependencies, runProcesses } from '../../processes/runtime/runner.js';
import { type StoredTodo, TODOS, todoList } from '../../processes/runtime/todo-list.js';
import { parked } from '../../projections/parked/projection.js';
import { runProjections } from '../../projections/runtime/runner.js';
import type { SkippingClock } from '../support/skipping-clock.js';
import { system } from '../support/system.js';
import { testPorts } from '../support/test-ports.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

/** Chores, each in a lane: a process manager without a subject. */
const ChoreAsked = eventType('ChoreAsked', record({ lane: text, due_at: count, account: text, priority: count }));
const ChoreDone = eventType('ChoreDone', record({ epoch: count }));
type ChoreEvent = EventOf<typeof ChoreAsked> | EventOf<typeof ChoreDone>;

const finish = command({
  name: 'FinishChore',
  input: Type.Unsafe<{ stream: string; epoch: number }>(Type.Object({})),
  handle: ({ stream, epoch }, context) => context.append(stream, 0, [{ type: 'ChoreDone', data: { epoch } }]),
});

export interface ExampleProcess {
  /** Ids of started chores, in order. */
  readonly begun: string[];
  /** Of the leases under which they were started. */
  readonly epochs: number[];
  /** Ids of chores that were parked and then dropped. */
  readonly dropped: string[];
  readonly errors: [todo: string | null, error: string][];
  readonly list: Docs<StoredTodo>;
  readonly views: ReadModels;
  readonly stores: ExampleStores;
  /** Whether a chore, or `die`, has killed the process. */
  readonly died: boolean;
  /** Ends the process as kill -9 does: nothing is recorded or released any more. */
  die(): void;
  /** Runs a command as an operator does. */
  execute<Input extends TSchema>(command: Command<Input, void>, input: Static<Input>): Promise<void>;
  ask(id: string, lane?: string, due_at?: number, group?: { readonly account?: string; readonly priority?: Priority }): Promise<void>;
  /** Ends a started chore. */
  end(id: string): void;
  /** A part of a started chore is on record. */
  progress(id: string): void;
  /** Resolves when this many have started. */
  until(begun: number): Promise<void>;
  /** Stops the projection of the list. */
  freeze(): void;
  /** Aborts the runner's signal. */
  tell(): void;
  /** The same, and resolves when the runner has stopped. */
  stop(): Promise<void>;
}

/** What survives the death of a process. */
export type ExampleStores = ReturnType<typeof openStores>;

export interface Given {
  readonly clock: SkippingClock;
  /** Into how many partitions the store divides the list; 1 without it. */
  readonly partitions?: number;
  /** How many nodes run the process; 1 without it. */
  readonly nodes?: number;
  /** Those of an earlier process. */
  readonly stores?: ExampleStores;
  /** Whether a chore kills the process. */
  readonly kills?: (id: string) => boolean;
  readonly concurrency?: ProcessManager['concurrency'];
  readonly batch?: ProcessManager['batch'];
  /** Sizes of the calls of `perform`. */
  readonly onCall?: (todos: readonly Todo[]) => void;
  /** Chores that take until `end` is called; all others end at once. */
  readonly long?: (id: string) => boolean;
  /** Whether a chore throws. */
  readonly broken?: (id: string) => boolean;
  /** Whether a store that chores need is unavailable. */
  readonly away?: () => boolean;
  /** Whether a read model that a chore needs is behind the log. */
  readonly behind?: (id: string) => boolean;
  readonly views?: (views: ReadModels) => ReadModels;
  readonly leases?: (leases: Leases, stop: () => void) => Leases;
}

function openStores(clock: SkippingClock, partitions: number) {
  const engine = openMemoryLog();
  const vault = new Vault(Buffer.alloc(32), engine.keys, system);
  const log = new EventLog(engine.events, vault, new EventTypeRegistry([ChoreAsked, ChoreDone, ...parkedEvents, ...probeEvents]));
  return { ...openMemoryViews({ clock, partitions }), vault, log };
}

/** Leases that a dead process neither renews nor releases. */
const leasesOf = (leases: Leases, died: () => boolean): Leases => ({
  join: (...group) => leases.join(...group),
  async acquire(name, ttlMs) {
    const lease = died() ? null : await leases.acquire(name, ttlMs);
    const unlessDead = <T>(otherwise: T, call: () => Promise<T>) => (died() ? Promise.resolve(otherwise) : call());
    return lease && { ...lease, renew: () => unlessDead(false, () => lease.renew()), release: () => unlessDead(undefined, () => lease.release()) };
  },
});

/** Of work that a killed process does not end. */
const NEVER = new Promise<never>(() => {});

export function startChores({
  clock,
  partitions = 1,
  nodes = 1,
  stores = openStores(clock, partitions),
  kills = () => false,
  concurrency = { lane: 2, total: 100 },
  batch,
  onCall = () => {},
  long = () => false,
  broken = () => false,
  away = () => false,
  behind = () => false,
  views: wrapViews = (v) => v,
  leases: wrapLeases = (l) => l,
}: Given): ExampleProcess {
  const { views, leases, vault, log } = stores;
  const dispatcher = createDispatcher({ log, addresses: vault, ports: testPorts(log), clock, entropy: system.entropy, secretKey: Buffer.alloc(32) });
  let died = false;
  const begun: string[] = [];
  const epochs: number[] = [];
  const dropped: string[] = [];
  const errors: ExampleProcess['errors'] = [];
  const ends = new Map<string, () => void>();
  const progress = new Map<string, () => void>();
  let notifyStarted = () => {};
  const perform = performEach(async (todo: Todo, { execute, epoch, progressed }: PerformContext) => {
    const { id } = todo;
    const chore = id.slice('chore-'.length);
    progress.set(chore, () => progressed?.(todo));
    const ended = long(chore) ? new Promise<void>((resolve) => ends.set(chore, resolve)) : Promise.resolve();
    begun.push(chore);
    epochs.push(epoch);
    notifyStarted();
    if (kills(chore)) result.die();
    await ended;
    if (died) await NEVER;
    if (broken(chore)) throw Object.assign(new TypeError('a text that may be personal'), { code: 'E_BROKEN' });
    if (away()) throw new StoreUnavailable('away');
    if (behind(chore)) throw new DomainError('projection_behind', 'behind');
    return (await execute(finish, { stream: id, epoch }, { account: 'acc_1', correlation: 'req_1', about: id })).position;
  });
  const process: ProcessManager<ChoreEvent> = {
    name: 'chores',
    version: 1,
    handles: ['ChoreAsked', 'ChoreDone'],
    concurrency,
    ...(batch && { batch }),
    ...(partitions > 1 && { partitionsOf: ({ stream }) => [stream] }),
    reads: ({ stream }) => ({ todos: [stream] }),
    react: ({ event, stream }) =>
      event.type === 'ChoreAsked'
        ? [{ do: 'schedule', todo: { id: stream, ...event.data, priority: event.data.priority as Priority } }]
        : [{ do: 'cancel', id: stream }],
    drop: async ({ id }, { execute, epoch }) => {
      dropped.push(id.slice('chore-'.length));
      return (await execute(finish, { stream: id, epoch }, { account: 'acc_1', correlation: 'req_1', about: `${id}/drop` })).position;
    },
    perform: (todos, performing) => {
      onCall(todos);
      return perform(todos, performing);
    },
  };
  const ending = new AbortController();
  const parts: ProcessDependencies = {
    log,
    views: wrapViews(views),
    leases: wrapLeases(
      leasesOf(leases, () => died),
      () => ending.abort(),
    ),
    dispatcher,
    clock,
    onError: (_, todo, error) => errors.push([todo, String(error)]),
  };
  const frozen = new AbortController();
  const keeping = AbortSignal.any([ending.signal, frozen.signal]);
  const ended = Promise.all([
    runProjections([todoList(process), parked], { log, views, ...uncontendedLeases() }, keeping),
    ...Array.from({ length: nodes }, () => runProcesses([process], parts, ending.signal)),
  ]);
  const result: ExampleProcess = {
    stores,
    get died() {
      return died;
    },
    die() {
      died = true;
      ending.abort();
    },
    begun,
    epochs,
    dropped,
    errors,
    list: views.docs<StoredTodo>(todoList(process), TODOS),
    views,
    execute: async (command, input) => {
      const cause = { account: 'acc_1', actor: { kind: 'operator', id: 'o' }, invocation: randomUUID(), correlation: 'req_1' } as const;
      await dispatcher.execute(command, input, cause);
    },
    async ask(id, lane = 'kitchen', due_at = clock.now(), { account = 'acc_1', priority = 1 } = {}) {
      const base = {
        $correlationId: 'r',
        $causationId: 'r',
        account: 'acc_1',
        actor: { kind: 'key', id: 'k' },
        occurredAt: new Date(clock.now()).toISOString(),
      };
      await log.append(`chore-${id}`, 'no-stream', [{ type: 'ChoreAsked', data: { lane, due_at, account, priority } }], { ...base, invocation: id });
    },
    end: (id) => ends.get(id)?.(),
    progress: (id) => progress.get(id)?.(),
    async until(n) {
      while (begun.length < n) {
        await new Promise<void>((resolve) => {
          notifyStarted = resolve;
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
  return result;
}
