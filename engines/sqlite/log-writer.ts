import type { Append, Appended, Expected, NewEvent } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { KEYS_FILE, LOG_FILE, positionText } from './files.js';

/** What the writer is asked to do. One group of jobs becomes one transaction of keys and one of events. */
export type Job = AppendJob | ({ readonly kind: 'keys' } & PackedKeys) | { readonly kind: 'destroy'; readonly subject: string };

/** What one call appends. */
interface AppendJob {
  readonly kind: 'append';
  readonly chains: readonly (readonly Append[])[];
}

/** Keys on their way between threads: one block of bytes for all seeds, since each block of its own costs as much as the rest of a row. */
export interface PackedKeys {
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
  /** One after the other, all of the same length. */
  readonly seeds: Uint8Array;
}

/** What came of a chain: the answer to its last append, or where it ended and at which revision that stream is. */
export type ChainDone = Appended | { readonly nth: number; readonly actual: Expected };

export type JobResult =
  /** Of an append: what came of each chain. */
  | { readonly ok: readonly ChainDone[] | null }
  /** Nothing was written. */
  | { readonly error: string }
  /** The answer was lost. */
  | { readonly unknown: string };

/** The streams that these jobs append to. */
export const streamsOf = (jobs: readonly Job[]): string[] =>
  jobs.flatMap((job) => (job.kind === 'append' ? job.chains.flatMap((chain) => chain.map(({ stream }) => stream)) : []));

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (stream, revision)
  )`;
/**
 * Rows are only added at the end, and a destroyed seed is overwritten where it lies by zeros of the same length. A row that
 * is deleted, or inserted between others, makes SQLite move its neighbours to other pages, and what it leaves behind there
 * stays readable in the file until the room is used again. `secure_delete` clears only cells that are deleted and pages that
 * are given up, as the first page is whenever the tree grows by a level.
 */
const KEY_SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    live INTEGER NOT NULL,
    seed BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS keys_by_subject ON keys (subject)`;

/** Which files a writer owns. */
export interface Files {
  /** Only the keys: the log is another engine's. */
  readonly keysOnly?: boolean;
}

/**
 * The one writer of a log file. Group commit: every job of a group shares one fsync of the keys (if there are new ones)
 * and one of the events, in this order, so that no event is ever on disk before the key that opens it.
 */
export class LogWriter {
  readonly #events: EventFile | null;
  readonly #keys: KeyFile;
  /** Set when keys could not be written: events sealed with them must not be stored. */
  #broken: string | null = null;

  constructor(dir: string, { keysOnly = false }: Files = {}) {
    this.#events = keysOnly ? null : new EventFile(dir);
    this.#keys = new KeyFile(dir);
  }

  run(jobs: readonly Job[]): JobResult[] {
    const keyError = this.#writeKeys(jobs);
    let appended: Map<Job, JobResult>;
    try {
      appended = this.#writeEvents(jobs);
    } catch (e) {
      appended = new Map(jobs.map((job) => [job, { error: String(e) }]));
    }
    return jobs.map((job) => (job.kind === 'append' ? (appended.get(job) ?? { ok: null }) : keyError ? { error: keyError } : { ok: null }));
  }

  #writeKeys(jobs: readonly Job[]): string | null {
    const changes = jobs.filter((job) => job.kind !== 'append');
    if (changes.length === 0) return null;
    try {
      return this.#keys.change(changes);
    } catch (e) {
      this.#broken = `keys could not be written: ${String(e)}`;
      return this.#broken;
    }
  }

  #writeEvents(jobs: readonly Job[]): Map<Job, JobResult> {
    const appends = jobs.filter((job) => job.kind === 'append');
    if (appends.length === 0) return new Map();
    if (this.#broken) throw new Error(this.#broken);
    if (!this.#events) throw new Error('this folder holds keys alone');
    return this.#events.append(appends);
  }

  close(): void {
    this.#events?.close();
    this.#keys.close();
  }
}

class KeyFile {
  readonly #db: Database;
  readonly #insert: Statement;
  readonly #destroy: Statement;
  readonly #emptyWriteAhead: Statement;

