import type { Static, TSchema } from 'typebox';
import type { Cause, Command, ExecuteResult } from '../commands/kernel.js';
import type { AnyEvent } from '../domain/kernel/event.js';
import type { Checkpoint, Clock, Doc } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { LogEvent } from '../log/log-event.js';

/** Work that is due at a time, until the event that records its outcome. A document of the process's to-do list. */
export interface Todo extends Doc {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly due_at: number;
  /** Work of one lane never waits for work of another: a webhook's host, a carrier. */
  readonly lane: string;
}

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
export interface LoadedState<T extends Todo = Todo> {
  todo(id: string): T | undefined;
  note<N extends Doc>(id: string): N | undefined;
}

/** What `perform` may use. */
export interface PerformContext {
  readonly log: EventLog;
  readonly clock: Clock;
  /** The epoch of the lease: it grows with each new holder, so that work which an earlier holder started can be told apart. */
  readonly epoch: number;
  readonly signal: AbortSignal;
  /** Executes a command as this process. The ids of its events derive from `about`: the same `about` gives the same ids. */
  execute<Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    about: Pick<Cause, 'account' | 'correlation'> & { about: string },
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
  /** Ids of the to-dos and notes that `react` reads. */
  readonly reads?: (stored: LogEvent<E>) => Reads;
  /** Further ids, which depend on the documents of `reads`. */
  readonly readsMore?: (stored: LogEvent<E>, memory: LoadedState<T>) => Reads;
  readonly react: (stored: LogEvent<E>, memory: LoadedState<T>) => readonly Intention[];
  /** How many to-dos of one lane, and of all lanes, run at the same time. */
  readonly concurrency: { readonly lane: number; readonly total: number };
  /**
   * Does the work and records the outcome. Resolves with the position of that record; the to-do is not taken again before the
   * list has reached it. 'start': nothing was recorded, and the to-do is tried again later.
   */
  readonly perform: (todo: T, performing: PerformContext) => Promise<Checkpoint>;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds processes of every kind of event
export type AnyProcessManager = ProcessManager<any, any>;
