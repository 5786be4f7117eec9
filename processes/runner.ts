import { setMaxListeners } from 'node:events';
import type { Dispatcher } from '../commands/kernel.js';
import {
  type Checkpoint,
  type Clock,
  isAfter,
  justAfter,
  type Leases,
  OutcomeUnknown,
  type ReadModels,
  StoreUnavailable,
} from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { Projection } from '../projections/kernel.js';
import { withLease } from '../projections/with-lease.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { AnyProcessManager, Outcome, PerformContext, Priority, Todo } from './kernel.js';
import { parkTodo } from './park-todo.js';
import { RateAllowances } from './rate-allowances.js';
import { Retries } from './retries.js';
import { groupKey, type Openings, Scheduler } from './scheduler.js';
import { hasManyLanes, type StoredTodo, TODOS, todoList } from './todo-list.js';
import { type Look, TodoWindows } from './todo-windows.js';
import { PROCESS_TUNING, type ProcessTuning } from './tuning.js';

/** Delay after the list itself could not be read, and of one wait for it, in milliseconds. */
const LIST_RETRY_MS = 1_000;

export interface ProcessDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly leases: Leases;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** `todo` is null where the list itself could not be read. */
  readonly onError?: (process: string, todo: string | null, error: unknown) => void;
  readonly onRunning?: (process: string, running: number) => void;
  readonly tuning?: ProcessTuning;
  /** To-dos a second of each account, for a process and a priority; without it, any number. */
  readonly rateOf?: (process: string, priority: Priority) => number | null;
}

/** Runs process managers until the signal aborts; then waits for work in flight and releases the leases. */
export async function runProcesses(processes: readonly AnyProcessManager[], parts: ProcessDependencies, signal: AbortSignal): Promise<void> {
  await Promise.all(
    processes.map((process) =>
      withLease(`process/${process.name}`, parts, signal, (held, epoch) => new ProcessWorker(process, parts, epoch).run(held)),
    ),
  );
}

/** An outcome that is recorded, until the list has reached it. */
interface RecordedOutcome {
  readonly position: Checkpoint;
  readonly group: string;
  /** By the monotonic clock. */
  readonly at: number;
}

/** The work of one process manager while this node holds its lease: takes due to-dos by the scheduler and performs them. */
class ProcessWorker {
  readonly #list: Projection;
  readonly #windows: TodoWindows;
  readonly #scheduler: Scheduler;
  readonly #context: PerformContext;
  readonly #running = new Map<string, Todo>();
  /** In the order in which they were recorded. */
  readonly #recorded = new Map<string, RecordedOutcome>();
  readonly #retries: Retries;
  readonly #rates: RateAllowances;
  readonly #stop = new AbortController();
  readonly #limit: ConcurrencyLimit;
  readonly #tuning: ProcessTuning;
  #resolveWait: () => void = () => {};
  /** Whether something happened since the last look at the list. */
  #changed = false;
  #position: Checkpoint = 'start';
  #gatherMs: number;

