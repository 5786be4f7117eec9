import { Binary, type Collection, type Db } from 'mongodb';
import type { KeyRow, KeyStore } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS, DEFINITION_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { KEYS } from './names.js';

const BATCH_SIZE = 1_000;

interface KeyDoc {
  readonly _id: string;
  readonly subject: string;
  readonly seed: Binary;
}

/**
 * Data keys in a collection of their own, to be backed up apart from the log.
 *
 * A destroyed seed is overwritten before it is removed. The server keeps traces for a while in its journal, its
 * operation log and unused pages of its files; disk encryption covers those.
 */
export class MongoKeyStore implements KeyStore {
  readonly #keys: Collection<KeyDoc>;
  readonly #putting = new Set<Promise<unknown>>();

  private constructor(db: Db) {
    this.#keys = db.collection(KEYS);
  }

  static async open(db: Db): Promise<MongoKeyStore> {
    const store = new MongoKeyStore(db);
    await callServer(() => store.#keys.createIndex({ subject: 1 }, DEFINITION_OPTIONS));
    return store;
  }

  async bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const rows = await this.#find('subject', subjects);
    return subjects.map((subject) => rows.get(subject));
  }

  async byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const rows = await this.#find('_id', ids);
    return ids.map((id) => rows.get(id));
  }

  /** Destroyed keys leave no trace here. */
  async missing(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  /** Resolves when a majority has the rows in its journal: writes here and to the log have no common order. */
  async put(rows: readonly KeyRow[]): Promise<void> {
    if (rows.length === 0) return;
    // Copied now: the caller may reuse the memory of a seed.
    const docs = rows.map(({ id, subject, seed }): KeyDoc => ({ _id: id, subject, seed: new Binary(Uint8Array.from(seed)) }));
    const putting = this.#insert(docs);
    this.#putting.add(putting);
    try {
      await putting;
    } finally {
      this.#putting.delete(putting);
    }
  }

  /** Waits for puts of this process first, and destroys those as well. */
  async destroy(subject: string): Promise<void> {
    await Promise.allSettled(this.#putting);
    await callServer(() => this.#keys.updateMany({ subject }, { $set: { seed: OVERWRITTEN } }, COMMAND_OPTIONS));
    await callServer(() => this.#keys.deleteMany({ subject }, COMMAND_OPTIONS));
  }

  /** Excludes keys that are being destroyed: their seeds are overwritten already. */
  async page(after: string | null, limit: number): Promise<readonly KeyRow[]> {
    const live = { ...(after !== null && { _id: { $gt: after } }), seed: { $ne: OVERWRITTEN } };
    const docs = await callServer(() => this.#keys.find(live, { sort: { _id: 1 }, limit, batchSize: BATCH_SIZE, ...COMMAND_OPTIONS }).toArray());
    return docs.map(keyRow);
  }

  async #insert(docs: readonly KeyDoc[]): Promise<void> {
    for (let i = 0; i < docs.length; i += BATCH_SIZE) {
      const some = docs.slice(i, i + BATCH_SIZE);
      await callServer(() =>
        ignoreDuplicates(() => this.#keys.insertMany(some, { ordered: false, writeConcern: MAJORITY_ON_DISK, ...COMMAND_OPTIONS })),
      );
    }
  }

  async #find(field: '_id' | 'subject', values: readonly string[]): Promise<Map<string, KeyRow>> {
    const rows = new Map<string, KeyRow>();
    const wanted = [...new Set(values)];
    for (let i = 0; i < wanted.length; i += BATCH_SIZE) {
      const some = { [field]: { $in: wanted.slice(i, i + BATCH_SIZE) } };
      const docs = await callServer(() => this.#keys.find(some, { batchSize: BATCH_SIZE, ...COMMAND_OPTIONS }).toArray());
      for (const doc of docs) if (!rows.has(doc[field])) rows.set(doc[field], keyRow(doc));
    }
    return rows;
  }
}

const MAJORITY_ON_DISK = { w: 'majority', journal: true, wtimeoutMS: COMMAND_OPTIONS.maxTimeMS } as const;

/** The seed of a key that is being destroyed. */
const OVERWRITTEN = new Binary(new Uint8Array(32));

const keyRow = ({ _id, subject, seed }: KeyDoc): KeyRow => ({ id: _id, subject, seed: Uint8Array.from(seed.value()) });
