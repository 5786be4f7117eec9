import type { Static, TSchema } from 'typebox';
import type { Cause, Command, ExecuteResult } from '../../commands/runtime/command.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import {
  type Checkpoint,
  type Clock,
  type Doc,
  type Partition,
  type PartitionKeys,
  partitionAt,
  partitionIndexOf,
  type ReadModels,
} from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection } from '../../projections/runtime/projection.js';
import type { Tenure } from './tenure.js';

/** Work that is due at a time, until the event that records its outcome. A document of the process's to-do list. */
export interface Todo extends Doc {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly due_at: number;
  /** Whose work it is. The accounts of one priority are served in turn, and none of them holds more than half of the places. */
  readonly account: string;
  readonly priority: Priority;
  /** Divides the work of an account: a webhook's host, a channel. The lanes of an account are served in turn. */
  readonly lane: string;
  /**
   * What it waits for, of a process with `awaiting`. It is performed once that is over, or at `due_at`. To-dos with the same text are
   * of one priority and account.
   */
  readonly awaits?: string;
}

/** 0: single transactional messages, and whatever else a person waits for. 1: other transactional work. 2: marketing and background work. */
export type Priority = 0 | 1 | 2;

/**
 * What became of a to-do that was performed: the position of its record, before which the to-do is not taken again; 'start'
 * where nothing was recorded and the to-do is tried again later; or the error with which it failed.
 */
export type PerformOutcome = Checkpoint | Error | TryLater;

/** Nothing was recorded, and the to-do is tried again at this time (milliseconds since 1970), however often it was put off. */
export interface TryLater {
  readonly retry_at: number;
}

/** What happens to a to-do after an error: it is tried again at a time (milliseconds since 1970), or set aside until an operator decides. */
export type AfterError = { readonly retry_at: number } | 'park';

/** The reaction of a process manager to an event, as data: specs compare it, the runner executes it. */
export type Intention =
  | { readonly do: 'schedule'; readonly todo: Todo }
  | { readonly do: 'cancel'; readonly id: string }
  /** Stores a note for later events of the same instance, or deletes it. */
  | { readonly do: 'store-note'; readonly note: Doc }
  | { readonly do: 'delete-note'; readonly id: string }
  | { readonly do: 'ignore'; readonly reason: string };

export interface Reads {
  readonly todos?: readonly string[];
  readonly notes?: readonly string[];
  /** True where none of them can exist yet, which saves reading them. */
  readonly fresh?: boolean;
}

/** The to-dos and notes that `reads` names. Any other id throws. */
export interface ReactionMemory<T extends Todo = Todo> {
  /** The partition that reacts; the only one where the process is not divided. */
  readonly partition: Partition;
  /** Whether `reads` or `readsMore` named it. */
  isLoaded(kind: 'todo' | 'note', id: string): boolean;
  /** A to-do of another partition is undefined. */
  todo(id: string): T | undefined;
  note<N extends Doc>(id: string): N | undefined;
}

/** Pauses of long work that records much. */
export interface WorkPace {
  /** Work that goes on has recorded something at this position. */
  recorded(position: Checkpoint): void;
  /** Resolves at once unless the list is behind what was recorded; then after a pause, or when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>;
}

/** What `perform` may use. */
export interface PerformContext {
  readonly log: EventLog;
  readonly clock: Clock;
  /** The epoch of the lease: it grows with each new holder, so that work started by an earlier holder is recognized. */
  readonly epoch: number;
  /** Aborts at the end of the epoch: no more work is started. */
  readonly signal: AbortSignal;
  /** For how long what the process keeps in memory is true. */
  readonly tenure: Tenure;
  /** Whether the list of this partition has, within two seconds, everything that the log has now. What the time alone changes is certain then. */
  readonly caughtUp: () => Promise<boolean>;
  /** For work below priority 0 that records much: what it has recorded, and pauses while the list is behind that. */
  readonly pace?: WorkPace;
  /** For long work: a part of the to-do is on record, and the next holder continues after it. So it is not what kills its process. */
  readonly progressed?: (todo: Todo) => void;
  /** Executes a command as this process. The ids of its events derive from `about`: the same `about` gives the same ids. */
  execute<Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    about: Pick<Cause, 'account' | 'correlation' | 'test'> & { about: string },
  ): Promise<ExecuteResult<Output>>;
}

/**
 * A process manager with a to-do list. `react` is pure: it folds each event into the list; the event that records the outcome
 * of a to-do cancels it. So the list can be rebuilt from the log without repeating any work, a timer is a row with a time, and
 * a restart continues at the end of the log. `perform` does what is due and records the outcome.
 */
