import { existsSync } from 'node:fs';
import { type KeyRow, type KeyStore, OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import { openDatabase, type Statement } from './driver.js';
import { KEYS_FILE } from './files.js';
import type { PackedKeys } from './key-file.js';
import type { JobResult } from './log-writer.js';
import { SharedReadTransaction } from './shared-read-transaction.js';
import type { Writer } from './writer-client.js';

/**
 * Data keys in `keys.db`, written by the log's writer before the events of the same group. With `awaitWrites`, `put`
 * resolves when the keys are on disk: for a log in another engine.
 */
export class SqliteKeyStore implements KeyStore {
  readonly #read: SharedReadTransaction;
  readonly #bySubject: Statement;
  readonly #byId: Statement;
  readonly #page: Statement;
  readonly #absent: Statement;

  constructor(
    dir: string,
    private readonly writer: Writer,
    private readonly awaitWrites = false,
  ) {
    const path = `${dir}/${KEYS_FILE}`;
    if (!existsSync(path)) throw new StoreUnavailable(`${path} is missing`);
    const db = openDatabase(path, { readOnly: true, cacheMb: 4 });
    this.#read = new SharedReadTransaction(db, setImmediate);
    this.#bySubject = db.prepare('SELECT id, subject, seed FROM keys WHERE subject = ? AND live = 1 LIMIT 1');
    this.#byId = db.prepare('SELECT id, subject, seed FROM keys WHERE id = ? AND live = 1');
    this.#absent = db.prepare('SELECT 1 FROM installation WHERE keeps_destroyed = 1 AND NOT EXISTS (SELECT 1 FROM keys WHERE id = ?)');
    this.#page = db.prepare('SELECT id, subject, seed FROM keys WHERE id > ? AND live = 1 ORDER BY id LIMIT ?');
  }

  async bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]> {
    return subjects.map((subject) => this.#find(this.#bySubject, subject));
  }

  async byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const found = ids.map((id) => this.#find(this.#byId, id));
    if (found.every((row) => row !== undefined)) return found;
    // A key may be reported as destroyed only by the current state, not by a shared transaction.
    this.#read.end();
    return found.map((row, i) => row ?? this.#find(this.#byId, ids[i] as string));
  }

  async missing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.#read.read(() => this.#absent.get(id)) !== undefined));
  }

  #find(statement: Statement, name: string): KeyRow | undefined {
    return this.#read.read(() => statement.get(name)) as KeyRow | undefined;
  }

  /**
   * Does not wait for the disk: the writer takes jobs in order, commits keys before events, and refuses all appends until
   * it has written them. With `awaitWrites` it waits, and throws if the keys could not be written.
   */
  async put(rows: readonly KeyRow[]): Promise<void> {
    const written = this.writer.submit({ kind: 'keys', ...packed(rows) });
    if (this.awaitWrites) assertWritten(await written);
  }

  async destroy(subject: string): Promise<void> {
    // An open read transaction of this store would keep the old pages in the write-ahead file.
    this.#read.end();
    assertWritten(await this.writer.submit({ kind: 'destroy', subject }));
    this.#read.end();
  }

  /** Reads the current state, not that of a shared transaction. No id is empty. */
  async page(after: string | null, limit: number): Promise<readonly KeyRow[]> {
    this.#read.end();
    return this.#page.all(after ?? '', limit) as unknown as KeyRow[];
  }

  close(): void {
    this.#read.close();
  }
}

/** Throws RangeError when seeds differ in length. */
function packed(rows: readonly KeyRow[]): PackedKeys {
  const bytes = rows[0]?.seed.length ?? 0;
  const seeds = new Uint8Array(bytes * rows.length);
  rows.forEach(({ seed }, i) => {
    if (seed.length !== bytes) throw new RangeError(`a seed has ${seed.length} bytes, not ${bytes}`);
    seeds.set(seed, i * bytes);
  });
  return { ids: rows.map(({ id }) => id), subjects: rows.map(({ subject }) => subject), seeds };
}

/** Writes what is there already. Throws StoreUnavailable where the files of a writer cannot be written. */
export const tryWriter = async (writer: Writer): Promise<void> => assertWritten(await writer.submit({ kind: 'try' }));

function assertWritten(result: JobResult): void {
  if ('unknown' in result) throw new OutcomeUnknown(result.unknown);
  if ('error' in result) throw new StoreUnavailable(result.error);
}
