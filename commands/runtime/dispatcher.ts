import { createHmac } from 'node:crypto';
import { type Decider, fold } from '../../domain/kernel/decider.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import {
  type AppendPosition,
  type Checkpoint,
  type ExpectedRevision,
  isWrongRevision,
  type Position,
  WrongExpectedRevision,
} from '../../domain/kernel/ports.js';
import type { SealedDecider, SealedState } from '../../domain/kernel/sealed-state.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { AppendCause, EventAppend, EventLog } from '../../log/runtime/event-log.js';
import { hashId, type IdPrefix, newId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import { toExpected, toRevision, tryAppendAll } from './append.js';
import type { Cause, Context, DecideOptions, DecideResult, Dispatcher, KnownState, PartAppends, Plan } from './command.js';
import { KeyedMutex, mapConcurrent } from './concurrency.js';
import type { DispatcherOptions } from './dispatcher-options.js';
import { findEarlierRun, requireRepeat } from './idempotency.js';
import type { CommandPorts } from './ports.js';

const MAX_ATTEMPTS = 5;
/** For plans that touch several streams: each round that one run loses is one that another run has won. */
const MAX_ROUNDS = 100;
/** Upper bound of the random wait before a conflicting command is decided again; multiplied by the attempt. */
const MAX_JITTER_MS = 10;
/** Two nodes that run the same request may conflict on every append of a large batch. */
const MAX_SAME_KEY_ATTEMPTS = 20;
const MAX_SAME_KEY_JITTER_MS = 20;

/** Parts per append call. While one slice is written, the next is sealed. */
const SLICE = 250;
const SLICES_IN_FLIGHT = 2;

/** Runs commands over an event log: loads, decides, appends, and on a conflict loads and decides again. */
export function createDispatcher(parts: DispatcherOptions): Dispatcher {
  const mutex = new KeyedMutex();
  return {
    context: (cause) => new CommandExecution(parts, mutex, cause),
    async execute(command, input, cause) {
      parts.validateInput?.(command, input);
      for (let attempt = 1; ; attempt++) {
        const execution = new CommandExecution(parts, mutex, cause);
        try {
          const output = await command.handle(input, execution);
          return { output, position: execution.position, replayed: execution.wasReplayed };
        } catch (e) {
          // Only for handlers that append by themselves: another node runs the same request, and this run continues after its appends.
          if (!cause.key || !isWrongRevision(e) || attempt === MAX_SAME_KEY_ATTEMPTS) throw e;
          await parts.clock.sleep(parts.entropy.fraction() * MAX_SAME_KEY_JITTER_MS * attempt);
        }
      }
    },
  };
}

interface LoadedAggregate<S> {
  readonly state: S;
  readonly revision: number;
  /** The result of an earlier run with the same idempotency key. */
  readonly replay?: DecideResult<S>;
  /** Its personal fields are left sealed: it serves only those who read none. */
  readonly sealed?: boolean;
}

/** One execution of one command. */
class CommandExecution implements Context {
  readonly now: string;
  readonly log: EventLog;
  readonly addresses: AddressKeys;
  readonly ports: CommandPorts;
  readonly yieldToEventLoop: () => Promise<void>;
  /** Prefix of the event ids of parts. It is random: two executions that decide the same part differently must conflict. */
  #partNamespace: string | undefined;
  /** By stream: the last revision that this execution appended. */
  readonly #written = new Map<string, number>();
  position: Checkpoint = 'start';
  wasReplayed = false;

  constructor(
    private readonly parts: DispatcherOptions,
    private readonly mutex: KeyedMutex,
    readonly cause: Cause,
    private readonly parent: CommandExecution | null = null,
    /** Event ids derive from it. */
    private readonly idNamespace: string = cause.invocation,
  ) {
    this.log = parts.log;
    this.addresses = parts.addresses;
    this.ports = parts.ports;
    this.yieldToEventLoop = () => parts.clock.yieldToEventLoop();
    this.now = new Date(cause.at ?? parts.clock.now()).toISOString();
  }

  newId(prefix: IdPrefix, nth = 0): string {
    return this.cause.key ? hashId(prefix, this.cause.account, this.cause.key, nth) : newId(this.parts.entropy, prefix, Date.parse(this.now));
  }

  newSecret(purpose: string): Buffer {
    if (!this.cause.key) return Buffer.from(this.parts.entropy.bytes(32));
    return createHmac('sha256', this.parts.secretKey)
      .update(JSON.stringify([this.cause.account, this.cause.key, purpose]))
      .digest();
  }

  exclusively<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return this.mutex.runExclusive(keys, work);
  }

  contextOfPart(invocation: string, log?: EventLog, at?: number): Context {
    const { key: _, fingerprint: __, ...cause } = this.cause;
    const own: Cause = { ...cause, invocation, ...(at !== undefined && { at }) };
    const idNamespace = this.#partIdNamespace(invocation);
    if (!log) return new CommandExecution(this.parts, this.mutex, own, this, idNamespace);
    const { onAppend: ___, stateCache: ____, ...parts } = this.parts;
    return new CommandExecution({ ...parts, log }, new KeyedMutex(), own, null, idNamespace);
  }

  ofTestKey(test: boolean): Context {
    if (!test || this.cause.test) return this;
    return new CommandExecution(this.parts, this.mutex, { ...this.cause, test: true }, this, this.idNamespace);
  }

  markReplayed(position?: Position): void {
    this.wasReplayed = true;
    if (position !== undefined) this.#advancePosition(position);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly AnyEvent[]): Promise<AppendPosition> {
    this.#refuseOwnRevision({ stream, expected, events });
    await requireRepeat(this, [{ stream, expected, events }]);
    const appended = await this.log.append(stream, expected, events, this.#appendCause());
    this.#advancePosition(appended.position);
    this.#noteAppended({ stream, expected, events });
    return appended;
  }

  async appendParts(parts: readonly PartAppends[]): Promise<boolean[]> {
    const own = this.#appendCause();
    const { key: _, fingerprint: __, ...cause } = own;
    for (const { invocation, appends } of parts) if (invocation === undefined) for (const append of appends) this.#refuseOwnRevision(append);
    for (const { appends } of parts) await requireRepeat(this, appends);
    const chains = parts.map(({ invocation, appends }) => ({
      cause: invocation === undefined ? own : { ...cause, $causationId: invocation, invocation: this.#partIdNamespace(invocation) },
      appends,
    }));
    const slices = Array.from({ length: Math.ceil(chains.length / SLICE) }, (_, i) => chains.slice(i * SLICE, (i + 1) * SLICE));
    const append = async (slice: typeof chains) => {
      if (slices.length > 1) await this.yieldToEventLoop();
      return this.log.appendAll(slice);
    };
    const answers = (await mapConcurrent(this, slices, SLICES_IN_FLIGHT, append)).flat();
    return parts.map(({ invocation, appends }, i) => {
      const answer = answers[i] as AppendPosition | WrongExpectedRevision;
      const refused = isWrongRevision(answer);
      if (!refused) this.#advancePosition(answer.position);
      const made = refused
        ? appends.slice(
            0,
            appends.findIndex(({ stream, expected }) => stream === answer.stream && expected === answer.expected),
          )
        : appends;
      for (const append of made) this.#noteAppended(append, invocation === undefined);
      return !refused;
    });
  }

  cacheState<S, E extends AnyEvent>(_: Pick<Decider<S, never, E>, 'evolve'>, stream: string, recent: KnownState<S, E>): void {
    this.#keep(stream, recent);
  }

  #keep(stream: string, recent: { readonly state: unknown; readonly revision: number; readonly sealed?: boolean }): void {
    this.parts.stateCache?.set(stream, recent);
  }

  cachedState<S, E extends AnyEvent>(decider: Pick<Decider<S, never, E>, 'initial' | 'evolve'>, stream: string): KnownState<S, E> | undefined {
    return this.#known(decider, stream, { cached: true, sealed: true }) as KnownState<S, E> | undefined;
  }

  #partIdNamespace(invocation: string): string {
    this.#partNamespace ??= this.parts.entropy.uuid();
    return `${this.#partNamespace}/${invocation}`;
  }

  /** The log would take other events at a revision that this execution has written for a repeat of the same append. */
  #refuseOwnRevision({ stream, expected }: EventAppend): void {
    const written = this.#written.get(stream) ?? -1;
    if (written > toRevision(expected)) throw new WrongExpectedRevision(stream, expected, written);
  }

  /** `own`: appended by the command itself, not by a part. */
  #noteAppended({ stream, expected, events }: EventAppend, own = true): void {
    if (own) this.#written.set(stream, toRevision(expected) + events.length);
    this.parts.onAppend?.(stream, events.length);
  }

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
  /** Within this class `S` is a state whose personal fields are sealed where `sealed` says so: the overloads tell callers. */
  async decide<S, C, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    options: DecideOptions<S> = {},
  ): Promise<DecideResult<S>> {
    const known = this.#known(decider, stream, options);
    return this.#retry(MAX_ATTEMPTS, async (round) => {
      if (round > 2) await this.parts.clock.sleep(this.parts.entropy.fraction() * MAX_JITTER_MS * (round - 1));
      const from = (round === 1 && known) || (await this.#load(decider, stream, options));
      const result = from.replay ?? (await this.#decideOn(from, decider, stream, command, options));
      return result && { result };
    });
  }

  attempt<L, R, P = never>(
    load: (round: number, progress: readonly P[]) => Promise<L>,
    plan: (loaded: L, progress: readonly P[]) => Plan<R, P>,
    { maxRounds = MAX_ROUNDS }: { readonly maxRounds?: number } = {},
  ): Promise<R> {
    const progress: P[] = [];
    // Without a wait: a round is lost only where another run appended meanwhile.
    return this.#retry(maxRounds, async (round) => {
      const planned = plan(await load(round, progress), progress);
      if (!(await tryAppendAll(this, planned.appends))) return undefined;
      if ('result' in planned) return { result: planned.result };
      if (planned.progress !== undefined) progress.push(planned.progress);
      return undefined;
    });
  }

  /** The one loop that retries on a conflict. `attempt` is given the round, from 1, and resolves with undefined where it takes another. */
  async #retry<R>(maxRounds: number, attempt: (round: number) => Promise<{ readonly result: R } | undefined>): Promise<R> {
    for (let round = 1; round <= maxRounds; round++) {
      const done = await attempt(round);
      if (done) return done.result;
    }
    throw new DomainError('conflict', 'The resource was changed at the same time. Try again.');
  }

  /** Undefined on a conflict. */
  async #decideOn<S, C, E extends AnyEvent>(
    { state, revision, sealed = false }: LoadedAggregate<S>,
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    { cached }: DecideOptions<S>,
  ): Promise<DecideResult<S> | undefined> {
    const events = decider.decide(command, state);
    if (events.length === 0) return { state, position: null, revision };
    const after = events.reduce(decider.evolve, state);
    try {
      const appended = await this.append(stream, toExpected(revision), events);
      if (cached) this.#keep(stream, { state: after, revision: appended.revision, ...(sealed && { sealed }) });
      return { state: after, position: appended.position, revision: appended.revision };
    } catch (e) {
      if (isWrongRevision(e)) return undefined;
      throw e;
    }
  }

  #known<S, E extends AnyEvent>(
    decider: Pick<Decider<S, never, E>, 'initial'>,
    stream: string,
    { assumeNew, loaded, cached, sealed = false }: DecideOptions<S>,
  ): LoadedAggregate<S> | undefined {
    const fromCache = cached ? (this.parts.stateCache?.get(stream) as LoadedAggregate<S> | undefined) : undefined;
    const isUsable = sealed || !fromCache?.sealed;
    const given = loaded && { ...loaded, ...(sealed && { sealed }) };
    return (isUsable ? fromCache : undefined) ?? given ?? (assumeNew ? { state: decider.initial, revision: -1 } : undefined);
  }

  /** With the idempotency key of an earlier run the events themselves are read: what they say is the answer. */
  async #load<S, E extends AnyEvent>(
    decider: Decider<S, never, E>,
    stream: string,
    { sealed = false }: DecideOptions<S>,
  ): Promise<LoadedAggregate<S>> {
    const { state, revision, runOf, events } = await loadAggregate(this.log, decider, stream, { sealed });
    const loaded = { state: state as S, revision, ...(sealed && { sealed }) };
    if (this.cause.key === undefined || runOf(this.cause.key) === undefined) return loaded;
    const past = await events();
    const earlier = findEarlierRun(this.cause, past);
    return earlier ? { ...loaded, replay: this.#replay(decider, past, earlier) } : loaded;
  }

  #replay<S, E extends AnyEvent>(decider: Decider<S, never, E>, past: readonly LogEvent<E>[], last: LogEvent): DecideResult<S> {
    this.markReplayed(last.position);
    const until = past.filter(({ revision }) => revision <= last.revision).map(({ event }) => event);
    return { state: fold(decider, until), position: last.position, revision: last.revision };
  }

  #advancePosition(position: Position): void {
    if (this.position === 'start' || position > this.position) this.position = position;
    if (this.parent) this.parent.#advancePosition(position);
  }

  #appendCause(): AppendCause {
    const { account, actor, invocation, correlation, key, fingerprint, origin, test } = this.cause;
    const by = { account, actor, ...(origin !== undefined && { origin }), ...(test && { test }) };
    const base = { $correlationId: correlation, $causationId: invocation, ...by, occurredAt: this.now, invocation: this.idNamespace };
    return key ? { ...base, key, fingerprint } : base;
  }
}
