import type { Append, AppendPosition, ExpectedRevision, NewEvent } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { LOG_FILE, rowPositionText } from './files.js';
import { FIRST_EVENT, LOG_INSTALLATION } from './installation.js';
import { type KeyChange, KeyFile } from './key-file.js';
import { RowShortener } from './shortened-rows.js';

/** A job of the writer. One group of jobs becomes one transaction of keys and one of events. `try` writes to both files what is there already. */
export type WriteJob = AppendJob | KeyChange | { readonly kind: 'try' };

/** The chains of one append call. */
interface AppendJob {
  readonly kind: 'append';
  readonly chains: readonly (readonly Append[])[];
}

/** The result of a chain's last append, or the index of the refused append and the actual revision of its stream. */
export type ChainOutcome = AppendPosition | { readonly nth: number; readonly actual: ExpectedRevision };

export type JobResult =
  /** For an append: the outcome of each chain. */
  | { readonly ok: readonly ChainOutcome[] | null }
  /** Nothing was written. */
  | { readonly error: string }
  /** The answer was lost. */
  | { readonly unknown: string };

/** The streams these jobs append to. */
export const streamsOf = (jobs: readonly WriteJob[]): string[] =>
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

  constructor(dir: string, { keysOnly = false }: WriterOptions = {}) {
    this.#events = keysOnly ? null : new EventFile(dir);
    this.#keys = new KeyFile(dir);
  }

  run(jobs: readonly WriteJob[]): JobResult[] {
    const tries = jobs.some(({ kind }) => kind === 'try');
    const keyError = this.#writeKeys(jobs, tries);
    const eventError = tries ? this.#tryEvents() : null;
    let appended: Map<WriteJob, JobResult>;
    try {
      appended = this.#writeEvents(jobs);
    } catch (e) {
      appended = new Map(jobs.map((job) => [job, { error: String(e) }]));
    }
    return jobs.map((job) => {
      if (job.kind === 'append') return appended.get(job) ?? { ok: null };
      const error = keyError ?? (job.kind === 'try' ? eventError : null);
      return error ? { error } : { ok: null };
    });
  }

  #writeKeys(jobs: readonly WriteJob[], tries: boolean): string | null {
    const changes = jobs.filter((job) => job.kind === 'keys' || job.kind === 'destroy');
    if (changes.length === 0 && !tries && this.#keys.problem === null) return null;
    return this.#keys.change(changes, this.#events?.head ?? 0);
  }

  #tryEvents(): string | null {
    try {
      this.#events?.tryWrite();
      return null;
    } catch (e) {
      return `events cannot be written: ${String(e)}`;
    }
  }

  #writeEvents(jobs: readonly WriteJob[]): Map<WriteJob, JobResult> {
    const appends = jobs.filter((job) => job.kind === 'append');
    if (appends.length === 0) return new Map();
    // Events that are sealed with keys that are not on disk must not be stored.
    if (this.#keys.problem !== null) throw new Error(this.#keys.problem);
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

  /** Throws where the file cannot be written. Changes nothing. */
  tryWrite(): void {
    this.#mark.run(0);
  }

  identity(): string | null {
    return (this.#first.get() as { id: string } | undefined)?.id ?? null;
  }

  /** One transaction. `keys` is how many keys were made so far: those of these events are among them. */
  append(jobs: readonly AppendJob[], keys: number): Map<WriteJob, JobResult> {
    const results = new Map<WriteJob, JobResult>();
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
    return last as AppendPosition;
  }

  /**
   * Appends at the expected revision, or recognizes a repeat by its ids. Anything else is a conflict: nothing is written,
   * and the actual revision is returned.
   */
  #append({ stream, expected, events }: Append): AppendPosition | ExpectedRevision {
    const after = expected === 'no-stream' ? -1 : expected;
    // For 'no-stream' the insert of revision 0 itself shows whether the stream exists.
    const head = expected === 'no-stream' ? -1 : this.#headOf(stream);
    const position = head === after ? this.#insertAll(stream, after, events) : null;
    if (position !== null) return { revision: after + events.length, position: rowPositionText(position) };
    const known = this.#known.all(stream, after, events.length) as { id: string; position: number }[];
    if (known.length === events.length && known.every((row, i) => row.id === events[i]?.id)) {
      return { revision: after + events.length, position: rowPositionText((known.at(-1) as { position: number }).position) };
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
