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

/** An error at opening, with the name of the file. */
export function openingError(path: string, e: unknown): Error {
  const { message } = e as Error;
  if (isDamage(e)) return new DamagedFile(path, message);
  if (!/unable to open database file|SQLITE_CANTOPEN/i.test(message)) return e as Error;
  return new Error(`The database file ${path} cannot be opened. Check its permissions, and the limit of open files (ulimit -n), at least 1024.`, {
    cause: e,
  });
}