  constructor(
    private readonly process: AnyProcessManager,
    private readonly parts: ProcessDependencies,
    epoch: number,
  ) {
    const { clock, views, rateOf } = parts;
    this.#tuning = parts.tuning ?? PROCESS_TUNING;
    this.#gatherMs = this.#tuning.gather.minMs;
    this.#list = todoList(process);
    this.#limit = new ConcurrencyLimit(process.concurrency.total);
    this.#windows = new TodoWindows(views.docs<StoredTodo>(this.#list, TODOS), hasManyLanes(process), clock, this.#tuning.window);
    this.#scheduler = new Scheduler({ ...process.concurrency, batch: process.batch?.max ?? 1 });
    this.#retries = new Retries(this.#tuning);
    this.#rates = new RateAllowances(
      clock,
      (priority) => rateOf?.(process.name, priority) ?? null,
      (todo) => process.weight?.(todo) ?? 1,
    );
    // Each to-do in flight may listen for the end.
    setMaxListeners(0, this.#stop.signal);
    this.#context = {
      log: parts.log,
      clock: parts.clock,
      epoch,
      signal: this.#stop.signal,
      execute: (command, input, { account, correlation, about }) =>
        parts.dispatcher.execute(command, input, {
          account,
          correlation,
          actor: { kind: 'process', id: process.name },
          invocation: `${process.name}/${about}`,
        }),
    };
  }

  /** Runs until the signal aborts; resolves when no work is in flight any more. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#end();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for (let settled = false; !this.#stop.signal.aborted; ) {
      try {
        if (!settled) await this.#waitForEarlierRecords();
        settled = true;
        await this.#waitForWork(await this.#takeDue());
      } catch (e) {
        this.parts.onError?.(this.process.name, null, e);
        await this.parts.clock.sleep(LIST_RETRY_MS, this.#stop.signal);
      }
    }
    while (this.#running.size > 0) await new Promise<void>((resolve) => (this.#resolveWait = resolve));
    signal.removeEventListener('abort', stop);
  }

  #end(): void {
    this.#stop.abort();
    this.#wakeUp();
  }

  #wakeUp(): void {
    this.#changed = true;
    this.#resolveWait();
  }

  /** Waits until the list has reached the end of the log: it must contain what the previous holder recorded, or that work would be repeated. */
  async #waitForEarlierRecords(): Promise<void> {
    const head = await this.parts.log.store.head();
    while (
      !this.#stop.signal.aborted &&
      head !== 'start' &&
      !(await this.parts.views.waitUntilReached(this.#list, head, LIST_RETRY_MS, this.#stop.signal))
    );
  }

  /** Starts due to-dos. Returns when to look again if nothing changes, in milliseconds since 1970. */
  async #takeDue(): Promise<number> {
    const { clock } = this.parts;
    this.#changed = false;
    this.#position = (await this.parts.views.status(this.#list)).position;
    for (const [id, { position }] of this.#recorded) if (!isAfter(position, this.#position)) this.#recorded.delete(id);
    const now = clock.now();
    const began = clock.monotonic();
    const waiting = this.#retries.waiting(now);
    const openings = this.#openings(now, waiting.groups);
    const { groups, nextDue } = await this.#windows.read({
      now,
      skip: (todo) => this.#running.has(todo.id) || this.#recorded.has(todo.id) || this.#retries.waits(todo, now),
      skipped: this.#skipped(waiting.groups),
      room: (priority, account) => this.#scheduler.room(priority, account, openings) * (this.process.batch?.max ?? 1),
      roomOfLane: (todo) => this.#scheduler.roomOfLane(todo) * (this.process.batch?.max ?? 1),
    });
    for (const todos of this.#scheduler.take(groups, openings)) this.#start(todos);
    const { minMs, maxMs } = this.#tuning.gather;
    this.#gatherMs = Math.min(maxMs, Math.max(minMs, 2 * (clock.monotonic() - began)));
    this.parts.onRunning?.(this.process.name, this.#running.size);
    const paused = this.#limit.pausedUntil > now ? this.#limit.pausedUntil : Number.POSITIVE_INFINITY;
    return Math.min(nextDue, waiting.nextDue, paused, now + this.#rates.nextMs(), nextTick(now, this.#tuning.idleMs));
  }

  #openings(now: number, waiting: ReadonlyMap<string, number>): Openings {
    const all = this.#limit.at(now);
    const { slowMs, stopMs } = this.#tuning.lag;
    const share = Math.min(1, Math.max(0, (stopMs - this.#lagMs()) / (stopMs - slowMs)));
    return {
      all,
      // Some always, so that a list that has stopped does not stop its process.
      lower: Math.max(1, Math.floor(all / 16), Math.floor(all * share)),
      allowance: (priority, account) =>
        (waiting.get(groupKey(priority, account)) ?? 0) < this.#tuning.maxDeferred ? this.#rates.of(priority, account) : 0,
      isAlone: (todo) => this.#retries.isAlone(todo) || isDropped(todo),
    };
  }

  /** How long the list has not contained what this process recorded. */
  #lagMs(): number {
    const [oldest] = this.#recorded.values();
    return oldest ? this.parts.clock.monotonic() - oldest.at : 0;
  }

  /** How many to-dos of the list are skipped: they run, are recorded, or wait after an error. */
  #skipped(waiting: ReadonlyMap<string, number>): Look['skipped'] {
    const group = new Map(waiting);
    for (const todo of this.#running.values()) increment(group, groupKey(todo.priority, todo.account), 1);
    for (const recorded of this.#recorded.values()) increment(group, recorded.group, 1);
    const priority = new Map<Priority, number>();
    for (const [name, n] of group) increment(priority, Number(name[0]) as Priority, n);
    return { group, priority };
  }

  #start(todos: readonly Todo[]): void {
    for (const todo of todos) this.#running.set(todo.id, todo);
    this.#windows.started(todos);
    this.#rates.started(todos);
    const { round } = this.#limit;
    this.#outcomes(todos)
      .then(async (outcomes) => {
        const outcomeOf = (i: number) => outcomes[i] ?? new Error(`${this.process.name} returned no outcome`);
        await Promise.all(todos.map((todo, i) => this.#settle(todo, outcomeOf(i), round, todos.length > 1)));
      })
      .finally(() => {
        for (const { id } of todos) this.#running.delete(id);
        this.#scheduler.ended(todos);
        this.#wakeUp();
      });
  }

  async #outcomes(todos: readonly Todo[]): Promise<readonly Outcome[]> {
    try {
      const [first] = todos;
      if (first && isDropped(first) && this.process.drop) return [await this.process.drop(first, this.#context)];
      return await this.process.perform(todos, this.#context);
    } catch (e) {
      const error = e instanceof Error ? e : new Error(String(e));
      return todos.map(() => error);
    }
  }

  async #settle(todo: Todo, outcome: Outcome, round: number, isOfBatch: boolean): Promise<void> {
    const now = this.parts.clock.now();
    if (outcome instanceof Error) {
      const away = isStoreFailure(outcome);
      if (!away || this.#limit.failed(round, now)) this.parts.onError?.(this.process.name, todo.id, outcome);
      if (away) this.#retries.putOff(todo, now, 'unavailable');
      else await this.#failed(todo, now, outcome, isOfBatch);
      return;
    }
    this.#limit.succeeded();
    // Nothing recorded: the list is behind, or nothing can be done now. Try again later.
    if (outcome === 'start') this.#retries.putOff(todo, now, 'nothing_recorded');
    else this.#done(todo, outcome);
  }

  #done(todo: Todo, position: Checkpoint): void {
    this.#retries.done(todo);
    this.#recorded.set(todo.id, { position, group: groupKey(todo.priority, todo.account), at: this.parts.clock.monotonic() });
  }

  /** Puts the to-do off, or parks it. */
  async #failed(todo: Todo, now: number, error: Error, isOfBatch: boolean): Promise<void> {
    // Others of its batch may be the reason: such a failure is no attempt.
    if (isOfBatch) return this.#retries.putOff(todo, now, 'unavailable', { alone: true });
    const attempts = (this.#retries.of(todo)?.attempts ?? 0) + 1;
    const after = this.process.onError?.(todo, attempts, error) ?? (attempts >= this.#tuning.retry.maxAttempts ? 'park' : null);
    this.#retries.putOff(todo, now, 'failed', { retryAt: after === 'park' ? null : (after?.retry_at ?? null) });
    if (after !== 'park') return;
    const firstAt = this.#retries.of(todo)?.firstAt ?? now;
    try {
      this.#done(todo, await parkTodo(this.process.name, todo, { attempts, error, firstAt }, this.#context));
    } catch (e) {
      this.parts.onError?.(this.process.name, todo.id, e);
    }
  }

  /** Waits until the list has changed, a to-do has finished, or one is due. */
  async #waitForWork(nextLook: number): Promise<void> {
    const stop = new AbortController();
    const woken = new Promise<void>((resolve) => (this.#resolveWait = resolve));
    if (!this.#changed) {
      const ms = Math.max(0, nextLook - this.parts.clock.now());
      const due = this.parts.clock.sleep(ms, stop.signal);
      const changed = this.parts.views.waitUntilReached(this.#list, justAfter(this.#position), this.#tuning.idleMs, stop.signal);
      await Promise.race([woken, due, changed]).finally(() => stop.abort());
    }
    if (!this.#stop.signal.aborted) await this.parts.clock.sleep(this.#gatherMs, this.#stop.signal);
  }
}

const increment = <K>(counts: Map<K, number>, key: K, by: number): void => void counts.set(key, (counts.get(key) ?? 0) + by);

/** The next multiple of the period, in milliseconds since 1970: idle processes of a node wake together. */
const nextTick = (now: number, periodMs: number): number => (Math.floor(now / periodMs) + 1) * periodMs;

const isDropped = (todo: StoredTodo | Todo): boolean => 'dropped' in todo && todo.dropped === true;
const isStoreFailure = (e: unknown): boolean => e instanceof StoreUnavailable || e instanceof OutcomeUnknown;
