import type { Appended, Expected, NewEvent } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { KEYS_FILE, LOG_FILE, positionText } from './files.js';

/** What the writer is asked to do. One group of jobs becomes one transaction of keys and one of events. */
export type Job =
  | { readonly kind: 'append'; readonly stream: string; readonly expected: Expected; readonly events: readonly NewEvent[] }
  | ({ readonly kind: 'keys' } & PackedKeys)
  | { readonly kind: 'destroy'; readonly subject: string };

/** Keys on their way between threads: one block of bytes for all seeds, since each block of its own costs as much as the rest of a row. */
export interface PackedKeys {
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
  /** One after the other, all of the same length. */
  readonly seeds: Uint8Array;
}

export type JobResult =
  | { readonly ok: Appended | null }
  | { readonly actual: Expected }
  /** Nothing was written. */
  | { readonly error: string }
  /** The answer was lost. */
  | { readonly unknown: string };

/** The streams that these jobs append to. */
export const streamsOf = (jobs: readonly Job[]): string[] => jobs.flatMap((job) => (job.kind === 'append' ? [job.stream] : []));

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
const KEY_SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, subject TEXT NOT NULL, seed BLOB NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS keys_by_subject ON keys (subject)`;

/**
 * The one writer of a log file. Group commit: every job of a group shares one fsync of the keys (if there are new ones)
 * and one of the events, in this order, so that no event is ever on disk before the key that opens it.
 */
export class LogWriter {
  readonly #events: Database;
  readonly #keys: Database;
  readonly #head: Statement;
  readonly #known: Statement;
  readonly #insert: Statement;
  readonly #insertKey: Statement;
  readonly #deleteKeys: Statement;
  /** Set when keys could not be written: events sealed with them must not be stored. */
  #broken: string | null = null;

  constructor(dir: string) {
    this.#events = openDatabase(`${dir}/${LOG_FILE}`, { synchronous: 'FULL', cacheMb: 16 });
    this.#events.exec(SCHEMA);
    this.#keys = openDatabase(`${dir}/${KEYS_FILE}`, { synchronous: 'FULL', cacheMb: 8 });
    this.#keys.exec(`PRAGMA secure_delete = ON; ${KEY_SCHEMA}`);
    this.#head = this.#events.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?');
    this.#known = this.#events.prepare('SELECT id, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?');
    this.#insert = this.#events.prepare('INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)');
    this.#insertKey = this.#keys.prepare('INSERT OR IGNORE INTO keys (id, subject, seed) VALUES (?, ?, ?)');
    this.#deleteKeys = this.#keys.prepare('DELETE FROM keys WHERE subject = ?');
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
    if (!jobs.some((job) => job.kind !== 'append')) return null;
    try {
      transaction(this.#keys, () => {
        for (const job of jobs) {
          if (job.kind === 'keys') this.#insertKeys(job);
          else if (job.kind === 'destroy') this.#deleteKeys.run(job.subject);
        }
      });
      // What was destroyed must not be left in the write-ahead file either.
      if (jobs.some((job) => job.kind === 'destroy')) this.#keys.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return null;
    } catch (e) {
      this.#broken = `keys could not be written: ${String(e)}`;
      return this.#broken;
    }
  }

  #insertKeys({ ids, subjects, seeds }: PackedKeys): void {
    const bytes = seeds.length / ids.length;
    ids.forEach((id, i) => {
      this.#insertKey.run(id, subjects[i] as string, seeds.subarray(i * bytes, (i + 1) * bytes));
    });
  }

  #writeEvents(jobs: readonly Job[]): Map<Job, JobResult> {
    const results = new Map<Job, JobResult>();
    const appends = jobs.filter((job) => job.kind === 'append');
    if (appends.length === 0) return results;
    if (this.#broken) throw new Error(this.#broken);
    transaction(this.#events, () => {
      for (const job of appends) results.set(job, this.#append(job));
    });
    return results;
  }

  /** The rule of an append: right revision, or exactly these ids already there; anything else is a conflict and writes nothing. */
  #append({ stream, expected, events }: Extract<Job, { kind: 'append' }>): JobResult {
    const after = expected === 'no-stream' ? -1 : expected;
    const head = (this.#head.get(stream) as { revision: number | null }).revision ?? -1;
    if (head === after) {
      let position = 0;
      events.forEach((e, i) => {
        position = Number(this.#insert.run(stream, after + 1 + i, e.id, e.type, e.data, e.metadata).lastInsertRowid);
      });
      return { ok: { revision: after + events.length, position: positionText(position) } };
    }
    const known = head > after ? (this.#known.all(stream, after, events.length) as { id: string; position: number }[]) : [];
    if (known.length === events.length && known.every((row, i) => row.id === events[i]?.id)) {
      return { ok: { revision: after + events.length, position: positionText((known.at(-1) as { position: number }).position) } };
    }
    return { actual: head === -1 ? 'no-stream' : head };
  }

  close(): void {
    this.#events.close();
    this.#keys.close();
  }
}
