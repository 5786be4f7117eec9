import type { AllStreamResolvedEvent, AppendResult, EventData, ResolvedEvent } from '@eventstore/db-client';
import {
  type Append,
  type AppendPosition,
  appendChain,
  type Checkpoint,
  type EventPage,
  type EventStore,
  type ExpectedRevision,
  isAfter,
  type NewEvent,
  OutcomeUnknown,
  PAGE_BYTES,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../domain/kernel/ports.js';
import type { Client } from './client.js';
import { commitPositionText, decode, encode, isSystemEvent, logPosition, revisionNumber, UnreadableEvent } from './codec.js';
import type { EventStoreDbConnection, Timeouts } from './connection.js';
import { appendFailure, describeFailure, failureOf, isTimeout, LogClosed } from './failures.js';
import { type ReadLimits, type ReadStream, readSlice, type Slice } from './reading.js';
import { SharedAppends } from './shared-appends.js';
import { subscribe } from './subscription.js';

export const PAGE = 1_000;
/** Events per read from the server. */
/** System events that usually stand at the end of the log. */
const SYSTEM_EVENTS_AT_END = 7;
const SLICE = 1_000;
/** Smallest read after system events were met: they come in runs. */
const MIN_SLICE_AFTER_SYSTEM_EVENTS = 250;
/** A page ends after so many system events. */
const MAX_SYSTEM_EVENTS = 20_000;
/** Chains of one call that are appended concurrently. The server takes one append at a time. */
const MAX_CONCURRENT_CHAINS = 64;
/** How many appends with an unknown outcome are remembered. */
const MAX_UNSETTLED = 10_000;

export interface EventStoreDbSettings {
  readonly timeouts: Timeouts;
  readonly maxAppendBytes: number;
}

/** The log in EventStoreDB (KurrentDB), 22.6 or later. */
export class EventStoreDbEventStore implements EventStore {
  /** Appends with an unknown outcome that were not repeated successfully since. */
  readonly #unsettled = new Set<string>();
  readonly #shared = new SharedAppends();
  #closed = false;

  constructor(
    private readonly connection: EventStoreDbConnection,
    private readonly release: () => Promise<void>,
    private readonly settings: EventStoreDbSettings,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendPosition> {
    if (events.length === 0) throw new RangeError(`append to ${stream} has no events`);
    return this.#shared.append(stream, expected, events, () => this.#append(stream, expected, events));
  }

  /** Where the server does not answer in time, the same append is sent once more. */
  async #append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendPosition> {
    const name = `${stream} ${expected} ${events[0]?.id}`;
    for (let attempt = 1; ; attempt++) {
      // For each attempt, since an encoded event can be sent only once.
      const encoded = encode(stream, events, this.settings.maxAppendBytes);
      try {
        const { nextExpectedRevision, position } = await this.#send(stream, expected, encoded);
        this.#unsettled.delete(name);
        const revision = revisionNumber(nextExpectedRevision);
        return { revision, position: position ? commitPositionText(position.commit) : await this.#positionOf(stream, revision) };
      } catch (e) {
        this.connection.failed(e);
        if (failureOf(e) === 'conflict') return await this.#conflict(stream, expected, events, name, e as { actualVersion?: unknown });
        const failure = this.#appendFailure(e, stream, expected, name);
        if (!isTimeout(e) || attempt > 1) throw failure;
      }
    }
  }

  async appendAll(chains: readonly (readonly Append[])[]): Promise<(AppendPosition | WrongExpectedRevision)[]> {
    const done: (AppendPosition | WrongExpectedRevision)[] = [];
    for (let from = 0; from < chains.length; from += MAX_CONCURRENT_CHAINS) {
      done.push(...(await Promise.all(chains.slice(from, from + MAX_CONCURRENT_CHAINS).map((chain) => appendChain(this, chain)))));
    }
    return done;
  }

  async read(stream: string, { from, limit = Number.MAX_SAFE_INTEGER, backwards = false }: ReadOptions = {}): Promise<RecordedEvent[] | 'not-found'> {
    const events: RecordedEvent[] = [];
    const step = backwards ? -1 : 1;
    for (let at = from; events.length < limit; at = (events.at(-1) as RecordedEvent).revision + step) {
      if (at !== undefined && at < 0) break;
      const wanted = Math.min(SLICE, limit - events.length);
      const slice = await this.#readSlice(stream, at, wanted, backwards);
      if (slice === 'not-found') return events.length === 0 ? slice : events;
      events.push(...slice);
      if (slice.length < wanted) break;
    }
    return events;
  }

  /** Reads one event more than the limit, which shows whether there are more. */
  async readAll(after: Checkpoint, limit: number, maxBytes = PAGE_BYTES): Promise<EventPage> {
    const events: RecordedEvent[] = [];
    let at = after;
    let bytes = 0;
    const page = (caughtUp: boolean): EventPage => ({ events, upTo: events.at(-1)?.position ?? at, caughtUp });
    for (let passed = 0; passed < MAX_SYSTEM_EVENTS; ) {
      const full = bytes >= maxBytes;
      const wanted = Math.max(full ? 1 : limit - events.length + 1, passed > 0 ? MIN_SLICE_AFTER_SYSTEM_EVENTS : 1);
      const slice = await this.#readAllSlice(at, Math.min(SLICE, wanted), Math.max(1, maxBytes - bytes));
      for (const event of slice.events) {
        if (isSystemEvent(event.type)) passed += 1;
        else if (events.length === limit || full) return page(false);
        else {
          events.push(event);
          bytes += event.data.length;
        }
        at = event.position;
      }
      // `upTo` is the last event, not a system event after it, so that equal progress has equal positions.
      if (!slice.more) return page(true);
    }
    return page(false);
  }

  async pageEnd(after: Checkpoint, limit: number): Promise<Checkpoint> {
    return (await this.readAll(after, limit)).upTo;
  }

  async head(): Promise<Checkpoint> {
    const [last] = await this.readBackwards('end', 1);
    return last?.position ?? 'start';
  }

  /** Passes system events over, of which many may stand at the end of the log. */
  async readBackwards(before: Position | 'end', limit: number): Promise<readonly RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    let at = before;
    for (let count = Math.min(SLICE, limit + SYSTEM_EVENTS_AT_END); ; count = SLICE) {
      const fromPosition = at === 'end' ? at : logPosition(at);
      const { events, more } = await this.#readWithRetry('the end of the log', { count }, (client) =>
        client.readAll({ fromPosition, direction: 'backwards', maxCount: count }),
      );
      for (const event of events) if (!isSystemEvent(event.type) && found.length < limit) found.push(event);
      const oldest = events.at(-1);
      if (found.length === limit || !more || !oldest) return found;
      at = oldest.position;
    }
  }

  subscribe(after: Checkpoint, signal: AbortSignal, limit = PAGE, streamPrefix?: string): AsyncIterable<EventPage> {
    const source = {
      timeouts: this.settings.timeouts,
      client: () => this.#ready(),
      failed: (e: unknown) => this.connection.failed(e),
      closed: () => this.#closed,
      head: () => this.head(),
    };
    return subscribe(source, { after, signal, limit, pageBytes: PAGE_BYTES, streamPrefix });
  }

  /** Calls in flight are canceled if no other log uses the connection. */
  close(): Promise<void> {
    this.#closed = true;
    return this.release();
  }

  async #ready(): Promise<Client> {
    const client = await this.connection.ready(this.settings.timeouts);
    if (this.#closed) throw new StoreUnavailable('the log is closed');
    return client;
  }

  async #send(stream: string, expected: ExpectedRevision, encoded: EventData[]): Promise<AppendResult> {
    const { appendMs, permitMs } = this.settings.timeouts;
    // Fail before taking a permit.
    await this.#ready();
    const acquiredAt = await this.connection.appendPermits.acquire(permitMs);
    if (acquiredAt === null) throw new StoreUnavailable(`append to ${stream}: EventStoreDB is slow and too many appends are waiting`);
    let late = false;
    try {
      const client = await this.#ready();
      const expectedRevision = expected === 'no-stream' ? 'no_stream' : BigInt(expected);
      const call = client.appendToStream(stream, encoded, { expectedRevision, deadline: appendMs });
      return await this.connection.within(appendMs, `append to ${stream}`, call);
    } catch (e) {
      late = isTimeout(e);
      throw e;
    } finally {
      this.connection.appendPermits.release(acquiredAt, late);
    }
  }

  /** An append whose earlier attempt has an unknown outcome stays unknown, even if nothing was sent this time. */
  #appendFailure(e: unknown, stream: string, expected: ExpectedRevision, name: string): Error {
    const failure = e instanceof StoreUnavailable ? e : appendFailure(e, stream, expected, this.settings.maxAppendBytes);
    if (failure instanceof OutcomeUnknown) {
      this.#unsettled.add(name);
      for (const oldest of this.#unsettled) {
        if (this.#unsettled.size <= MAX_UNSETTLED) break;
        this.#unsettled.delete(oldest);
      }
    } else if (failure instanceof StoreUnavailable && this.#unsettled.has(name)) {
      return new OutcomeUnknown(`append to ${stream} at ${expected}, attempted before: ${failure.message}`, { cause: failure });
    }
    return failure;
  }

  /** After an unknown outcome the conflict may be with this append itself: then its events are there, and it succeeded. */
  async #conflict(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    name: string,
    e: { actualVersion?: unknown },
  ): Promise<AppendPosition> {
    const first = expected === 'no-stream' ? 0 : expected + 1;
    const actual: ExpectedRevision = typeof e.actualVersion === 'bigint' && e.actualVersion >= 0n ? Number(e.actualVersion) : 'no-stream';
    if (this.#unsettled.has(name)) {
      const there = actual === 'no-stream' ? [] : await this.#readWritten(stream, expected, first, events.length);
      this.#unsettled.delete(name);
      const last = there.at(-1);
      if (last && there.length === events.length && there.every(({ id }, i) => id.toLowerCase() === events[i]?.id.toLowerCase()))
        return { revision: last.revision, position: last.position };
    }
    throw new WrongExpectedRevision(stream, expected, actual);
  }

  async #readWritten(stream: string, expected: ExpectedRevision, from: number, limit: number): Promise<RecordedEvent[]> {
    try {
      const there = await this.read(stream, { from, limit });
      return there === 'not-found' ? [] : [...there];
    } catch (e) {
      throw new OutcomeUnknown(`append to ${stream} at ${expected}: may be written, the check failed: ${describeFailure(e)}`, { cause: e });
    }
  }

  async #positionOf(stream: string, revision: number): Promise<string> {
    const there = await this.read(stream, { from: revision, limit: 1 });
    const [event] = there === 'not-found' ? [] : there;
    if (!event) throw new OutcomeUnknown(`append to ${stream}: acknowledged without a position, but not found`);
    return event.position;
  }

  async #readSlice(stream: string, from: number | undefined, count: number, backwards: boolean): Promise<RecordedEvent[] | 'not-found'> {
    const direction = backwards ? 'backwards' : 'forwards';
    const fromRevision = from === undefined ? (backwards ? 'end' : 'start') : BigInt(from);
    try {
      const { events } = await this.#readWithRetry(stream, { count }, (client) =>
        client.readStream(stream, { fromRevision, direction, maxCount: count }),
      );
      return events;
    } catch (e) {
      const failure = e instanceof StoreUnavailable ? failureOf(e.cause) : 'interrupted';
      if (failure === 'stream-missing' || failure === 'stream-deleted') return 'not-found';
      throw e;
    }
  }

  /** The server includes the event at the position; this engine does not. */
  async #readAllSlice(after: Checkpoint, wanted: number, bytes: number): Promise<Slice> {
    const count = after === 'start' ? wanted : wanted + 1;
    const slice = await this.#readWithRetry('the log', { count, bytes }, (client) =>
      client.readAll({ fromPosition: logPosition(after), maxCount: count }),
    );
    return { ...slice, events: slice.events.filter(({ position }) => isAfter(position, after)) };
  }

  /** Repeats the read once when the connection had dropped unnoticed. */
  async #readWithRetry(
    what: string,
    limits: ReadLimits,
    begin: (client: Client) => ReadStream<ResolvedEvent | AllStreamResolvedEvent>,
  ): Promise<Slice> {
    const within = <T>(next: Promise<T>) => this.connection.within(this.settings.timeouts.readMs, `reading ${what}`, next);
    for (let attempt = 1; ; attempt++) {
      const client = await this.#ready();
      try {
        return await readSlice(begin(client), limits, within, decode);
      } catch (e) {
        if (e instanceof UnreadableEvent) throw e;
        this.connection.failed(e);
        const again = attempt === 1 && (e as { code?: unknown }).code === 14 && !(e instanceof LogClosed);
        if (!again) throw new StoreUnavailable(`reading ${what}: ${describeFailure(e)}`, { cause: e });
      }
    }
  }
}
