import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { Metadata, type ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import { appendFailure, type FailureKind, failureOf, LogClosed, TimedOut } from '../../../engines/eventstoredb/failures.js';

const service = (code: number, details: string, fields: Readonly<Record<string, string>> = {}): ServiceError => {
  const metadata = new Metadata();
  for (const [field, value] of Object.entries(fields)) metadata.set(field, value);
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata });
};
const coded = (code: number | string): Error => Object.assign(new Error(`code ${code}`), { code });
type AppendError = 'StoreUnavailable' | 'OutcomeUnknown' | 'AppendTooLarge' | 'StreamTombstoned';

/** A description, the error of the client, its classification, and the error that an append throws. */
const table: readonly (readonly [string, unknown, FailureKind, AppendError | 'a conflict'])[] = [
  ['a conflict', new WrongExpectedVersionError(undefined as never, { streamName: 's', current: 1n, expected: 0n }), 'conflict', 'a conflict'],
  ['a tombstone', StreamDeletedError.fromStreamName('s'), 'stream-deleted', 'StreamTombstoned'],
  ['too many bytes', MaxAppendSizeExceededError.fromMaxAppendSize(1_048_576), 'too-large', 'AppendTooLarge'],
  ['too few rights', new AccessDeniedError(), 'refused', 'StoreUnavailable'],
  [
    'a node that is not the leader',
    new NotLeaderError(service(5, 'not leader', { 'leader-endpoint-host': 'other', 'leader-endpoint-port': '2113' })),
    'refused',
    'StoreUnavailable',
  ],
  ['a lost connection', new UnavailableError(service(14, 'connection dropped')), 'interrupted', 'OutcomeUnknown'],
  ['a call that the server cancelled', new CancelledError(service(1, 'cancelled')), 'interrupted', 'OutcomeUnknown'],
  ['a deadline', new DeadlineExceededError(), 'interrupted', 'OutcomeUnknown'],
  ['a time-out of the server', new TimeoutError(), 'interrupted', 'OutcomeUnknown'],
  ['an error unknown to the client, such as "Server Is Busy"', new UnknownError(undefined, 'Could not recognize'), 'interrupted', 'OutcomeUnknown'],
  ['our own time limit', new TimedOut('append', 5_000), 'interrupted', 'OutcomeUnknown'],
  ['a closed log', new LogClosed(), 'interrupted', 'OutcomeUnknown'],
  ['a failed connection before anything was sent', service(14, 'No connection established'), 'unreachable', 'StoreUnavailable'],
  ['no member of a cluster', new Error('Failed to discover after 10 attempts.'), 'unreachable', 'StoreUnavailable'],
  ['a refused connection', coded('ECONNREFUSED'), 'unreachable', 'StoreUnavailable'],
  ['an unknown host name', coded('ENOTFOUND'), 'unreachable', 'StoreUnavailable'],
  ['denied access before anything was sent', service(7, 'Access Denied'), 'refused', 'StoreUnavailable'],
  ['a wrong password', service(16, 'Unauthenticated'), 'refused', 'StoreUnavailable'],
  ['an unknown error', new Error('something'), 'interrupted', 'OutcomeUnknown'],
  ['a value that is not an Error', 'a text', 'interrupted', 'OutcomeUnknown'],
];

describe('failures of EventStoreDB', () => {
  for (const [what, error, failure, thrown] of table) {
    it(`classifies ${what} as ${failure}${thrown === 'a conflict' ? '' : ` and throws ${thrown} from an append`}`, () => {
      expect(failureOf(error)).to.equal(failure);
      if (thrown !== 'a conflict') expect(appendFailure(error, 'stream-1', 7, 1_048_576)).to.include({ name: thrown });
    });
  }

  it('classifies a missing stream as stream-missing', () =>
    expect(failureOf(new StreamNotFoundError(null as never, 's'))).to.equal('stream-missing'));

  it('names the type of an error without a message', () => {
    const error = appendFailure(new AccessDeniedError(), 'stream-1', 'no-stream', 1);
    expect(error.message).to.equal('append to stream-1 at no-stream: access-denied');
  });
});
