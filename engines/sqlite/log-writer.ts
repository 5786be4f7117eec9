import type { Append, Appended, Expected, NewEvent } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { KEYS_FILE, LOG_FILE, positionText } from './files.js';
import { FIRST_EVENT, KEYS_INSTALLATION, LOG_INSTALLATION } from './installation.js';
import { RowShortener } from './shortened-rows.js';

/** A job of the writer. One group of jobs becomes one transaction of keys and one of events. */
export type Job = AppendJob | ({ readonly kind: 'keys' } & PackedKeys) | { readonly kind: 'destroy'; readonly subject: string };

/** The chains of one append call. */
interface AppendJob {
  readonly kind: 'append';
  readonly chains: readonly (readonly Append[])[];
}

/** Keys as they are posted between threads: one buffer for all seeds, since a buffer each would double the cost. */
export interface PackedKeys {
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
  /** Concatenated, all of the same length. */
  readonly seeds: Uint8Array;
}

/** The result of a chain's last append, or the index of the refused append and the actual revision of its stream. */
export type ChainOutcome = Appended | { readonly nth: number; readonly actual: Expected };

export type JobResult =
  /** For an append: the outcome of each chain. */
  | { readonly ok: readonly ChainOutcome[] | null }
  /** Nothing was written. */
  | { readonly error: string }
  /** The answer was lost. */
  | { readonly unknown: string };

/** The streams these jobs append to. */
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
 * Rows are only appended, and a destroyed seed is overwritten in place by zeros of the same length. Deleting a row, or
 * inserting one between others, would make SQLite move neighbouring rows to other pages and leave readable copies behind.
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

/** Which files the writer owns. */
export interface WriterOptions {
  /** Only the keys: the log is in another engine. */
  readonly keysOnly?: boolean;
}

/**
 * The only writer of a log file. Group commit: all jobs of a group share one fsync of the keys (if there are new ones)
 * and then one of the events, so that no event is on disk before the key that opens it.
 */
export class LogWriter {
  readonly #events: EventFile | null;
  readonly #keys: KeyFile;
  /** Set when keys could not be written: events sealed with them must not be stored. */
  #broken: string | null = null;

  constructor(dir: string, { keysOnly = false }: WriterOptions = {}) {
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
      return this.#keys.change(changes, this.#events?.head ?? 0);
    } catch (e) {
      this.#broken = `keys could not be written: ${String(e)}`;
      return this.#broken;
    }
  }

  #writeEvents(jobs: readonly Job[]): Map<Job, JobResult> {
    const appends = jobs.filter((job) => job.kind === 'append');
    if (appends.length === 0) return new Map();
    if (this.#broken) throw new Error(this.#broken);
    if (!this.#events) throw new Error('this writer owns only keys, no log');
    const isFirst = this.#events.head === 0;
    const results = this.#events.append(appends, this.#keys.made);
    if (isFirst) this.#identifyKeys(this.#events);
    return results;
  }

  /** Records in the keys which log they belong to. Where this fails, the next start does it: the events are on disk. */
  #identifyKeys(events: EventFile): void {
    try {
      const identity = events.identity();
      if (identity !== null) this.#keys.identify(identity);
    } catch {}
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
  readonly #mark: Statement;
  readonly #identify: Statement;
  readonly #top: Statement;
  /** How many keys were ever made, as this writer knows. */
  made: number;

  constructor(dir: string) {
    this.#db = openDatabase(`${dir}/${KEYS_FILE}`, { synchronous: 'FULL', cacheMb: 8 });
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

  /** One transaction. `logHead` is the number of the last event that this writer knows. Returns an error text, or null. */
  change(jobs: readonly Exclude<Job, { kind: 'append' }>[], logHead: number): string | null {
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

class EventFile {
  readonly #db: Database;
  readonly #rows = new RowShortener();
  readonly #head: Statement;
  readonly #known: Statement;
  readonly #insert: Statement;
  readonly #mark: Statement;
  readonly #first: Statement;
  /** How many keys the log was last marked with. */
  #marked = -1;
  /** The number of the last event that this writer knows; 0 without one. */
  head: number;

  constructor(dir: string) {
    this.#db = openDatabase(`${dir}/${LOG_FILE}`, { synchronous: 'FULL', cacheMb: 16 });
    this.#db.exec(`${SCHEMA}; ${LOG_INSTALLATION}`);
    this.#mark = this.#db.prepare('UPDATE installation SET keys = max(keys, ?)');
    this.#first = this.#db.prepare(FIRST_EVENT);
    this.head = (this.#db.prepare('SELECT max(position) AS head FROM events').get() as { head: number | null }).head ?? 0;
    this.#head = this.#db.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?');
    this.#known = this.#db.prepare('SELECT id, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?');
    this.#insert = this.#db.prepare('INSERT OR IGNORE INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)');
  }

  identity(): string | null {
    return (this.#first.get() as { id: string } | undefined)?.id ?? null;
  }

  /** One transaction. `keys` is how many keys were made so far: those of these events are among them. */
  append(jobs: readonly AppendJob[], keys: number): Map<Job, JobResult> {
    const results = new Map<Job, JobResult>();
    let last = this.head;
    try {
      transaction(this.#db, () => {
        for (const job of jobs) results.set(job, { ok: job.chains.map((chain) => this.#appendChain(chain)) });
        if (keys !== this.#marked) this.#mark.run(keys);
      });
      this.#marked = keys;
      for (const result of results.values())
        if ('ok' in result) for (const done of result.ok ?? []) if ('position' in done) last = Math.max(last, Number(done.position));
      this.head = last;
    } catch (e) {
      this.#rows.forget();
      throw e;
    }
    return results;
  }

  #appendChain(chain: readonly Append[]): ChainOutcome {
    let last: ChainOutcome | undefined;
    for (const [nth, append] of chain.entries()) {
      const done = this.#append(append);
      if (typeof done !== 'object') return { nth, actual: done };
      last = done;
    }
    return last as Appended;
  }

  /**
   * Appends at the expected revision, or recognises a repeat by its ids. Anything else is a conflict: nothing is written,
   * and the actual revision is returned.
   */
  #append({ stream, expected, events }: Append): Appended | Expected {
    const after = expected === 'no-stream' ? -1 : expected;
    // For 'no-stream' the insert of revision 0 itself shows whether the stream exists.
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

  /** Position of the last event. Null, and nothing is written, when the first revision is taken. */
  #insertAll(stream: string, after: number, events: readonly NewEvent[]): number | null {
    let position = 0;
    for (const [i, { id, type, data, metadata }] of events.entries()) {
      const stored = this.#rows.shorten(type, { data, metadata }, events[i - 1]?.metadata);
      const { changes, lastInsertRowid } = this.#insert.run(stream, after + 1 + i, id, type, stored.data, stored.metadata);
      if (Number(changes) === 0) {
        if (i > 0) throw new Error(`revision ${after + 1 + i} of ${stream} exists, but the one before it did not`);
        return null;
      }
      position = Number(lastInsertRowid);
      this.#rows.noteStored(type, stored, position);
    }
    return position;
  }

  close(): void {
    this.#db.close();
  }
}
