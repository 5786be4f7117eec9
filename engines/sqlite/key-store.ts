import { existsSync } from 'node:fs';
import { type KeyRow, type KeyStore, OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement } from './driver.js';
import { KEYS_FILE } from './files.js';
import type { JobResult } from './log-writer.js';
import type { Writer } from './writer-client.js';

/**
 * Data keys in `keys.db`. Written by the log's writer, ahead of the events of the same group; `alone` where the log is
 * another engine's.
 */
export class SqliteKeyStore implements KeyStore {
  readonly #db: Database;
  readonly #bySubject: Statement;
  readonly #byId: Statement;

  constructor(
    dir: string,
    private readonly writer: Writer,
    private readonly alone = false,
  ) {
    const path = `${dir}/${KEYS_FILE}`;
    if (!existsSync(path)) throw new StoreUnavailable(`${path} is missing`);
    this.#db = openDatabase(path, { readOnly: true, cacheMb: 4 });
    this.#bySubject = this.#db.prepare('SELECT id, subject, seed FROM keys WHERE subject = ? LIMIT 1');
    this.#byId = this.#db.prepare('SELECT id, subject, seed FROM keys WHERE id = ?');
  }

  async bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]> {
    return subjects.map((subject) => this.#bySubject.get(subject) as KeyRow | undefined);
  }

  async byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    return ids.map((id) => this.#byId.get(id) as KeyRow | undefined);
  }

  /**
   * Does not wait for the disk: the writer takes jobs in order and commits keys before events, and a failure refuses all
   * later appends. Where events go elsewhere it waits, and fails if the keys could not be written.
   */
  async put(rows: readonly KeyRow[]): Promise<void> {
    const written = this.writer.submit({ kind: 'keys', rows });
    if (this.alone) done(await written);
  }

  async destroy(subject: string): Promise<void> {
    done(await this.writer.submit({ kind: 'destroy', subject }));
  }

  close(): void {
    this.#db.close();
  }
}

function done(result: JobResult): void {
  if ('unknown' in result) throw new OutcomeUnknown(result.unknown);
  if ('error' in result) throw new StoreUnavailable(result.error);
}
