import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import type { Decider } from '../../domain/kernel/decider.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { AppendPosition, Checkpoint, ExpectedRevision, Position } from '../../domain/kernel/ports.js';
import type { SealedDecider, SealedState } from '../../domain/kernel/sealed-state.js';
import type { EventAppend, EventLog } from '../../log/runtime/event-log.js';
import type { IdPrefix } from '../../log/runtime/ids.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import type { CommandPorts } from './ports.js';

/** Who runs a command: an API key, a user, the operator's command line, a process manager, or a recipient on a public page. */
export interface Actor {
  readonly kind: 'key' | 'user' | 'operator' | 'process' | 'public';
  readonly id: string;
}

/** The cause of a command. `key` and `fingerprint` are set if the caller gave an idempotency key. */
export interface Cause {
  readonly account: string;
  readonly actor: Actor;
  /** Id of this execution. Event ids derive from it, so a repeated append is recognized. */
  readonly invocation: string;
  /** Id of the request or event that started the whole chain. */
  readonly correlation: string;
  /** A hash of account, route and idempotency key: the same for every repeat of a request. */
  readonly key?: string;
  /** A hash of the request. The same key with another fingerprint is refused. */
  readonly fingerprint?: string;
  /** Of a user: the box of the address and the program that the request came from. */
  readonly origin?: string;
  /** Of a test key, or of what followed from one: it is in the metadata of every event, messages go to the sandbox, and nothing that is live changes. */
  readonly test?: true;
  /** The request is answered only if it repeats one that was accepted: what would append anything new throws UnansweredRepeat. */
  readonly repeats?: true;
  /** Milliseconds since 1970; overrides the dispatcher's clock. */
  readonly at?: number;
}

export interface DecideResult<S> {
  readonly state: S;
  /** Position of the last event of this decision; null if nothing was appended. */
  readonly position: Position | null;
  readonly revision: number;
}

export interface DecideOptions<S> {
  /** The stream most likely does not exist: decides on the initial state without loading it. */
  readonly assumeNew?: boolean;
  /** State and revision of an earlier decision: used instead of loading the stream. */
  readonly loaded?: { readonly state: S; readonly revision: number };
  /**
   * Decides on the state that this process last wrote, if it is cached. Only for decisions whose append is refused when the
   * state is out of date: then the stream is loaded and the command is decided again.
   */
  readonly cached?: boolean;
  /** Leaves personal fields sealed; for deciders that read none (see SealedDecider). */
  readonly sealed?: boolean;
}

/** A state and its revision. With `sealed` its personal fields may be sealed. */
export type KnownState<S, E> =
  | { readonly state: S; readonly revision: number; readonly sealed?: false }
  | { readonly state: SealedState<S, E>; readonly revision: number; readonly sealed: true };

