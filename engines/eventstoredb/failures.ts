import { OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';

/** Kinds of failed calls. Only the last two are failures of the connection. */
export type FailureKind =
  /** The stream is at another revision. Nothing was written. */
  | 'conflict'
  | 'stream-missing'
  /** The stream has a tombstone: it takes no more events. */
  | 'stream-deleted'
  | 'too-large'
  /** No permission, or the node is not the leader. Nothing was written. */
  | 'refused'
  /** No connection: nothing was sent. */
  | 'unreachable'
  /** The call was interrupted or timed out: the outcome is unknown. */
  | 'interrupted';

/** The server did not answer in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms} ms`);
  }
}

/** Whether a call timed out, here or on the server. */
export const isTimeout = (e: unknown): boolean => e instanceof TimedOut || (e as { type?: unknown } | null)?.type === 'deadline-exceeded';

/** The log was closed during a call. */
export class LogClosed extends Error {
  override readonly name = 'Closed';
  constructor() {
    super('the log was closed before the server answered');
  }
}

/** An append exceeds the server's size limit. Nothing was written. */
export class AppendTooLarge extends RangeError {
  override readonly name = 'AppendTooLarge';
  constructor(stream: string, bytes: number | null, limit: number) {
    super(`append to ${stream}${bytes === null ? '' : ` of ${bytes} bytes`} exceeds the server's limit of ${limit} bytes`);
  }
}

/** The stream has a tombstone. This application never sets one, so an administrator did. */
export class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned';
  constructor(readonly stream: string) {
    super(`stream ${stream} has a tombstone on the server and takes no more events`);
  }
}

const BY_TYPE: Readonly<Record<string, FailureKind>> = {
  'wrong-expected-version': 'conflict',
  'stream-not-found': 'stream-missing',
  'stream-deleted': 'stream-deleted',
  'maximum-append-size-exceeded': 'too-large',
  'access-denied': 'refused',
  'not-leader': 'refused',
};
/** Untyped errors. The client raises them while it requests the server's features, before it sends anything. */
const UNTYPED: readonly { readonly code?: number | string; readonly begins?: string; readonly failure: FailureKind }[] = [
  { code: 14, failure: 'unreachable' },
  { code: 'ECONNREFUSED', failure: 'unreachable' },
  { code: 'ENOTFOUND', failure: 'unreachable' },
  { code: 7, failure: 'refused' },
  { code: 16, failure: 'refused' },
  { begins: 'Failed to discover after', failure: 'unreachable' },
];

/**
 * Classifies errors of the client: classes with a `type`, plain errors with a gRPC code, and plain errors with only a
 * message. An unknown error counts as interrupted.
 */
export function failureOf(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'interrupted';
  const { type, code, message } = error as Error & { type?: unknown; code?: unknown };
  if (typeof type === 'string') return BY_TYPE[type] ?? 'interrupted';
  return UNTYPED.find((known) => (known.begins === undefined ? known.code === code : message.startsWith(known.begins)))?.failure ?? 'interrupted';
}

/** The text of an error for an operator. For batch appends the client leaves messages empty. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { type, code } = error as Error & { type?: unknown; code?: unknown };
  const kind = [type, code].filter((part) => part !== undefined && part !== '').join(' ');
  return [kind, error.message].filter((part) => part !== '').join(': ') || error.name;
}

/** The error of an append for a failure other than a conflict. */
export function appendFailure(error: unknown, stream: string, expected: unknown, limit: number): Error {
  const about = `append to ${stream} at ${expected}: ${describeFailure(error)}`;
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
