import { setMaxListeners } from 'node:events';
import type { Dispatcher } from '../../commands/runtime/command.js';
import type { Checkpoint, Clock, Leases, ReadModels } from '../../domain/kernel/ports.js';
import { RecentLoad } from '../../log/feed/recent-load.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LeaseTiming } from '../../projections/runtime/leases.js';
import type { Projection } from '../../projections/runtime/projection.js';
import { AwaitedTodos, unified } from './awaited-todos.js';
import { CrashProbes, ProbeLock, ProcessDied } from './crash-probes.js';
import { partOfRate, runScopes, type WorkScope } from './divided-work.js';
import { ListWatch, Pace, RecordedOutcomes } from './list-progress.js';
import { isBehind, isDropped, isStoreFailure, outcomesOf, parkTodo, Retries } from './outcomes.js';
import type { AnyProcessManager, PerformContext, PerformOutcome, Priority, Todo } from './process-manager.js';
import { groupKey, Scheduler, type StartLimits } from './scheduler.js';
import { hasManyLanes, type StoredTodo, TODOS, todoList, todosOfPartition } from './todo-list.js';
import { skippedTodos, TodoWindows, type WindowQuery } from './todo-windows.js';
import { PROCESS_TUNING, type ProcessTuning } from './tuning.js';
import { ConcurrencyLimit, RateAllowances } from './work-limits.js';

/** Delay after the list itself could not be read, and of one wait for it, in milliseconds. */
const LIST_RETRY_MS = 1_000;
/** How long work waits for the list to have what the log has, in milliseconds. */
const CATCH_UP_MS = 2_000;

export interface ProcessDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly leases: Leases;
  readonly leaseTiming?: LeaseTiming;
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
  const probeLock = new ProbeLock();
  await runScopes(processes, parts, signal, (scope, held) => new ProcessWorker(scope, parts, probeLock).run(held));
}

