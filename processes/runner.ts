import { setMaxListeners } from 'node:events';
import type { Dispatcher } from '../commands/kernel.js';
import {
  type Checkpoint,
  type Clock,
  type Docs,
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
import type { AnyProcessManager, PerformContext, Todo } from './kernel.js';
import { TODOS, todoList } from './todo-list.js';

/** The longest time between two polls of the to-do list. */
const POLL_MS = 1_000;
/** After a change the runner waits for more changes before it polls: at least this long, longer where polling is slow. */
const MIN_BATCH_MS = 3;
const MAX_BATCH_MS = 200;
/** With more lanes than this, a poll first reads the earliest to-dos of all lanes instead of querying each lane. */
const MAX_LANES_TO_QUERY = 16;
const EARLIEST_LIMIT = 500;
/** How many to-dos of a lane are read ahead of those that can start now. */
const PREFETCH = 512;
/** Delays after a to-do that failed or could not be recorded, in milliseconds; the last one is repeated. */
const ERROR_DELAYS_MS = [200, 1_000, 5_000, 30_000];
/** The same where only a store was unavailable. */
const UNAVAILABLE_DELAYS_MS = [200, 1_000];
const ERROR_RETENTION_MS = 60_000;

export interface ProcessDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly leases: Leases;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** `todo` is null where the list itself could not be read. */
  readonly onError?: (process: string, todo: string | null, error: unknown) => void;
  readonly onRunning?: (process: string, running: number) => void;
}

/** Runs process managers until the signal aborts; then waits for work in flight and releases the leases. */
export async function runProcesses(processes: readonly AnyProcessManager[], parts: ProcessDependencies, signal: AbortSignal): Promise<void> {
  await Promise.all(
    processes.map((process) =>
      withLease(`process/${process.name}`, parts, signal, (held, epoch) => new ProcessWorker(process, parts, epoch).run(held)),
    ),
  );
}

/** The work of one process manager while this node holds its lease: takes due to-dos, lane by lane, and performs them. */
class ProcessWorker {
  readonly #list: Projection;
  readonly #todos: Docs<Todo>;
  readonly #context: PerformContext;
  readonly #running = new Set<string>();
  readonly #inLane = new Map<string, number>();
  /** To-dos whose outcome is recorded, with its position, until the list has reached it. */
  readonly #recorded = new Map<string, Checkpoint>();
  /** By lane: due to-dos that could not start yet when they were read. */
  readonly #prefetched = new Map<string, readonly Todo[]>();
  readonly #failed = new Map<string, { times: number; until: number }>();
  readonly #stop = new AbortController();
  readonly #limit: ConcurrencyLimit;
  #resolveWait: () => void = () => {};
  /** Whether something happened since the last poll. */
  #changed = false;
  #position: Checkpoint = 'start';
  /** Lanes at the last count. */
  #laneCount = 0;
  /** The lane that is served first at the next poll (round robin). */
  #nextLane = '';
  #batchMs = MIN_BATCH_MS;

