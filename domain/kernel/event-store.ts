/** 0-based index of an event in its stream. */
export type Revision = number;
/** Index of an event in the whole log: 20 digits, so that text order is log order. */
export type Position = string;
/** The progress of a reader: a position, or 'start' before the first event. */
export type Checkpoint = Position | 'start';
/** Whether `a` is later in the log than `b`. */
export const isAfter = (a: Checkpoint, b: Checkpoint): boolean => (b === 'start' ? a !== 'start' : a !== 'start' && a > b);
/** A text that sorts after this position and not after any later one. */
export const justAfter = (position: Checkpoint): Position => (position === 'start' ? '0' : `${position}+`);
/** The revision that an append expects of its stream. 'any' is absent on purpose: it cannot de-duplicate. */
export type ExpectedRevision = Revision | 'no-stream';

/** An event before it is appended. `data` and `metadata` are JSON texts; `id` is a UUID. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

export interface AppendPosition {
  /** Of the last event appended. */
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * Budget of a page in bytes of event data. The page ends with the event that reaches it, or up to PAGE_OVERRUN events later: an
 * event has at most the size of an append, 1 MiB.
 */
export const PAGE_BYTES = 4_194_304;
export const PAGE_OVERRUN = 16;

/** A range of the log. `upTo` is its end, which may lie after its last event where a filter left events out. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  readonly upTo: Checkpoint;
  /** True when there was nothing after `upTo` as the page was read. */
  readonly caughtUp: boolean;
}

export interface ReadOptions {
  /** First revision to read, or the last one when reading backwards. */
  readonly from?: Revision;
  readonly limit?: number;
  readonly backwards?: boolean;
}

/**
 * The log. An append is all or nothing and is on disk when it resolves. Repeating an append with the same ids at the same
 * expected revision returns the first result; any other append at a revision that is taken throws WrongExpectedRevision.
 */
export interface EventStore {
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendPosition>;
  /**
   * Many appends in one call, in independent chains. An append is made only after the one before it in its chain; the first
   * refusal ends its chain. Returns for each chain the result of its last append, or the refusal. Throws what `append` throws
   * where the store fails: some appends are made then, and repeating the call makes the rest.
   */
  appendAll(chains: readonly (readonly Append[])[]): Promise<(AppendPosition | WrongExpectedRevision)[]>;
  read(stream: string, options?: ReadOptions): Promise<readonly RecordedEvent[] | 'not-found'>;
  /**
   * The next events of the log: at most `limit`, ending soon after `maxBytes` bytes of data, by default PAGE_BYTES; at least one
   * if there is one. The pages of a subscription have the same budget.
   */
  readAll(after: Checkpoint, limit: number, maxBytes?: number): Promise<EventPage>;
  /** About where a page of `readAll` ends, as cheaply as the store can tell: at most `limit` events on, at least one if there is one. */
  pageEnd(after: Checkpoint, limit: number): Promise<Checkpoint>;
  /** Position of the last event, or 'start'. */
  head(): Promise<Checkpoint>;
  /** The events before a position, or the last ones, the newest first: at most `limit`, and none at the beginning of the log. */
  readBackwards(before: Position | 'end', limit: number): Promise<readonly RecordedEvent[]>;
  /**
   * Yields all events after a position, present and future; with `streamPrefix` only those of streams whose names begin with
   * it. Reconnects by itself; ends only when the signal aborts.
   */
  subscribe(after: Checkpoint, signal: AbortSignal, limit?: number, streamPrefix?: string): AsyncIterable<EventPage>;
  close(): Promise<void>;
}

/** Another writer appended first, or the stream exists although it was expected not to. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`stream ${stream} is at ${actual}, expected ${expected}`);
  }
}

/** It is unknown whether the append happened: repeat the identical append. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The store cannot be reached and nothing was sent. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export const isWrongRevision = (e: unknown): e is WrongExpectedRevision => e instanceof Error && e.name === 'WrongExpectedRevision';

/** One chain of `appendAll`, for engines that take one append at a time. */
export async function appendChain(store: Pick<EventStore, 'append'>, chain: readonly Append[]): Promise<AppendPosition | WrongExpectedRevision> {
  let last: AppendPosition | undefined;
  try {
    for (const { stream, expected, events } of chain) last = await store.append(stream, expected, events);
  } catch (e) {
    if (isWrongRevision(e)) return e;
    throw e;
  }
  if (!last) throw new RangeError('a chain without appends');
  return last;
}
