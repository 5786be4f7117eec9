import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { KEYS_FILE } from './files.js';
import { KEYS_INSTALLATION } from './installation.js';

/** Keys as they are posted between threads: one buffer for all seeds, since a buffer each would double the cost. */
export interface PackedKeys {
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
  /** Concatenated, all of the same length. */
  readonly seeds: Uint8Array;
}

type WriteKeys = { readonly kind: 'keys' } & PackedKeys;
export type KeyChange = WriteKeys | { readonly kind: 'destroy'; readonly subject: string };

export const joinKeys = (jobs: readonly WriteKeys[]): WriteKeys => ({
  kind: 'keys',
  ids: jobs.flatMap(({ ids }) => ids),
  subjects: jobs.flatMap(({ subjects }) => subjects),
  seeds: Buffer.concat(jobs.map(({ seeds }) => seeds)),
});

/** So many keys wait in memory for a disk that cannot be written, some 20 MB. */
const MAX_UNWRITTEN = 100_000;
/** So many jobs with keys of before share a transaction: few, because each group of jobs tries it again. */
const LEFT_OVER_AT_ONCE = 500;

/**
 * Rows are only appended, and a destroyed seed is overwritten in place by zeros of the same length. Deleting a row, or
 * inserting one between others, would make SQLite move neighboring rows to other pages and leave readable copies behind.
 * `secure_delete` clears only deleted cells and freed pages, such as the first page when the tree grows by a level.
 */
export const KEY_SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    live INTEGER NOT NULL,
    seed BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS keys_by_subject ON keys (subject)`;

/**
 * The key file of a writer. Keys that could not be written, as on a full disk, are kept in memory and written before anything else: whoever
 * made them may seal events with them at any later time.
 */
export class KeyFile {
  readonly #db: Database;
  readonly #insert: Statement;
  readonly #destroy: Statement;
  readonly #emptyWriteAhead: Statement;
  readonly #mark: Statement;
  readonly #identify: Statement;
  readonly #top: Statement;
  readonly #path: string;
  #unwritten: WriteKeys[] = [];
  #problem = '';
  /** How many keys were ever made, as this writer knows. */
  made: number;

  constructor(dir: string) {
    this.#path = `${dir}/${KEYS_FILE}`;
    this.#db = openDatabase(this.#path, { synchronous: 'FULL', cacheMb: 8 });
    this.#db.exec(`PRAGMA secure_delete = ON; ${KEY_SCHEMA}; ${KEYS_INSTALLATION}`);
    this.#mark = this.#db.prepare('UPDATE installation SET log_head = max(log_head, ?)');
    this.#identify = this.#db.prepare('UPDATE installation SET identity = ? WHERE identity IS NULL');
    this.#top = this.#db.prepare('SELECT max(n) AS made FROM keys');
    this.made = this.#countMade();
    this.#insert = this.#db.prepare('INSERT OR IGNORE INTO keys (id, subject, live, seed) VALUES (?, ?, 1, ?)');
    this.#destroy = this.#db.prepare('UPDATE keys SET live = 0, seed = zeroblob(length(seed)) WHERE subject = ? AND live = 1');
    this.#emptyWriteAhead = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #countMade(): number {
    return (this.#top.get() as { made: number | null }).made ?? 0;
  }

  identify(identity: string): void {
    this.#identify.run(identity);
  }

  /** Why there are keys that are not on disk, or null. */
  get problem(): string | null {
    return this.#unwritten.length > 0 ? this.#problem : null;
  }

  /**
   * Writes keys that were left over, and then these changes in one transaction. `logHead` is the number of the last event that this writer
   * knows. Returns an error text, or null. Throws where too many keys are left over.
   */
  change(jobs: readonly KeyChange[], logHead: number): string | null {
    try {
      while (this.#unwritten.length > 0) {
        this.#commit(this.#unwritten.slice(0, LEFT_OVER_AT_ONCE), logHead);
        this.#unwritten = this.#unwritten.slice(LEFT_OVER_AT_ONCE);
      }
      return this.#commit(jobs, logHead);
    } catch (e) {
      this.#keep(jobs.filter((job) => job.kind === 'keys'));
      this.#problem = `keys could not be written: ${String(e)}`;
      return this.#problem;
    }
  }

  #keep(jobs: readonly WriteKeys[]): void {
    this.#unwritten.push(...jobs);
    const kept = this.#unwritten.reduce((sum, { ids }) => sum + ids.length, 0);
    if (kept > MAX_UNWRITTEN)
      throw new Error(`The keys in ${this.#path} could not be written for too long (${kept} are waiting). Check the disk, then start again.`);
  }

  #commit(jobs: readonly KeyChange[], logHead: number): string | null {
    transaction(this.#db, () => {
      for (const job of jobs) {
        if (job.kind === 'keys') this.#insertAll(job);
        else this.#destroy.run(job.subject);
      }
      this.#mark.run(logHead);
    });
    this.made = this.#countMade();
    if (!jobs.some(({ kind }) => kind === 'destroy')) return null;
    // Destroyed seeds must not stay in the write-ahead file. Waits for readers up to the busy timeout.
    const { busy } = this.#emptyWriteAhead.get() as { busy: number };
    return busy === 0 ? null : 'keys were destroyed, but a reader keeps them in the write-ahead file: destroy them again';
  }

  #insertAll({ ids, subjects, seeds }: PackedKeys): void {
    const bytes = seeds.length / ids.length;
    ids.forEach((id, i) => {
      this.#insert.run(id, subjects[i] as string, seeds.subarray(i * bytes, (i + 1) * bytes));
    });
  }

  close(): void {
    this.#db.close();
  }
}