/** The work of one process manager, or of one partition of it, while this node holds its lease: takes due to-dos by the scheduler and performs them. */
class ProcessWorker {
  readonly #list: Projection;
  readonly #watch: ListWatch;
  readonly #windows: TodoWindows;
  readonly #awaited: AwaitedTodos;
  readonly #scheduler: Scheduler;
  readonly #context: PerformContext;
  readonly #running = new Map<string, Todo>();
  readonly #recorded = new RecordedOutcomes();
  readonly #pace: Pace;
  readonly #retries: Retries;
  readonly #rates: RateAllowances;
  readonly #probes: CrashProbes;
  readonly #stop = new AbortController();
  readonly #limit: ConcurrencyLimit;
  readonly #tuning: ProcessTuning;
  #resolveWait: () => void = () => {};
  /** Whether something happened since the last look at the list. */
  #changed = false;
  #gatherMs: number;
  readonly #load: RecentLoad;
  private readonly process: AnyProcessManager;
  constructor(
    private readonly scope: WorkScope,
    private readonly parts: ProcessDependencies,
    probeLock: ProbeLock,
  ) {
    const { process, partition, epoch, tenure, concurrency } = scope;
    this.process = process;
    const { clock, views, rateOf } = parts;
    this.#tuning = parts.tuning ?? PROCESS_TUNING;
    this.#gatherMs = this.#tuning.gather.minMs;
    this.#load = new RecentLoad(clock, this.#tuning.gather.load);
    this.#list = todoList(process);
    this.#limit = new ConcurrencyLimit(concurrency.total);
    const todos = todosOfPartition(views.docs<StoredTodo>(this.#list, TODOS), partition);
    this.#windows = new TodoWindows(todos, hasManyLanes(process), clock, this.#tuning.window);
    this.#awaited = new AwaitedTodos(todos, process, clock, this.#tuning);
    this.#pace = new Pace(clock, this.#tuning.lag);
    this.#scheduler = new Scheduler(
      { ...concurrency, batch: process.batch?.max ?? 1 },
      process.laneLimits?.enter(() => this.#wakeUp(), clock),
    );
    this.#retries = new Retries(this.#tuning);
    this.#rates = new RateAllowances(
      clock,
      (priority) => partOfRate(rateOf?.(process.name, priority) ?? null, process, partition),
      (todo) => process.weight?.(todo) ?? 1,
    );
    // Each to-do in flight may listen for the end.
    setMaxListeners(0, this.#stop.signal);
    this.#watch = new ListWatch(views, this.#list, partition.index, this.#stop.signal);
    this.#context = {
      log: parts.log,
      clock: parts.clock,
      epoch,
      tenure,
      signal: this.#stop.signal,
      caughtUp: async () => this.#watch.reached(await parts.log.store.head(), CATCH_UP_MS, this.#stop.signal),
      pace: this.#pace,
      progressed: (todo) => {
        if (this.#probes.ended(todo)) this.#wakeUp();
      },
      execute: (command, input, { account, correlation, test, about }) =>
        parts.dispatcher.execute(command, input, {
          account,
          correlation,
          ...(test && { test }),
          actor: { kind: 'process', id: process.name },
          invocation: `${process.name}/${about}`,
        }),
    };
    this.#probes = new CrashProbes({ process: scope.name, todos, context: this.#context, clock, tuning: this.#tuning.probe, probeLock });
  }

  /** Runs until the signal aborts; resolves when no work is in flight any more. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#end();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for (let settled = false; !this.#stop.signal.aborted; ) {
      try {
        if (!settled) await this.#begin();
        settled = true;
        await this.#waitForWork(await this.#takeDue());
      } catch (e) {
        this.parts.onError?.(this.process.name, null, e);
        await this.parts.clock.sleep(LIST_RETRY_MS, this.#stop.signal);
      }
    }
    while (this.#running.size > 0) await new Promise<void>((resolve) => (this.#resolveWait = resolve));
    this.#probes.end();
    this.#scheduler.close();
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

  async #begin(): Promise<void> {
    await this.#waitForEarlierRecords();
    if (!this.scope.unclean || this.#stop.signal.aborted) return;
    const culprit = await this.#probes.begin();
    if (culprit) await this.#park(culprit.todo, new ProcessDied(), culprit.deaths, culprit.firstAt);
    const crashSuspects = this.#probes.crashSuspects.size;
    if (crashSuspects > 0)
      this.parts.onError?.(this.process.name, null, new ProcessDied(`${crashSuspects} to-dos were in flight when the process died`));
  }

  /** Waits until the list has reached the end of the log: it must contain what the previous holder recorded, or that work would be repeated. */
  async #waitForEarlierRecords(): Promise<void> {
    const { clock, log, views } = this.parts;
    const { signal } = this.#stop;
    const isDivided = async () => (await views.status(this.#list)).positions.length === this.scope.partition.count;
    while (!signal.aborted && !(await isDivided())) await clock.sleep(LIST_RETRY_MS, signal);
    const head = await log.store.head();
    while (!signal.aborted && !(await this.#watch.reached(head, LIST_RETRY_MS, signal)));
  }

  /** Starts due to-dos. Returns when to look again if nothing changes, in milliseconds since 1970. */
  async #takeDue(): Promise<number> {
    const { clock } = this.parts;
    this.#changed = false;
    const position = await this.#watch.begin();
    this.#recorded.reached(position);
    this.#pace.reached(position);
    const nextProbe = await this.#probes.advance();
    const now = clock.now();
    const began = clock.monotonic();
    const waiting = this.#retries.waiting(now);
    const limits = this.#openings(now, waiting.groups);
    const query: WindowQuery = {
      now,
      skip: ({ id }) => this.#running.has(id) || this.#recorded.has(id) || this.#retries.waits(id, now) || this.#probes.crashSuspects.has(id),
      skipped: skippedTodos(waiting.groups, [this.#running, this.#probes.crashSuspects], this.#recorded.groups()),
      capacity: (priority, account) => this.#scheduler.capacity(priority, account, limits) * (this.process.batch?.max ?? 1),
      laneCapacity: (todo) => this.#scheduler.laneCapacity(todo) * (this.process.batch?.max ?? 1),
    };
    const { groups, nextDue } = unified(await this.#windows.read(query), await this.#awaited.read(query));
    const calls = this.#scheduler.take(this.#probes.withProbed(groups), limits);
    await this.#startAll(calls);
    this.#gather(countOf(groups.map(({ todos }) => todos)), countOf(calls), clock.monotonic() - began);
    this.parts.onRunning?.(this.process.name, this.#running.size);
    const paused = this.#limit.pausedUntil > now ? this.#limit.pausedUntil : Number.POSITIVE_INFINITY;
    return Math.min(nextProbe, nextDue, waiting.nextDue, paused, now + this.#rates.nextMs(), nextTick(now, this.#tuning.idleMs));
  }

  /** Sets how long the next changes are gathered, after a look that took so long, has found so many to-dos and started some of them. */
  #gather(found: number, started: number, tookMs: number): void {
    const { minMs, maxMs } = this.#tuning.gather;
    this.#load.add(started);
    // Those that wait for a place start as soon as one is free.
    this.#gatherMs = Math.min(maxMs, Math.max(minMs, 2 * tookMs, found > started ? 0 : this.#load.gatherMs()));
  }

  #openings(now: number, waiting: ReadonlyMap<string, number>): StartLimits {
    const all = this.#limit.at(now);
    const { slowMs, stopMs } = this.#tuning.lag;
    const lagMs = Math.max(this.#pace.lagMs(), this.#recorded.lagMs(this.parts.clock.monotonic()));
    const share = Math.min(1, Math.max(0, (stopMs - lagMs) / (stopMs - slowMs)));
    return {
      all,
      // Some always, so that a list that has stopped does not stop its process.
      lowPriority: Math.max(1, Math.floor(all / 16), Math.floor(all * share)),
      allowance: (priority, account) =>
        (waiting.get(groupKey(priority, account)) ?? 0) < this.#tuning.maxDeferred ? this.#rates.of(priority, account) : 0,
      isAlone: (todo) => this.#retries.isAlone(todo) || this.#probes.isProbed(todo) || isDropped(todo),
    };
  }

  async #startAll(calls: readonly (readonly Todo[])[]): Promise<void> {
    try {
      await this.#probes.starting(calls.flat());
      this.#stop.signal.throwIfAborted();
    } catch (e) {
      for (const todos of calls) this.#scheduler.ended(todos);
      if (!this.#stop.signal.aborted) throw e;
      return;
    }
    for (const todos of calls) this.#start(todos);
  }

  #start(todos: readonly Todo[]): void {
    for (const todo of todos) this.#running.set(todo.id, todo);
    this.#windows.started(todos);
    this.#rates.started(todos);
    const { round } = this.#limit;
    outcomesOf(this.process, todos, this.#context)
      .then((outcomes) => Promise.all(todos.map((todo, i) => this.#settle(todo, outcomes[i] as PerformOutcome, round, todos.length > 1))))
      .finally(() => {
        for (const todo of todos) {
          this.#running.delete(todo.id);
          this.#probes.ended(todo);
        }
        this.#scheduler.ended(todos);
        this.#wakeUp();
      });
  }

  async #settle(todo: Todo, outcome: PerformOutcome, round: number, isOfBatch: boolean): Promise<void> {
    const now = this.parts.clock.now();
    if (outcome instanceof Error) {
      if (isBehind(outcome)) return this.#retries.putOff(todo, now, 'unavailable');
      const away = isStoreFailure(outcome);
      if (!away || this.#limit.failed(round, now)) this.parts.onError?.(this.process.name, todo.id, outcome);
      if (away) this.#retries.putOff(todo, now, 'unavailable');
      else await this.#failed(todo, now, outcome, isOfBatch);
      return;
    }
    this.#limit.succeeded();
    // Nothing recorded: the list is behind, or nothing can be done now. Try again later.
    if (typeof outcome === 'object') this.#retries.putOff(todo, now, 'nothing_recorded', { retryAt: outcome.retry_at });
    else if (outcome !== 'start') this.#done(todo, outcome);
    else if (todo.awaits !== undefined && todo.due_at > now) this.#awaited.putOff(todo, now);
    else this.#retries.putOff(todo, now, 'nothing_recorded');
  }

  #done(todo: Todo, position: Checkpoint): void {
    this.#retries.done(todo);
    this.#recorded.add(todo, position, this.parts.clock.monotonic());
  }

  /** Puts the to-do off, or parks it. */
  async #failed(todo: Todo, now: number, error: Error, isOfBatch: boolean): Promise<void> {
    // Others of its batch may be the reason: such a failure is no attempt.
    if (isOfBatch) return this.#retries.putOff(todo, now, 'unavailable', { alone: true });
    const attempts = (this.#retries.of(todo)?.attempts ?? 0) + 1;
    const after = this.process.onError?.(todo, attempts, error) ?? (attempts >= this.#tuning.retry.maxAttempts ? 'park' : null);
    this.#retries.putOff(todo, now, 'failed', { retryAt: after === 'park' ? null : (after?.retry_at ?? null) });
    if (after !== 'park') return;
    await this.#park(todo, error, attempts, this.#retries.of(todo)?.firstAt ?? now).catch((e) => this.parts.onError?.(this.process.name, todo.id, e));
  }

  async #park(todo: Todo, error: Error, attempts: number, firstAt: number): Promise<void> {
    this.#done(todo, await parkTodo(this.process.name, todo, { attempts, error, firstAt }, this.#context));
  }

  /** Waits until the list has changed, a to-do has finished, or one is due. */
  async #waitForWork(nextLook: number): Promise<void> {
    const stop = new AbortController();
    const woken = new Promise<void>((resolve) => (this.#resolveWait = resolve));
    let isTick = false;
    if (!this.#changed && !this.#stop.signal.aborted) {
      const ms = Math.max(0, nextLook - this.parts.clock.now());
      const due = this.parts.clock.sleep(ms, stop.signal).then(() => (isTick = ms > this.#tuning.gather.maxMs && !stop.signal.aborted));
      const awaitsRecords = this.#running.size > 0 || this.#recorded.size > 0;
      const changed = this.#watch.change(this.#tuning.idleMs, stop.signal, awaitsRecords);
      await Promise.race([woken, due, changed]).finally(() => stop.abort(null));
    }
    // Nothing to gather after a long time without changes: an idle process wakes once a period.
    if (!this.#stop.signal.aborted && !isTick) await this.parts.clock.sleep(this.#gatherMs, this.#stop.signal);
  }
}

const countOf = (lists: readonly (readonly Todo[])[]): number => lists.reduce((sum, { length }) => sum + length, 0);

/** The next multiple of the period, in milliseconds since 1970: idle processes of a node wake together. */
const nextTick = (now: number, periodMs: number): number => (Math.floor(now / periodMs) + 1) * periodMs;
