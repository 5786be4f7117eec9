import type { Static, TSchema } from 'typebox';
import type { Cause, Command, ExecuteResult } from '../commands/kernel.js';
import type { AnyEvent } from '../domain/kernel/event.js';
import type { Checkpoint, Clock, Doc } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { LogEvent } from '../log/log-event.js';

/** Something to do, at a time, until the event that says it is done. Kept as a document of the process's to-do list. */
export interface Todo extends Doc {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly due_at: number;
  /** Work of one lane never waits for work of another: a webhook's host, a carrier. */
  readonly lane: string;
}

/** What an event means to a process. Data, so that a spec can read it; the runner does it. */
export type Intention =
  | { readonly do: 'schedule'; readonly todo: Todo }
  | { readonly do: 'cancel'; readonly id: string }
  /** Keeps a note for later events of the same instance, or throws it away. */
  | { readonly do: 'store-note'; readonly note: Doc }
  | { readonly do: 'delete-note'; readonly id: string }
  | { readonly do: 'ignore'; readonly reason: string };

export interface Reads {
  readonly todos?: readonly string[];
  readonly notes?: readonly string[];
  /** True where none of them can exist yet, which saves looking for them. */
  readonly fresh?: boolean;
}

/** The to-dos and notes that a reaction asked to see (`reads`). */
export interface LoadedState<T extends Todo = Todo> {
  todo(id: string): T | undefined;
  note<N extends Doc>(id: string): N | undefined;
}

/** What a process may use when a to-do is due. */
export interface PerformContext {
  readonly log: EventLog;
  readonly now: () => number;
  readonly clock: Clock;
  /** Grows with each process that took over the work: what an older one began can be told. */
  readonly epoch: number;
  readonly signal: AbortSignal;
  /** Runs a command in the name of this process. `about` makes the ids of its events: the same `about`, the same ids. */
  execute<Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    about: Pick<Cause, 'account' | 'correlation'> & { about: string },
  ): Promise<ExecuteResult<Output>>;
}

/**
 * A process manager keeps a to-do list. `react` is pure: it folds each event into the list, and the event that records
 * the outcome takes the to-do off again. So the list can be rebuilt from the log without anything being done twice, a
 * timer is a row with a time, and a restart continues where the log stands. `perform` does what is due and records it.
 */
export interface ProcessManager<E extends AnyEvent = AnyEvent, T extends Todo = Todo> {
  readonly name: string;
  /** Raised when `react` changes meaning: the list is rebuilt beside the old one. */
  readonly version: number;
  readonly handles: readonly E['type'][];
  /** Ids of the to-dos and notes that `react` wants to look at. */
  readonly reads?: (stored: LogEvent<E>) => Reads;
  /** Those that are known only once the ones of `reads` are seen. */
  readonly readsMore?: (stored: LogEvent<E>, memory: LoadedState<T>) => Reads;
  readonly react: (stored: LogEvent<E>, memory: LoadedState<T>) => readonly Intention[];
  /** How many to-dos of one lane, and of all lanes, run at the same time. */
  readonly concurrency: { readonly lane: number; readonly total: number };
  /** Does it and records the outcome. Resolves with the position of that record; until the list has seen it the to-do is not taken again. */
  readonly perform: (todo: T, performing: PerformContext) => Promise<Checkpoint>;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds processes of every kind of event
export type AnyProcessManager = ProcessManager<any, any>;
