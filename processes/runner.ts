import { setMaxListeners } from 'node:events';
import type { Dispatcher } from '../commands/kernel.js';
import {
  beyond,
  type Clock,
  type Docs,
  type From,
  isAfter,
  type Leases,
  OutcomeUnknown,
  type ReadModels,
  StoreUnavailable,
} from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { Projection } from '../projections/kernel.js';
import { whileHeld } from '../projections/while-held.js';
import type { AnyProcess, Performing, Todo } from './kernel.js';
import { Pace } from './pace.js';
import { TODOS, todoList } from './todo-list.js';

/** The longest a runner sleeps without looking at its list. */
const LOOK_MS = 1_000;
/** Under load a list changes all the time: so long is waited for more of it to come, longer where a look costs much. */
const GATHER_MS = 3;
const LONGEST_GATHER_MS = 200;
/** Beyond so many lanes a look does not ask each of them if the earliest to-dos of all are enough to know what is due. */
const FEW_LANES = 16;
const EARLIEST = 500;
/** So many to-dos of a lane are read beyond those that it has room for: they are the next ones. */
const LOOK_AHEAD = 512;
/** Waits after a to-do that could not be done or not be recorded, in milliseconds; the last one is repeated. */
const ERROR_DELAYS_MS = [200, 1_000, 5_000, 30_000];
/** The same where only a store was away: nothing is wrong with the to-do, and asking again costs little. */
const AWAY_DELAYS_MS = [200, 1_000];
const FORGET_ERROR_MS = 60_000;

export interface ProcessParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly leases: Leases;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** `todo` is null where not one to-do but the list itself could not be read. */
  readonly onError?: (process: string, todo: string | null, error: unknown) => void;
  readonly onLength?: (process: string, running: number) => void;
}

/** Runs processes until the signal aborts; then waits for what is under way, and gives the leases back. */
export async function runProcesses(processes: readonly AnyProcess[], parts: ProcessParts, signal: AbortSignal): Promise<void> {
  await Promise.all(
    processes.map((process) => whileHeld(`process/${process.name}`, parts, signal, (held, epoch) => new Worker(process, parts, epoch).work(held))),
  );
}

/** One holder of the lease: takes what is due, lane by lane, and does it. */
class Worker {
  readonly #list: Projection;
  readonly #todos: Docs<Todo>;
  readonly #performing: Performing;
  readonly #running = new Set<string>();
  readonly #inLane = new Map<string, number>();
  /** Done, but the list has not seen the record yet. */
  readonly #settling = new Map<string, From>();
  /** Due to-dos of a lane that had no room when they were read. */
  readonly #left = new Map<string, readonly Todo[]>();
  readonly #failed = new Map<string, { times: number; until: number }>();
  readonly #stop = new AbortController();
  readonly #pace: Pace;
  #wake: () => void = () => {};
  /** Something happened since the list was last looked at. */
  #woken = false;
  #seen: From = 'start';
  /** Lanes at the last count. */
  #lanes = 0;
  /** The lane with which the next turn begins, so that none waits for ever behind those before it. */
  #turn = '';
  #gather = GATHER_MS;