  constructor(dir: string) {
    this.#db = openDatabase(`${dir}/${KEYS_FILE}`, { synchronous: 'FULL', cacheMb: 8 });
    this.#db.exec(`PRAGMA secure_delete = ON; ${KEY_SCHEMA}`);
    this.#insert = this.#db.prepare('INSERT OR IGNORE INTO keys (id, subject, live, seed) VALUES (?, ?, 1, ?)');
    this.#destroy = this.#db.prepare('UPDATE keys SET live = 0, seed = zeroblob(length(seed)) WHERE subject = ? AND live = 1');
    this.#emptyWriteAhead = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** One transaction. Gives what is left to do, or null. */
  change(jobs: readonly Exclude<Job, { kind: 'append' }>[]): string | null {
    transaction(this.#db, () => {
      for (const job of jobs) {
        if (job.kind === 'keys') this.#insertAll(job);
        else this.#destroy.run(job.subject);
      }
    });
    if (!jobs.some(({ kind }) => kind === 'destroy')) return null;
    // What was destroyed must not be left in the write-ahead file either. Waits for readers as long as any statement does.
    const { busy } = this.#emptyWriteAhead.get() as { busy: number };
    return busy === 0 ? null : 'keys are destroyed, but a reader keeps them in the write-ahead file: destroy them again';
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

class EventFile {
  readonly #db: Database;
  readonly #head: Statement;
  readonly #known: Statement;
  readonly #insert: Statement;

  constructor(dir: string) {
    this.#db = openDatabase(`${dir}/${LOG_FILE}`, { synchronous: 'FULL', cacheMb: 16 });
    this.#db.exec(SCHEMA);
    this.#head = this.#db.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?');
    this.#known = this.#db.prepare('SELECT id, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?');
    this.#insert = this.#db.prepare('INSERT OR IGNORE INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** One transaction. */
  append(jobs: readonly AppendJob[]): Map<Job, JobResult> {
    const results = new Map<Job, JobResult>();
    transaction(this.#db, () => {
      for (const job of jobs) results.set(job, { ok: job.chains.map((chain) => this.#appendChain(chain)) });
    });
    return results;
  }

  #appendChain(chain: readonly Append[]): ChainDone {
    let last: ChainDone | undefined;
    for (const [nth, append] of chain.entries()) {
      const done = this.#append(append);
      if (typeof done !== 'object') return { nth, actual: done };
      last = done;
    }
    return last as Appended;
  }

  /**
   * The rule of an append: right revision, or exactly these ids already there; anything else is a conflict and writes nothing,
   * and the answer is the stream's revision.
   */
  #append({ stream, expected, events }: Append): Appended | Expected {
    const after = expected === 'no-stream' ? -1 : expected;
    // Where the first event of a new stream finds room, the stream is new: nobody need look.
    const head = expected === 'no-stream' ? -1 : this.#headOf(stream);
    const position = head === after ? this.#insertAll(stream, after, events) : null;
    if (position !== null) return { revision: after + events.length, position: positionText(position) };
    const known = this.#known.all(stream, after, events.length) as { id: string; position: number }[];
    if (known.length === events.length && known.every((row, i) => row.id === events[i]?.id)) {
      return { revision: after + events.length, position: positionText((known.at(-1) as { position: number }).position) };
    }
    const actual = this.#headOf(stream);
    return actual === -1 ? 'no-stream' : actual;
  }

  #headOf(stream: string): number {
    return (this.#head.get(stream) as { revision: number | null }).revision ?? -1;
  }

  /** Position of the last one; null, and nothing is written, where the first one's place is taken. */
  #insertAll(stream: string, after: number, events: readonly NewEvent[]): number | null {
    let position = 0;
    for (const [i, { id, type, data, metadata }] of events.entries()) {
      const { changes, lastInsertRowid } = this.#insert.run(stream, after + 1 + i, id, type, data, metadata);
      if (Number(changes) === 0) {
        if (i > 0) throw new Error(`revision ${after + 1 + i} of ${stream} is taken, and the one before it was free`);
        return null;
      }
      position = Number(lastInsertRowid);
    }
    return position;
  }

  close(): void {
    this.#db.close();
  }
}