export interface ProcessManager<E extends AnyEvent = AnyEvent, T extends Todo = Todo> {
  readonly name: string;
  /** Raised when `react` changes meaning: the list is rebuilt beside the old one. */
  readonly version: number;
  readonly handles: readonly E['type'][];
  /**
   * Divides the to-dos and notes among the partitions of the store, by keys. Each partition that an event concerns reacts to it, and
   * stores only to-dos and notes that belong to it: all later events of a to-do must concern its partition. A node that holds a
   * partition performs its to-dos.
   */
  readonly partitionsOf?: (stored: LogEvent<E>) => PartitionKeys;
  /** Set by `byAccount`: the keys are accounts, none of which is in two partitions. */
  readonly dividedBy?: 'account';
  /** Ids of the to-dos and notes that `react` reads. */
  readonly reads?: (stored: LogEvent<E>, partition: Partition) => Reads;
  /** Further ids, which depend on the documents of `reads`. */
  readonly readsMore?: (stored: LogEvent<E>, memory: ReactionMemory<T>) => Reads;
  readonly react: (stored: LogEvent<E>, memory: ReactionMemory<T>) => readonly Intention[];
  /** Changes of notes that depend on notes alone, made before `react`: notes cannot depend on to-dos where those have personal fields. */
  readonly reactNotes?: (stored: LogEvent<E>, memory: Pick<ReactionMemory<T>, 'isLoaded' | 'note'>) => readonly Intention[];
  /** What the projection of the list is beside the fold of these reactions: urgent, expanded, or with opened fields (`openedTodos`). */
  readonly list?: (plain: Projection<E>) => Projection<E>;
  /** How many calls of `perform` run at the same time: for one lane of an account, and in all. */
  readonly concurrency: { readonly lane: number; readonly total: number };
  /** Lowers the number for single lanes at times. */
  readonly laneLimits?: LaneLimits;
  /** The most to-dos of one call; 1 without it. */
  readonly batch?: { readonly max: number };
  /** What a to-do counts for where the rate of an account is limited, such as the messages of a chunk; 1 without it. */
  readonly weight?: (todo: T) => number;
  /**
   * Does the work and records the outcomes. The to-dos are of one lane of one account, in the order in which they are due.
   * Resolves with the outcome of each. A throw fails all of them; they are then tried one by one.
   */
  readonly perform: (todos: readonly T[], performing: PerformContext) => Promise<readonly PerformOutcome[]>;
  /**
   * Whether what a to-do awaits is over, now (milliseconds since 1970) or presumably. It is asked often, of one to-do of those that
   * await the same. `retryAt`: when that is presumed.
   */
  readonly awaiting?: { readonly isOver: (todo: T, now: number) => boolean | Promise<boolean>; readonly retryAt: (todo: T) => number };
  /**
   * Decides after the nth failed attempt; failures of a store do not count. Without it the delays of the runner's tuning apply,
   * and the to-do is parked after its last attempt.
   */
  readonly onError?: (todo: T, attempts: number, error: Error) => AfterError;
  /** Ends by an event what a parked to-do is about that an operator drops. Without it the to-do just leaves the list. */
  readonly drop?: (todo: T, performing: PerformContext) => Promise<Checkpoint>;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds processes of every kind of event
export type AnyProcessManager = ProcessManager<any, any>;

/** A `perform` that does each to-do by itself. `work` resolves with its outcome; a throw fails that to-do only. */
export const performEach =
  <T extends Todo>(work: (todo: T, performing: PerformContext) => Promise<Checkpoint | TryLater>): ProcessManager<AnyEvent, T>['perform'] =>
  (todos, performing) =>
    Promise.all(todos.map((todo) => work(todo, performing).catch((e: unknown) => (e instanceof Error ? e : new Error(String(e))))));

/** The lane of an account. */
export interface Lane {
  readonly account: string;
  readonly lane: string;
}

/** Limits of lanes that change while a process runs, such as the calls at once to a receiver that fails. All workers of a node share them. */
export interface LaneLimits {
  /** `wake` is called when the worker may start what it could not before. */
  enter(wake: () => void, clock: Pick<Clock, 'now'>): LaneLimit;
}

/** The limits as one worker sees them. */
export interface LaneLimit {
  /** How many more to-dos of the lane the worker may start. Where it is 0, the worker waits for its turn. */
  capacity(lane: Lane): number;
  started(lane: Lane): void;
  ended(lane: Lane): void;
  /** The worker takes no more turns. */
  leave(): void;
}

export const NO_LIMIT: LaneLimit = { capacity: () => Number.POSITIVE_INFINITY, started: () => {}, ended: () => {}, leave: () => {} };

/**
 * Divides a process by account: all to-dos and notes of an account are in one partition, so a reaction may read and change any of
 * them. Different accounts are worked on by different nodes.
 */
export const byAccount = {
  dividedBy: 'account',
  partitionsOf: ({ meta }: LogEvent): PartitionKeys => [meta.account],
} as const satisfies Pick<ProcessManager, 'dividedBy' | 'partitionsOf'>;

/** The partition of such a list that has an account: the generation in force may not be divided yet. */
export async function partitionOfAccount(list: Projection, account: string, views: Pick<ReadModels, 'positions'>): Promise<Partition> {
  const { length: count } = await views.positions(list);
  return partitionAt(partitionIndexOf(account, count), count);
}
