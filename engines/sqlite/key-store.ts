import { existsSync } from 'node:fs';
import { type KeyRow, type KeyStore, OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import { openDatabase, type Statement } from './driver.js';
import { KEYS_FILE } from './files.js';
import type { JobResult, PackedKeys } from './log-writer.js';
import { SharedRead } from './shared-read.js';
import type { Writer } from './writer-client.js';

/**
 * Data keys in `keys.db`. Written by the log's writer, ahead of the events of the same group; `alone` where the log is
 * another engine's.
 */
export class SqliteKeyStore implements KeyStore {
  readonly #read: SharedRead;
  readonly #bySubject: Statement;
  readonly #byId: Statement;
  readonly #page: Statement;

  constructor(
    dir: string,
    private readonly writer: Writer,
    private readonly alone = false,
  ) {
    const path = `${dir}/${KEYS_FILE}`;
    if (!existsSync(path)) throw new StoreUnavailable(`${path} is missing`);
    const db = openDatabase(path, { readOnly: true, cacheMb: 4 });
    this.#read = new SharedRead(db, setImmediate);
    this.#bySubject = db.prepare('SELECT id, subject, seed FROM keys WHERE subject = ? AND live = 1 LIMIT 1');
    this.#byId = db.prepare('SELECT id, subject, seed FROM keys WHERE id = ? AND live = 1');
    this.#page = db.prepare('SELECT id, subject, seed FROM keys WHERE id > ? AND live = 1 ORDER BY id LIMIT ?');
  }

  async bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]> {
    return subjects.map((subject) => this.#find(this.#bySubject, subject));
  }

  async byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const found = ids.map((id) => this.#find(this.#byId, id));
    if (found.every((row) => row !== undefined)) return found;
    // What reads as destroyed must be so now, not only in a state that is a moment old.
    this.#read.end();
    return found.map((row, i) => row ?? this.#find(this.#byId, ids[i] as string));
  }

  #find(statement: Statement, name: string): KeyRow | undefined {
    return this.#read.read(() => statement.get(name)) as KeyRow | undefined;
  }

  /**
   * Does not wait for the disk: the writer takes jobs in order and commits keys before events, and a failure refuses all
   * later appends. Where events go elsewhere it waits, and fails if the keys could not be written.
   */
  async put(rows: readonly KeyRow[]): Promise<void> {
    const written = this.writer.submit({ kind: 'keys', ...packed(rows) });
    if (this.alone) done(await written);
  }

  async destroy(subject: string): Promise<void> {
    // A read transaction of this very store would keep the old state alive.
    this.#read.end();
    done(await this.writer.submit({ kind: 'destroy', subject }));
    this.#read.end();
  }

  /** As the file is now, not in a state that is a moment old. No id is empty. */
  async page(after: string | null, limit: number): Promise<readonly KeyRow[]> {
    this.#read.end();
    return this.#page.all(after ?? '', limit) as unknown as KeyRow[];
  }

  close(): void {
    this.#read.close();
  }
}

/** Throws RangeError where seeds are not all of one length. */
function packed(rows: readonly KeyRow[]): PackedKeys {
  const bytes = rows[0]?.seed.length ?? 0;
  const seeds = new Uint8Array(bytes * rows.length);
  rows.forEach(({ seed }, i) => {
    if (seed.length !== bytes) throw new RangeError(`a seed has ${seed.length} bytes, not ${bytes}`);
    seeds.set(seed, i * bytes);
  });
  return { ids: rows.map(({ id }) => id), subjects: rows.map(({ subject }) => subject), seeds };
}

function done(result: JobResult): void {
  if ('unknown' in result) throw new OutcomeUnknown(result.unknown);
  if ('error' in result) throw new StoreUnavailable(result.error);
}
