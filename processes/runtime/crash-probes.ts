import { recordProbe } from '../../commands/parked/record-probe.js';
import type { Clock, Docs } from '../../domain/kernel/ports.js';
import { type ProbeEvent, probeStream, type Suspicion, suspicionAfterDeath } from '../../domain/parked/crash-probes.js';
import type { PerformContext, Todo } from './process-manager.js';
import { type Group, withFirst } from './scheduler.js';
import type { StoredTodo } from './todo-list.js';
import type { ProcessTuning } from './tuning.js';

/** The error of parked work that killed its process. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** More suspects are not recorded. */
const MAX_SUSPECTS = 5_000;

export interface CrashProbeParts {
  readonly process: string;
  readonly todos: Docs<StoredTodo>;
  readonly context: Pick<PerformContext, 'log' | 'execute' | 'epoch'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly tuning: ProcessTuning['probe'];
  /** Shared by the processes of a node. */
  readonly probeLock: ProbeLock;
}

/** To-dos that are tried at the same time, apart from other suspects. */
interface ProbeRun {
  /** Those that have not started yet. */
  readonly waiting: Map<string, Todo>;
  readonly inFlight: Set<string>;
  /** The next group may be tried then even if this one is still in flight. Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Finds work that kills its process. After a holder that did not end cleanly, every batch of starts is recorded for some time. If
 * the process dies again, what was in flight is suspected: it is tried in groups, each after the one before it has ended, while
 * everything else goes on. Each death leaves fewer suspects, until one is alone; after its third death it is parked, since the process may be killed twice by others meanwhile.
 */
export class CrashProbes {
  /** Suspects that have not been tried yet. */
  #groups: string[][] = [];
  #run: ProbeRun | null = null;
  /** Suspects that have not ended yet, tried or not. */
  readonly #crashSuspects = new Map<string, Todo>();
  #notBefore = 0;
  #observeMs = 0;
  /** Until when what starts is recorded, in milliseconds since 1970; null where nothing is. */
  #recordUntil: number | null = null;
  readonly #started = new Set<string>();
  /** Of those, the ones that were in flight when the time to record was over: it lasts until they have ended. */
  #late: ReadonlySet<string> | null = null;
  #ended: string[] = [];
  /** Of this holder's stream; null where it must be read. */
  #revision: number | 'no-stream' | null = null;
  #writes = 0;

  constructor(private readonly parts: CrashProbeParts) {}

  /**
   * Begins the time of a holder whose predecessor did not end cleanly. Returns the to-do that has killed the process alone, for
   * the last time.
   */
  async begin(): Promise<{ readonly todo: Todo; readonly deaths: number; readonly firstAt: number } | null> {
    const { clock, context, process, tuning } = this.parts;
    const events = await context.log.read<ProbeEvent>(probeStream(process, context.epoch - 1));
    const suspicion = suspicionAfterDeath(events?.map(({ event }) => event) ?? []);
    const now = clock.now();
    const todos = await this.#due(suspicion.todos.slice(0, MAX_SUSPECTS), now);
    this.#recordUntil = now + tuning.recordMs;
    const firstAt = suspicion.first_at ?? new Date(now).toISOString();
    const [only] = todos;
    if (only && suspicion.deaths >= tuning.deaths) return { todo: only, deaths: suspicion.deaths, firstAt: Date.parse(firstAt) };
    if (todos.length > 0) await this.#suspect(todos, { ...suspicion, first_at: firstAt }, now);
    return null;
  }

  get crashSuspects(): ReadonlyMap<string, Todo> {
    return this.#crashSuspects;
  }