/** What a handler may use: the time, new ids, ports, and appends to streams. */
export interface Context {
  readonly now: string;
  readonly cause: Cause;
  readonly log: EventLog;
  readonly addresses: AddressKeys;
  /** What the composition root provides, by capability. */
  readonly ports: CommandPorts;
  /** Lets everything else that waits for this thread run; for long work without I/O. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** A new id; under an idempotency key the same one on every run. `nth` distinguishes several ids of one prefix. */
  newId(prefix: IdPrefix, nth?: number): string;
  /** 32 secret bytes; under an idempotency key the same ones on every run. */
  newSecret(purpose: string): Buffer;
  /**
   * Loads the stream, decides, and appends at the loaded revision; on a conflict it loads and decides again, at most five
   * times, then throws `conflict`. If an earlier run with the same idempotency key has changed the stream, it returns the
   * state right after that run.
   */
  decide<S, C, E extends AnyEvent>(
    decider: SealedDecider<S, C, E>,
    stream: string,
    command: C,
    options: DecideOptions<SealedState<S, E>> & { readonly sealed: true },
  ): Promise<DecideResult<SealedState<S, E>>>;
  decide<S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    options?: DecideOptions<S> & { readonly sealed?: false },
  ): Promise<DecideResult<S>>;
  /**
   * Loads, plans and appends, in order, up to the first stream that has changed since; then loads and
   * plans again. It ends with the first result whose appends are all made. Unlike `decide` it ignores the idempotency key: a
   * plan must recognize in the loaded state what an earlier run has done. Throws `conflict` after `maxRounds` rounds (100).
   */
  attempt<L, R, P = never>(
    load: (round: number, progress: readonly P[]) => Promise<L>,
    plan: (loaded: L, progress: readonly P[]) => Plan<R, P>,
    options?: { readonly maxRounds?: number },
  ): Promise<R>;
  /** Appends with the metadata of this command; for commands that write several streams or chunks. Throws `WrongExpectedRevision`. */
  append(stream: string, expected: ExpectedRevision, events: readonly AnyEvent[]): Promise<AppendPosition>;
  /**
   * Appends to several streams in one call, for the command itself or for parts of it. The appends of each part are made in
   * order, up to the first conflict. Returns for each part whether all its appends were made. Throws WrongExpectedRevision if
   * this run itself has written at such a revision before.
   */
  appendParts(parts: readonly PartAppends[]): Promise<boolean[]>;
  /** Keeps the state of a stream that this command has written, for later decisions with `cached`. */
  cacheState<S, E extends AnyEvent>(decider: Pick<Decider<S, never, E>, 'evolve'>, stream: string, recent: KnownState<S, E>): void;
  /**
   * The state that this process last wrote or loaded with `cached`, if it is still cached; it may be out of date. Only for
   * decisions whose append names its revision, and which read no personal field.
   */
  cachedState<S, E extends AnyEvent>(decider: Pick<Decider<S, never, E>, 'initial' | 'evolve'>, stream: string): KnownState<S, E> | undefined;
  /** Runs `work` under a mutex for these keys within this process; saves retries after conflicts. */
  exclusively<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /**
   * A context for one part of the command, such as a row. `invocation` is the causation id of the part's events and the same on
   * every run, so a repeated run finds what an earlier one appended. Event ids differ between runs: of two runs that work on
   * the same part at once, one gets a conflict. With `log`, the part reads and writes that log instead; `at` is its time, in milliseconds
   * since 1970.
   */
  contextOfPart(invocation: string, log?: EventLog, at?: number): Context;
  /**
   * The same execution as one of a test key, where `test` is true: what it goes on with is of a test key, though its cause does not say so.
   */
  ofTestKey(test: boolean): Context;
  /** Reports that the answer is that of an earlier run with the same idempotency key, whose last event has this position. */
  markReplayed(position?: Position): void;
}

/**
 * The next step of a command that changes several streams: either appends, in order and each at the loaded revision, with the
 * result once all are made; or another round, which receives the progress made by then.
 */
export type Plan<R, P = never> =
  | { readonly appends: readonly EventAppend[]; readonly result: R }
  | { readonly appends: readonly EventAppend[]; readonly progress?: P };

/** The appends of one part. Without `invocation`, those of the command itself. */
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

/** A command of any input and output. */
export type AnyCommand = Pick<Command, 'name' | 'input' | 'internal'>;

export const command = <Input extends TSchema, Output>(definition: Command<Input, Output>): Command<Input, Output> => definition;

/** A command whose input comes from our own code alone: its TypeScript type is enough. */
export const internalCommand = <Input, Output>(definition: {
  readonly name: string;
  readonly handle: (input: Input, context: Context) => Promise<Output>;
}): Command<TUnsafe<Input>, Output> => ({ ...definition, internal: true, input: Type.Unsafe<Input>({}) });

export interface ExecuteResult<Output> {
  readonly output: Output;
  /** Position of the last event appended, for read-your-writes. */
  readonly position: Checkpoint;
  readonly replayed: boolean;
}

/** Executes commands. The only place that retries on a conflict. */
export interface Dispatcher {
  execute<Input extends TSchema, Output>(command: Command<Input, Output>, input: Static<Input>, cause: Cause): Promise<ExecuteResult<Output>>;
  /** The context of a command, for rules about an input that is never executed. */
  context(cause: Cause): Context;
}
