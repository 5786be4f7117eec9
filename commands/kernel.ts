import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import type { Decider } from '../domain/kernel/decider.js';
import type { AnyEvent } from '../domain/kernel/event.js';
import type { Appended, Checkpoint, Expected, Position } from '../domain/kernel/ports.js';
import type { EventAppend, EventLog } from '../log/event-log.js';
import type { IdPrefix } from '../log/ids.js';
import type { AddressKeys } from '../log/vault.js';
import type { Resolve } from './dependency.js';

/** Who acts: a key, a user, the operator's command line, a process of ours, or a person on a public page. */
export interface Actor {
  readonly kind: 'key' | 'user' | 'operator' | 'process' | 'public';
  readonly id: string;
}

/** Where a command comes from. `key` and `fingerprint` are set where the caller gave an idempotency key. */
export interface Cause {
  readonly account: string;
  readonly actor: Actor;
  /** Names this one run. The ids of its events are made of it, so a repeated append is recognised. */
  readonly invocation: string;
  /** The whole chain: the request, or the event that started it. */
  readonly correlation: string;
  /** Names the caller's intention across runs: a hash of account, route and idempotency key. */
  readonly key?: string;
  /** A hash of what the intention asked, so that the same key with another body is told apart. */
  readonly fingerprint?: string;
  /** Milliseconds. Only where a caller's clock must rule; otherwise the dispatcher asks its own. */
  readonly at?: number;
}

export interface DecideResult<S> {
  readonly state: S;
  /** Of the last event of this decision, or null where nothing needed to be appended. */
  readonly position: Position | null;
  readonly revision: number;
}

export interface DecideOptions<S> {
  readonly assumeNew?: boolean;
  readonly loaded?: { readonly state: S; readonly revision: number };
  /**
   * Decides on the state that this process last brought about, if it remembers one. Only for decisions that stay right on
   * an old state: what they append is refused then, and made anew on the present one.
   */
  readonly cached?: boolean;
  /** Leaves personal fields closed in what is loaded, where neither `evolve` nor `decide` looks at them. */
  readonly sealed?: boolean;
}

/** What a handler may use: what time it is, new ids, and the one way to change a stream. */
export interface Context {
  readonly now: string;
  readonly cause: Cause;
  readonly log: EventLog;
  readonly addresses: AddressKeys;
  /** The implementation of a port that the composition root provides (see dependency.ts). */
  readonly use: Resolve;
  /** Lets everything else that waits for this thread run; for long work without I/O. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** A new id; under an idempotency key the same one on every run. `nth` tells several of one prefix apart. */
  newId(prefix: IdPrefix, nth?: number): string;
  /** 32 secret bytes; under an idempotency key the same ones on every run. */
  newSecret(purpose: string): Buffer;
  /**
   * Loads the stream, decides, appends at the revision it read; on a conflict it loads and decides again.
   * `fresh` tells that the stream is most likely new, which saves the load. A command whose idempotency key has already
   * changed the stream gets the state as it was right after that. `known` is a state that an earlier decision gave, which
   * saves the load too.
   */
  decide<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, stream: string, command: C, options?: DecideOptions<S>): Promise<DecideResult<S>>;
  /**
   * Loads, plans and appends, in order, up to the first stream that has changed since; then loads and
   * plans again. It ends with the first result whose appends are all made. Unlike `decide` it knows no idempotency key: a
   * plan must find in what is loaded what an earlier run has done. Throws `conflict` after `maxRounds` rounds (100).
   */
  attempt<L, R, P = never>(
    load: (round: number) => Promise<L>,
    plan: (loaded: L, progress: readonly P[]) => Plan<R, P>,
    options?: { readonly maxRounds?: number },
  ): Promise<R>;
  /** For the few commands that write several streams or chunks: append with everything of the cause filled in. */
  append(stream: string, expected: Expected, events: readonly AnyEvent[]): Promise<Appended>;
  /**
   * Appends to several streams, as they were looked at, in one call; for itself, or on behalf of parts of the command. The
   * appends of each are made in their order; false where somebody else was faster with one, and those after it are not made.
   * Throws WrongExpectedRevision, like `append`, where the run itself has written at such a revision before.
   */
  appendParts(parts: readonly PartAppends[]): Promise<boolean[]>;
  /** Works once nobody in this process is about any of these things: spares those who would meet conflicts their retries. */
  exclusively<T>(things: readonly string[], work: () => Promise<T>): Promise<T>;
  /**
   * The same command on behalf of one of its parts. What the part appends is told by its own `invocation`, which is the same on
   * every run, so that a run that was broken off finds what it had done; while two runs are at one part, each is refused where
   * the other was first, and looks again. A part over another log leaves none of it here.
   */
  contextOfPart(invocation: string, log?: EventLog): Context;
  /** Marks the answer as that of an earlier run with the same idempotency key, whose last event stands at this position. */
  markReplayed(position?: Position): void;
}

/**
 * What comes next of a command that touches several streams: appends in their order, each at the revision that was loaded,
 * and the result once all are made; or another round, which is handed the progress that is made by then.
 */
export type Plan<R, P = never> =
  | { readonly appends: readonly EventAppend[]; readonly result: R }
  | { readonly appends: readonly EventAppend[]; readonly progress?: P };

/** What a part appends: its invocation as `part` takes it, or none for the command itself; and streams with the revisions they are at. */
export interface PartAppends {
  readonly invocation?: string;
  readonly appends: readonly EventAppend[];
}

export interface Command<Input extends TSchema = TSchema, Output = unknown> {
  readonly name: string;
  readonly input: Input;
  /** The input comes from our own code alone: it has a TypeScript type and no schema. */
  readonly internal?: true;
  readonly handle: (input: Static<Input>, context: Context) => Promise<Output>;
}

/** What is known of a command of any input and output. */
export type AnyCommand = Pick<Command, 'name' | 'input' | 'internal'>;

export const command = <Input extends TSchema, Output>(definition: Command<Input, Output>): Command<Input, Output> => definition;

/** A command whose input comes from our own code alone: its TypeScript type is enough. */
export const internalCommand = <Input, Output>(definition: {
  readonly name: string;
  readonly handle: (input: Input, context: Context) => Promise<Output>;
}): Command<TUnsafe<Input>, Output> => ({ ...definition, internal: true, input: Type.Unsafe<Input>({}) });

export interface ExecuteResult<Output> {
  readonly output: Output;
  /** Position of the last event appended, for reading one's own writes. */
  readonly position: Checkpoint;
  readonly replayed: boolean;
}

/** Runs commands. The only place that retries on a conflict. */
export interface Dispatcher {
  execute<Input extends TSchema, Output>(command: Command<Input, Output>, input: Static<Input>, cause: Cause): Promise<ExecuteResult<Output>>;
  /** What a command would get, for rules about an input that is never executed. */
  context(cause: Cause): Context;
}