  /** Ends a trial, or begins the next one. Returns when to look again, in milliseconds since 1970. */
  async advance(): Promise<number> {
    if (this.#recordUntil === null) return Number.POSITIVE_INFINITY;
    const now = this.parts.clock.now();
    const { probeLock, process } = this.parts;
    if (this.#run && (now >= this.#run.until || this.#run.waiting.size + this.#run.inFlight.size === 0)) {
      // On record before anything else is tried: a later death is not theirs.
      await this.#flush();
      for (const id of this.#run.waiting.keys()) this.#crashSuspects.delete(id);
      this.#run = null;
      probeLock.release(process);
    }
    if (this.#run) return this.#run.until;
    const [next] = this.#groups;
    if (!next) return this.#stopRecording(now);
    if (now < this.#notBefore) return this.#notBefore;
    if (!probeLock.acquire(process)) return now + this.parts.tuning.lockRetryMs;
    const todos = await this.#due(next, now);
    for (const id of next) if (!todos.some((todo) => todo.id === id)) this.#crashSuspects.delete(id);
    this.#groups.shift();
    this.#run = { waiting: new Map(todos.map((todo) => [todo.id, todo])), inFlight: new Set(), until: now + this.#observeMs };
    return todos.length === 0 ? now : this.#run.until;
  }

  /** What may start, with what is tried now first. */
  withProbed(groups: readonly Group[]): readonly Group[] {
    return this.#run && this.#run.waiting.size > 0 ? withFirst(groups, [...this.#run.waiting.values()]) : groups;
  }

  isProbed(todo: Todo): boolean {
    return this.#run?.waiting.has(todo.id) ?? false;
  }

  /** Resolves once it is on record that these start. Throws where it is not. */
  async starting(todos: readonly Todo[]): Promise<void> {
    if (this.#recordUntil === null || todos.length === 0) return;
    await this.#write(todos.map(({ id }) => id));
    for (const { id } of todos) {
      this.#started.add(id);
      if (this.#run?.waiting.delete(id)) this.#run.inFlight.add(id);
    }
  }

  /** The work has ended, or a part of it is on record. False where that was known, or its start is not on record. */
  ended({ id }: Todo): boolean {
    if (!this.#started.delete(id)) return false;
    this.#ended.push(id);
    this.#crashSuspects.delete(id);
    this.#run?.inFlight.delete(id);
    return true;
  }

  /** This node no longer holds the lease. */
  end(): void {
    this.parts.probeLock.release(this.parts.process);
  }

  async #suspect(todos: readonly Todo[], suspicion: Suspicion & { first_at: string }, now: number): Promise<void> {
    const { tuning, context, process } = this.parts;
    const ids = todos.map(({ id }) => id);
    const at = new Date(now).toISOString();
    await this.#append({ type: 'WorkSuspected', data: { process, epoch: context.epoch, ...suspicion, todos: ids, at } });
    for (const todo of todos) this.#crashSuspects.set(todo.id, todo);
    const size = Math.ceil(ids.length / tuning.groups);
    this.#groups = Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size));
    const growth = 4 ** (suspicion.round - 1);
    this.#notBefore = now + Math.min(tuning.maxDelayMs, tuning.delayMs * growth);
    this.#observeMs = Math.min(tuning.maxObserveMs, tuning.observeMs * growth);
  }

  /** Those that are still on the list and due. */
  async #due(ids: readonly string[], now: number): Promise<Todo[]> {
    const todos = await Promise.all(ids.map((id) => this.parts.todos.get(id)));
    return todos.filter((todo) => todo !== undefined && todo.due_at <= now && !todo.parked) as Todo[];
  }

  /** Nothing is suspected, and the process has lived for long enough: returns to normal. */
  async #stopRecording(now: number): Promise<number> {
    const until = this.#recordUntil as number;
    const { context, process, tuning } = this.parts;
    if (now < until) return until;
    this.#late ??= new Set(this.#started);
    const isOver = now >= until + tuning.maxObserveMs || ![...this.#late].some((id) => this.#started.has(id));
    if (!isOver) return now + tuning.observeMs;
    // Before the append: what starts meanwhile is not recorded.
    this.#recordUntil = null;
    if (this.#writes > 0) {
      await this.#append({ type: 'WorkTrialsEnded', data: { process, epoch: context.epoch, at: new Date(now).toISOString() } }).catch(() => {});
    }
    this.#started.clear();
    this.#ended = [];
    return Number.POSITIVE_INFINITY;
  }

  async #flush(): Promise<void> {
    if (this.#ended.length > 0) await this.#write([]);
  }

  async #write(started: readonly string[]): Promise<void> {
    const { context, process, clock } = this.parts;
    const ended = this.#ended;
    this.#ended = [];
    try {
      const at = new Date(clock.now()).toISOString();
      await this.#append({ type: 'WorkTried', data: { process, epoch: context.epoch, started: [...started], ended, at } });
    } catch (e) {
      this.#ended = [...ended, ...this.#ended];
      throw e;
    }
  }

  async #append(event: ProbeEvent): Promise<void> {
    const { context, process } = this.parts;
    const stream = probeStream(process, context.epoch);
    if (this.#revision === null) {
      const [last] = (await context.log.readSealed(stream, { backwards: true, limit: 1 })) ?? [];
      this.#revision = last?.revision ?? 'no-stream';
    }
    const expected = this.#revision;
    this.#revision = null;
    const about = `trial/${context.epoch}/${expected}/${this.#writes++}`;
    const { output } = await context.execute(recordProbe, { stream, expected, event }, { account: 'system', correlation: stream, about });
    this.#revision = output;
  }
}

/**
 * One trial at a time on a node, whatever the number of its processes: if the node dies, the suspects of another process are not
 * the reason.
 */
export class ProbeLock {
  #holder: string | null = null;

  /** False while another process has the turn. */
  acquire(process: string): boolean {
    this.#holder ??= process;
    return this.#holder === process;
  }

  release(process: string): void {
    if (this.#holder === process) this.#holder = null;
  }
}
