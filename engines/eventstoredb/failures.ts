import { OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';

/** What a failed call tells. Only the last three are about the way to the server, not about what was asked. */
export type Failure =
  /** The stream is not where it was expected. Nothing was written. */
  | 'conflict'
  | 'stream-missing'
  /** A tombstone: the stream can never be written again. */
  | 'stream-deleted'
  | 'too-large'
  /** Refused for lack of rights, or by a node that does not lead. Nothing was written. */
  | 'refused'
  /** There was no connection: nothing was sent. */
  | 'unreachable'
  /** The call broke off, or its time was over: whether it was carried out is not known. */
  | 'broken-off';

/** The time of a call was over before the server had answered. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms} ms`);
  }
}

/** Whether the answer came too late, by our clock or by the server's. */
export const isTimeout = (e: unknown): boolean => e instanceof TimedOut || (e as { type?: unknown } | null)?.type === 'deadline-exceeded';

/** The log was closed while a call was under way. */
export class LogClosed extends Error {
  override readonly name = 'Closed';
  constructor() {
    super('the log was closed before the server had answered');
  }
}

/** An append of more bytes than the server takes at once. Nothing was sent, or the server refused it whole. */
export class AppendTooLarge extends RangeError {
  override readonly name = 'AppendTooLarge';
  constructor(stream: string, bytes: number | null, limit: number) {
    super(`an append to ${stream} ${bytes === null ? '' : `of ${bytes} bytes `}is larger than the ${limit} bytes that the server takes at once`);
  }
}

/** The stream ended with a tombstone, which this application never sets: somebody did so by hand. */
export class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned';
  constructor(readonly stream: string) {
    super(`stream ${stream} was deleted for good on the server and takes no more events`);
  }
}

const BY_TYPE: Readonly<Record<string, Failure>> = {
  'wrong-expected-version': 'conflict',
  'stream-not-found': 'stream-missing',
  'stream-deleted': 'stream-deleted',
  'maximum-append-size-exceeded': 'too-large',
  'access-denied': 'refused',
  'not-leader': 'refused',
};
/** Of errors without a type: those that the client met as it asked for the server's features, which it does before it sends anything. */
const UNTYPED: readonly { readonly code?: number | string; readonly begins?: string; readonly failure: Failure }[] = [
  { code: 14, failure: 'unreachable' },
  { code: 'ECONNREFUSED', failure: 'unreachable' },
  { code: 'ENOTFOUND', failure: 'unreachable' },
  { code: 7, failure: 'refused' },
  { code: 16, failure: 'refused' },
  { begins: 'Failed to discover after', failure: 'unreachable' },
];

/**
 * The one place that reads the client's errors. They come as classes with a `type`, as plain errors with the code of
 * gRPC, and as plain errors with nothing but a message; what is not known counts as broken off.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'broken-off';
  const { type, code, message } = error as Error & { type?: unknown; code?: unknown };
  if (typeof type === 'string') return BY_TYPE[type] ?? 'broken-off';
  return UNTYPED.find((known) => (known.begins === undefined ? known.code === code : message.startsWith(known.begins)))?.failure ?? 'broken-off';
}

/** The text of an error for an operator. On the path of batches the client leaves messages empty. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { type, code } = error as Error & { type?: unknown; code?: unknown };
  const kind = [type, code].filter((part) => part !== undefined && part !== '').join(' ');
  return [kind, error.message].filter((part) => part !== '').join(': ') || error.name;
}

/** What the caller of an append is told of a failure that is no conflict. */
export function appendFailure(error: unknown, stream: string, expected: unknown, limit: number): Error {
  const about = `append to ${stream} at ${expected}: ${describe(error)}`;
  switch (failureOf(error)) {
    case 'too-large':
      return new AppendTooLarge(stream, null, (error as { maxAppendSize?: number }).maxAppendSize || limit);
    case 'stream-deleted':
      return new StreamTombstoned(stream);
    case 'refused':
    case 'unreachable':
      return new StoreUnavailable(about, { cause: error });
    default:
      return new OutcomeUnknown(about, { cause: error });
  }
}