  constructor(
    private readonly process: AnyProcessManager,
    private readonly parts: ProcessDependencies,
    epoch: number,
  ) {
    this.#list = todoList(process);
    this.#limit = new ConcurrencyLimit(process.concurrency.total);
    this.#todos = parts.views.docs<Todo>(this.#list, TODOS);
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
        await this.parts.clock.sleep(POLL_MS, this.#stop.signal);
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
      !(await this.parts.views.waitUntilReached(this.#list, head, POLL_MS, this.#stop.signal))
    );
  }

  /** Starts due to-dos within the limits of their lanes. Returns when the next to-do is due, in milliseconds since 1970. */
  async #takeDue(): Promise<number> {
    this.#changed = false;
    this.#position = (await this.parts.views.status(this.#list)).position;
    const now = this.parts.clock.now();
    for (const [id, position] of this.#recorded) if (!isAfter(position, this.#position)) this.#recorded.delete(id);
    for (const [id, { until }] of this.#failed) if (until + ERROR_RETENTION_MS < now) this.#failed.delete(id);
    const began = this.parts.clock.monotonic();
    const taken = (this.#laneCount > MAX_LANES_TO_QUERY ? await this.#takeEarliest(now) : null) ?? (await this.#takeByLanes(now));
    const next = this.#limit.pausedUntil > now ? Math.min(taken, this.#limit.pausedUntil) : taken;
    this.#batchMs = Math.min(MAX_BATCH_MS, Math.max(MIN_BATCH_MS, 2 * (this.parts.clock.monotonic() - began)));
    this.parts.onRunning?.(this.process.name, this.#running.size);
    return next;
  }

  /** Null where more to-dos are due than were read: then those of a short lane could lie behind those of a long one. */
  async #takeEarliest(now: number): Promise<number | null> {
    const limit = EARLIEST_LIMIT + this.#excluded();
    const rows = await this.#todos.find({ where: {}, order: { field: 'due_at' }, limit });
    const complete = rows.length < limit || (rows.at(-1) as Todo).due_at > now;
    if (!complete) return null;
    this.#prefetched.clear();
    return this.#take(rows, now);
  }

  async #takeByLanes(now: number): Promise<number> {
    const lanes = (await this.#todos.distinct('lane')).map(String);
    this.#laneCount = lanes.length;
    const first = lanes.findIndex((lane) => lane >= this.#nextLane);
    let next = now + POLL_MS;
    for (const lane of first > 0 ? [...lanes.slice(first), ...lanes.slice(0, first)] : lanes) {
      const room = this.#available(lane);
      if (room <= 0) continue;
      next = Math.min(next, await this.#takeOfLane(lane, room, now));
      this.#nextLane = `${lane}\0`;
    }
    return next;
  }

  /**
   * Takes prefetched to-dos, and reads the list only when they are not enough. A prefetched to-do may be outdated; the decider
   * detects that, as with any late timer.
   */
  async #takeOfLane(lane: string, room: number, now: number): Promise<number> {
    const left = this.#prefetched.get(lane) ?? [];
    if (left.length >= room) return this.#takeFirst(lane, left, room, now);
    const rows = await this.#todos.find({ where: { lane }, order: { field: 'due_at' }, limit: room + PREFETCH + this.#excluded() });
    const open = rows.filter(({ id }) => !this.#running.has(id) && !this.#recorded.has(id));
    return this.#takeFirst(lane, open, room, now);
  }

  #takeFirst(lane: string, rows: readonly Todo[], room: number, now: number): number {
    const next = this.#take(rows.slice(0, room), now);
    const left = rows.slice(room).filter(({ due_at }) => due_at <= now);
    if (left.length > 0) this.#prefetched.set(lane, left);
    else this.#prefetched.delete(lane);
    return Math.min(next, rows.find(({ due_at }) => due_at > now)?.due_at ?? next);
  }

  /** How many rows of the list may have to be skipped: they run, are recorded, or wait after an error. */
  #excluded(): number {
    return this.#running.size + this.#recorded.size + this.#failed.size;
  }

  #available(lane: string): number {
    const free = this.process.concurrency.lane - (this.#inLane.get(lane) ?? 0);
    return Math.min(free, this.#limit.available(this.#running.size, this.parts.clock.now()));
  }

  #take(rows: readonly Todo[], now: number): number {
    let next = now + POLL_MS;
    for (const todo of rows) {
      if (this.#running.has(todo.id) || this.#recorded.has(todo.id)) continue;
      const at = Math.max(todo.due_at, this.#failed.get(todo.id)?.until ?? 0);
      if (at > now) next = Math.min(next, at);
      else if (this.#available(todo.lane) > 0) this.#start(todo);
    }
    return next;
  }

  #start(todo: Todo): void {
    this.#running.add(todo.id);
    this.#countLane(todo.lane, 1);
    const { round } = this.#limit;
    this.process
      .perform([todo], this.#context)
      .then(([outcome]) => {
        if (outcome === undefined) throw new Error(`${this.process.name} has no outcome for ${todo.id}`);
        if (typeof outcome !== 'string') throw outcome;
        const position = outcome;
        this.#limit.succeeded();
        // Nothing recorded: the list is behind, or nothing can be done now. Try again later.
        if (position === 'start') return this.#defer(todo.id);
        this.#failed.delete(todo.id);
        this.#recorded.set(todo.id, position);
      })
      .catch((error: unknown) => {
        const away = isStoreFailure(error);
        if (!away || this.#limit.failed(round, this.parts.clock.now())) this.parts.onError?.(this.process.name, todo.id, error);
        this.#defer(todo.id, away ? UNAVAILABLE_DELAYS_MS : ERROR_DELAYS_MS);
      })
      .finally(() => {
        this.#running.delete(todo.id);
        this.#countLane(todo.lane, -1);
        this.#wakeUp();
      });
  }

  #countLane(lane: string, by: number): void {
    const n = (this.#inLane.get(lane) ?? 0) + by;
    if (n > 0) this.#inLane.set(lane, n);
    else this.#inLane.delete(lane);
  }

  #defer(id: string, delays = ERROR_DELAYS_MS): void {
    const times = (this.#failed.get(id)?.times ?? 0) + 1;
    const delay = delays[Math.min(times, delays.length) - 1] as number;
    this.#failed.set(id, { times, until: this.parts.clock.now() + delay });
  }

  /** Waits until the list has changed, a to-do has finished, or one is due. */
  async #waitForWork(nextDue: number): Promise<void> {
    const stop = new AbortController();
    const woken = new Promise<void>((resolve) => (this.#resolveWait = resolve));
    if (!this.#changed) {
      const due = this.parts.clock.sleep(Math.max(0, nextDue - this.parts.clock.now()), stop.signal);
      const changed = this.parts.views.waitUntilReached(this.#list, justAfter(this.#position), POLL_MS, stop.signal);
      await Promise.race([woken, due, changed]).finally(() => stop.abort());
    }
    if (!this.#stop.signal.aborted) await this.parts.clock.sleep(this.#batchMs, this.#stop.signal);
  }
}

const isStoreFailure = (e: unknown): boolean => e instanceof StoreUnavailable || e instanceof OutcomeUnknown;