  constructor(
    private readonly process: AnyProcess,
    private readonly parts: ProcessParts,
    epoch: number,
  ) {
    this.#list = todoList(process);
    this.#pace = new Pace(process.concurrency.total);
    this.#todos = parts.views.docs<Todo>(this.#list, TODOS);
    // As many may listen for the end as there is work under way.
    setMaxListeners(0, this.#stop.signal);
    this.#performing = {
      log: parts.log,
      now: () => parts.clock.now(),
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

  /** Works until the signal aborts, and ends when nothing is under way any more. */
  async work(signal: AbortSignal): Promise<void> {
    const stop = () => this.#end();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for (let settled = false; !this.#stop.signal.aborted; ) {
      try {
        if (!settled) await this.#settleEarlierWork();
        settled = true;
        await this.#news(await this.#takeDue());
      } catch (e) {
        this.parts.onError?.(this.process.name, null, e);
        await this.parts.clock.sleep(LOOK_MS, this.#stop.signal);
      }
    }
    while (this.#running.size > 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    signal.removeEventListener('abort', stop);
  }

  #end(): void {
    this.#stop.abort();
    this.#wakeUp();
  }

  #wakeUp(): void {
    this.#woken = true;
    this.#wake();
  }

  /** What the holder before recorded must be in the list before anything is taken from it, or it would be done again. */
  async #settleEarlierWork(): Promise<void> {
    const head = await this.parts.log.store.head();
    while (!this.#stop.signal.aborted && head !== 'start' && !(await this.parts.views.reached(this.#list, head, LOOK_MS, this.#stop.signal)));
  }

  /** Starts what is due and has room in its lane. Gives the time of the earliest to-do that is not due yet. */
  async #takeDue(): Promise<number> {
    this.#woken = false;
    this.#seen = (await this.parts.views.status(this.#list)).position;
    const now = this.parts.clock.now();
    for (const [id, position] of this.#settling) if (!isAfter(position, this.#seen)) this.#settling.delete(id);
    for (const [id, { until }] of this.#failed) if (until + FORGET_ERROR_MS < now) this.#failed.delete(id);
    const began = performance.now();
    const taken = (this.#lanes > FEW_LANES ? await this.#takeEarliest(now) : null) ?? (await this.#takeByLanes(now));
    const next = this.#pace.goesOnAt > now ? Math.min(taken, this.#pace.goesOnAt) : taken;
    this.#gather = Math.min(LONGEST_GATHER_MS, Math.max(GATHER_MS, 2 * (performance.now() - began)));
    this.parts.onLength?.(this.process.name, this.#running.size);
    return next;
  }

  /** Null where more is due than was looked at: then a lane might be hidden behind a long one. */
  async #takeEarliest(now: number): Promise<number | null> {
    const limit = EARLIEST + this.#known();
    const rows = await this.#todos.find({ where: {}, order: { field: 'due_at' }, limit });
    const complete = rows.length < limit || (rows.at(-1) as Todo).due_at > now;
    if (!complete) return null;
    this.#left.clear();
    return this.#take(rows, now);
  }

  async #takeByLanes(now: number): Promise<number> {
    const lanes = (await this.#todos.distinct('lane')).map(String);
    this.#lanes = lanes.length;
    const first = lanes.findIndex((lane) => lane >= this.#turn);
    let next = now + LOOK_MS;
    for (const lane of first > 0 ? [...lanes.slice(first), ...lanes.slice(0, first)] : lanes) {
      const room = this.#room(lane);
      if (room <= 0) continue;
      next = Math.min(next, await this.#takeOfLane(lane, room, now));
      this.#turn = `${lane}\0`;
    }
    return next;
  }

  /**
   * Takes what an earlier look left over, and looks again only when that is not enough. What is left over may have changed
   * meanwhile; whoever decides on it finds out, as with any wake-up that comes late.
   */
  async #takeOfLane(lane: string, room: number, now: number): Promise<number> {
    const left = this.#left.get(lane) ?? [];
    if (left.length >= room) return this.#takeFirst(lane, left, room, now);
    const rows = await this.#todos.find({ where: { lane }, order: { field: 'due_at' }, limit: room + LOOK_AHEAD + this.#known() });
    const open = rows.filter(({ id }) => !this.#running.has(id) && !this.#settling.has(id));
    return this.#takeFirst(lane, open, room, now);
  }

  #takeFirst(lane: string, rows: readonly Todo[], room: number, now: number): number {
    const next = this.#take(rows.slice(0, room), now);
    const left = rows.slice(room).filter(({ due_at }) => due_at <= now);
    if (left.length > 0) this.#left.set(lane, left);
    else this.#left.delete(lane);
    return Math.min(next, rows.find(({ due_at }) => due_at > now)?.due_at ?? next);
  }

  /** Rows that may be in the list although nothing is to be done about them now. */
  #known(): number {
    return this.#running.size + this.#settling.size + this.#failed.size;
  }

  #room(lane: string): number {
    const free = this.process.concurrency.lane - (this.#inLane.get(lane) ?? 0);
    return Math.min(free, this.#pace.room(this.#running.size, this.parts.clock.now()));
  }

  #take(rows: readonly Todo[], now: number): number {
    let next = now + LOOK_MS;
    for (const todo of rows) {
      if (this.#running.has(todo.id) || this.#settling.has(todo.id)) continue;
      const at = Math.max(todo.due_at, this.#failed.get(todo.id)?.until ?? 0);
      if (at > now) next = Math.min(next, at);
      else if (this.#room(todo.lane) > 0) this.#start(todo);
    }
    return next;
  }

  #start(todo: Todo): void {
    this.#running.add(todo.id);
    this.#countLane(todo.lane, 1);
    const { round } = this.#pace;
    this.process
      .perform(todo, this.#performing)
      .then((position) => {
        this.#pace.succeeded();
        // Nothing recorded: the list is behind, or nothing can be done now. Ask again in a while.
        if (position === 'start') return this.#defer(todo.id);
        this.#failed.delete(todo.id);
        this.#settling.set(todo.id, position);
      })
      .catch((error: unknown) => {
        const away = isAway(error);
        if (!away || this.#pace.failed(round, this.parts.clock.now())) this.parts.onError?.(this.process.name, todo.id, error);
        this.#defer(todo.id, away ? AWAY_DELAYS_MS : ERROR_DELAYS_MS);
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

  /** Until the list has changed, something finished, or something is due. */
  async #news(nextDue: number): Promise<void> {
    const stop = new AbortController();
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    if (!this.#woken) {
      const due = this.parts.clock.sleep(Math.max(0, nextDue - this.parts.clock.now()), stop.signal);
      const changed = this.parts.views.reached(this.#list, beyond(this.#seen), LOOK_MS, stop.signal);
      await Promise.race([woken, due, changed]).finally(() => stop.abort());
    }
    if (!this.#stop.signal.aborted) await this.parts.clock.sleep(this.#gather, this.#stop.signal);
  }
}

const isAway = (e: unknown): boolean => e instanceof StoreUnavailable || e instanceof OutcomeUnknown;
