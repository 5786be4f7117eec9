import type { Dispatcher } from '../commands/kernel.js';
import { beyond, type Clock, type Docs, type From, isAfter, type Lease, type Leases, type ReadModels } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { Projection } from '../projections/kernel.js';
import type { AnyProcess, Performing, Todo } from './kernel.js';
import { TODOS, todoList } from './todo-list.js';

/** A lease is renewed three times before it would run out. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** How long a runner that does not hold the lease waits before it asks again. */
const ASK_AGAIN_MS = 500;
/** The longest a runner sleeps without looking at its list. */
const LOOK_MS = 1_000;
/** Under load a list changes all the time: so long is waited for more of it to come. */
const GATHER_MS = 3;
/** Waits after a to-do that could not be done or not be recorded, in milliseconds; the last one is repeated. */
const ERROR_DELAYS_MS = [200, 1_000, 5_000, 30_000];
const FORGET_ERROR_MS = 60_000;

export interface ProcessParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly leases: Leases;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly onError?: (process: string, todo: string, error: unknown) => void;
  readonly onLength?: (process: string, running: number) => void;
}

/** Runs processes until the signal aborts; then waits for what is under way, and gives the leases back. */
export async function runProcesses(processes: readonly AnyProcess[], parts: ProcessParts, signal: AbortSignal): Promise<void> {
  await Promise.all(processes.map((process) => run(process, parts, signal)));
}

/** Holds the lease of one process as often as it can, and works while it has it. */
async function run(process: AnyProcess, parts: ProcessParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lease = await parts.leases.acquire(`process/${process.name}`, LEASE_MS).catch(() => null);
    if (lease) await new Worker(process, parts, lease, signal).work();
    else await parts.clock.sleep(ASK_AGAIN_MS, signal);
  }
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
  readonly #failed = new Map<string, { times: number; until: number }>();
  readonly #stop = new AbortController();
  #wake: () => void = () => {};
  #seen: From = 'start';

  constructor(
    private readonly process: AnyProcess,
    private readonly parts: ProcessParts,
    private readonly lease: Lease,
    signal: AbortSignal,
  ) {
    this.#list = todoList(process);
    this.#todos = parts.views.docs<Todo>(this.#list, TODOS);
    const stop = () => {
      this.#stop.abort();
      this.#wake();
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#performing = {
      log: parts.log,
      now: () => parts.clock.now(),
      epoch: lease.epoch,
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

  async work(): Promise<void> {
    const renewing = this.#renew();
    await this.#settleEarlierWork();
    while (!this.#stop.signal.aborted) {
      const nextDue = await this.#takeDue();
      await this.#news(nextDue);
    }
    while (this.#running.size > 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    await renewing;
    await this.lease.release().catch(() => {});
  }

  async #renew(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.parts.clock.sleep(RENEW_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      const held = await this.lease.renew().catch(() => true);
      if (!held) {
        this.#stop.abort();
        this.#wake();
      }
    }
  }

  /** What the holder before recorded must be in the list before anything is taken from it, or it would be done again. */
  async #settleEarlierWork(): Promise<void> {
    const head = await this.parts.log.store.head();
    while (!this.#stop.signal.aborted && head !== 'start' && !(await this.parts.views.reached(this.#list, head, LOOK_MS)));
  }

  /** Starts what is due and has room in its lane. Gives the time of the earliest to-do that is not due yet. */
  async #takeDue(): Promise<number> {
    const { lane: perLane, total } = this.process.concurrency;
    this.#seen = (await this.parts.views.status(this.#list)).position;
    const now = this.parts.clock.now();
    for (const [id, position] of this.#settling) if (!isAfter(position, this.#seen)) this.#settling.delete(id);
    for (const [id, { until }] of this.#failed) if (until + FORGET_ERROR_MS < now) this.#failed.delete(id);
    let next = now + LOOK_MS;
    for (const lane of await this.#todos.distinct('lane')) {
      const room = Math.min(perLane - (this.#inLane.get(String(lane)) ?? 0), total - this.#running.size);
      if (room <= 0) continue;
      const known = this.#running.size + this.#settling.size + this.#failed.size;
      const rows = await this.#todos.find({ where: { lane }, order: { field: 'due_at' }, limit: room + known + 1 });
      let started = 0;
      for (const todo of rows) {
        const at = Math.max(todo.due_at, this.#failed.get(todo.id)?.until ?? 0);
        if (this.#running.has(todo.id) || this.#settling.has(todo.id)) continue;
        if (at > now) next = Math.min(next, at);
        else if (started++ < room) this.#start(todo);
      }
    }
    this.parts.onLength?.(this.process.name, this.#running.size);
    return next;
  }

  #start(todo: Todo): void {
    this.#running.add(todo.id);
    this.#countLane(todo.lane, 1);
    this.process
      .perform(todo, this.#performing)
      .then((position) => {
        // Nothing recorded: the list is behind, or nothing can be done now. Ask again in a while.
        if (position === 'start') return this.#defer(todo.id);
        this.#failed.delete(todo.id);
        this.#settling.set(todo.id, position);
      })
      .catch((error: unknown) => {
        this.parts.onError?.(this.process.name, todo.id, error);
        this.#defer(todo.id);
      })
      .finally(() => {
        this.#running.delete(todo.id);
        this.#countLane(todo.lane, -1);
        this.#wake();
      });
  }

  #countLane(lane: string, by: number): void {
    const n = (this.#inLane.get(lane) ?? 0) + by;
    if (n > 0) this.#inLane.set(lane, n);
    else this.#inLane.delete(lane);
  }

  #defer(id: string): void {
    const times = (this.#failed.get(id)?.times ?? 0) + 1;
    const delay = ERROR_DELAYS_MS[Math.min(times, ERROR_DELAYS_MS.length) - 1] as number;
    this.#failed.set(id, { times, until: this.parts.clock.now() + delay });
  }

  /** Until the list has changed, something finished, or something is due. */
  async #news(nextDue: number): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    const stop = new AbortController();
    const due = this.parts.clock.sleep(Math.max(0, nextDue - this.parts.clock.now()), stop.signal);
    const changed = this.parts.views.reached(this.#list, beyond(this.#seen), LOOK_MS, stop.signal);
    if (!this.#stop.signal.aborted) await Promise.race([woken, due, changed]);
    stop.abort();
    if (!this.#stop.signal.aborted) await this.parts.clock.sleep(GATHER_MS, this.#stop.signal);
  }
}
