import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { StoreUnavailable } from '../../domain/kernel/ports.js';

const DUPLICATE_KEY = 11000;

/**
 * Transient server errors: the same request may succeed a moment later. The names are those of the server's list of
 * error codes.
 */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  46, // LockBusy
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed, for example when the majority did not confirm in time
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  317, // ConnectionPoolExpired
  384, // ConnectionError
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  14031, // OutOfDiskSpace
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** Transient errors of the driver itself, by name because some of the classes are not exported. */
const TRANSIENT_NAMES: ReadonlySet<string> = new Set([
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
]);

/** Whether the same request may succeed later: the server was down, silent, too slow, or not the primary. */
export function isTransient(e: unknown): boolean {
  if (!(e instanceof MongoError)) return false;
  if (e instanceof MongoNetworkError || e instanceof MongoServerSelectionError || TRANSIENT_NAMES.has(e.name)) return true;
  if (e.hasErrorLabel('RetryableWriteError') || e.hasErrorLabel('TransientTransactionError')) return true;
  // A bulk that failed on the connection has the cause in `errorResponse`.
  if (e instanceof MongoBulkWriteError && isTransient((e as { errorResponse?: unknown }).errorResponse)) return true;
  const writeConcern = e instanceof MongoBulkWriteError ? e.result?.getWriteConcernError() : null;
  return TRANSIENT_CODES.has(Number(e.code)) || (writeConcern != null && TRANSIENT_CODES.has(Number(writeConcern.code)));
}

/** Time limit of one call, whatever the state of the server, in milliseconds. */
export const CALL_TIMEOUT_MS = 6_000;

/**
 * Runs a call. Throws StoreUnavailable for a transient error or after the time limit: the driver waits for a connection,
 * for the primary and for the answer, each up to a limit, and then retries. Every call of this engine can be repeated:
 * what a failed one has done is determined from the data (a checkpoint, a token), never from its answer.
 */
export async function callServer<T>(call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(`MongoDB: no answer within ${CALL_TIMEOUT_MS} ms`)), CALL_TIMEOUT_MS);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (e) {
    throw isTransient(e) ? new StoreUnavailable(`MongoDB: ${(e as Error).message}`, { cause: e }) : e;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the write, or each failed write of a bulk, failed only because of a duplicate key. */
export function isDuplicateKey(e: unknown): boolean {
  if (!(e instanceof MongoServerError) || isTransient(e)) return false;
  if (!(e instanceof MongoBulkWriteError)) return e.code === DUPLICATE_KEY;
  const errors = [e.writeErrors].flat();
  return errors.length > 0 && errors.every((error) => error.code === DUPLICATE_KEY);
}

/** Runs a write and ignores documents that exist already. */
export async function ignoreDuplicates(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (e) {
    if (!isDuplicateKey(e)) throw e;
  }
}

/** Runs an insert of many documents and returns the indexes of those that exist already. */
export async function duplicateIndexes(insert: () => Promise<unknown>): Promise<number[]> {
  try {
    await insert();
    return [];
  } catch (e) {
    if (!(e instanceof MongoBulkWriteError) || !isDuplicateKey(e)) throw e;
    return [e.writeErrors].flat().map(({ index }) => index);
  }
}
