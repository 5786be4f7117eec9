import type { DatabaseSyncInstance as Database, StatementSyncInstance as Statement } from '@photostructure/sqlite';
import { StoreUnavailable } from '../../domain/kernel/ports.js';

/** A database file that is no database, or is damaged. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  constructor(
    readonly path: string,
    problem: string,
  ) {
    super(`The database file ${path} is damaged (${problem}).`);
  }
}

/** What SQLite says of a file that is no database, or whose pages are torn. */
export const isDamage = (e: unknown): boolean =>
  e instanceof Error && /file is not a database|malformed|SQLITE_(CORRUPT|NOTADB)|unsupported file format/i.test(e.message);

/** An error at opening, with the name of the file: DamagedFile, StoreUnavailable where it may be opened later, or the error itself. */
export function openingError(path: string, e: unknown): Error {
  const { message } = e as Error;
  if (isDamage(e)) return new DamagedFile(path, message);
  if (!/unable to open database file|SQLITE_CANTOPEN/i.test(message)) return callError(path, e) as Error;
  return new StoreUnavailable(
    `The database file ${path} cannot be opened. Check its permissions, and the limit of open files (ulimit -n), at least 1024.`,
    {
      cause: e,
    },
  );
}

/**
 * Result codes of SQLite after which the same call may succeed later: it has changed nothing, because the transaction around it is rolled
 * back. Without the errors of our own statements, and without damage, which does not pass.
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  3, // PERM
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  22, // NOLFS
]);
/** An extended code has the result code in its last byte. */
const RESULT_CODE = 0xff;

const BUSY = 5;

/** Whether a call failed because another connection was writing the file all the time. */
export function isBusy(e: unknown): boolean {
  const { errcode } = ((e as Error).cause ?? {}) as { readonly errcode?: unknown };
  return e instanceof StoreUnavailable && typeof errcode === 'number' && (errcode & RESULT_CODE) === BUSY;
}

/** The error of a call: StoreUnavailable where the file cannot be read or written at the moment, else the error itself. */
function callError(path: string, e: unknown): unknown {
  const { errcode } = (e ?? {}) as { readonly errcode?: unknown };
  if (typeof errcode !== 'number' || !PASSING_CODES.has(errcode & RESULT_CODE)) return e;
  return new StoreUnavailable(`${path}: ${(e as Error).message}`, { cause: e });
}

/** The same database. Its calls, and those of its statements, throw typed errors. */
export function withTypedErrors(db: Database, path: string): Database {
  const typed = <Args extends unknown[], R>(call: (...args: Args) => R) => {
    return (...args: Args): R => {
      try {
        return call(...args);
      } catch (e) {
        throw callError(path, e);
      }
    };
  };
  const iterating = (iterate: Statement['iterate']) =>
    function* (...args: Parameters<Statement['iterate']>): Generator<unknown> {
      try {
        yield* iterate(...args);
      } catch (e) {
        throw callError(path, e);
      }
    };
  const prepare = typed(db.prepare.bind(db));
  const ofStatement = (statement: Statement): Statement =>
    Object.defineProperties(statement, {
      run: { value: typed(statement.run.bind(statement)) },
      get: { value: typed(statement.get.bind(statement)) },
      all: { value: typed(statement.all.bind(statement)) },
      iterate: { value: iterating(statement.iterate.bind(statement)) },
    });
  return Object.defineProperties(db, {
    exec: { value: typed(db.exec.bind(db)) },
    prepare: { value: (...args: Parameters<Database['prepare']>) => ofStatement(prepare(...args)) },
  });
}
