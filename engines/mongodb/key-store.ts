import { Binary, type Collection, type Db, type Document, type Filter, type OptionalUnlessRequiredId } from 'mongodb';
import type { KeyRow, KeyStore } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS, DEFINITION_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { DESTROYED_KEYS, KEYS } from './names.js';

const BATCH_SIZE = 1_000;

interface KeyDoc {
  readonly _id: string;
  readonly subject: string;
  readonly seed: Binary;
}

/** The id of a destroyed key, or that of `COMPLETE`. */
interface DestroyedDoc {
  readonly _id: string;
}

/** Says that the ids of all keys that were ever destroyed are there, so that a key without a row and without its id there is missing. */
const COMPLETE = 'complete';

/**
 * Data keys in a collection of their own, to be backed up apart from the log.
 *
 * A destroyed seed is overwritten before it is removed; the id of its key stays in another collection. The server keeps traces for a while in its journal, its
 * operation log and unused pages of its files; disk encryption covers those.
 */
export class MongoKeyStore implements KeyStore {
  readonly #keys: Collection<KeyDoc>;
  readonly #destroyed: Collection<DestroyedDoc>;
  readonly #putting = new Set<Promise<unknown>>();

  private constructor(db: Db) {
    this.#keys = db.collection(KEYS);
    this.#destroyed = db.collection(DESTROYED_KEYS);
  }

  static async open(db: Db): Promise<MongoKeyStore> {
    const store = new MongoKeyStore(db);
    await callServer(() => store.#keys.createIndex({ subject: 1 }, DEFINITION_OPTIONS));
    // From before the first key, or after all were lost.
    if ((await callServer(() => store.#keys.findOne({}, COMMAND_OPTIONS))) === null) await store.#addDestroyed([COMPLETE]);
    return store;
  }

  /** Records that keys are copied into this store, without those that were destroyed before. */
  async markCopied(): Promise<void> {
    await callServer(() => this.#destroyed.deleteOne({ _id: COMPLETE }, COMMAND_OPTIONS));
  }

  async bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const rows = await this.#find('subject', subjects);
    return subjects.map((subject) => rows.get(subject));
  }

  async byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]> {
    const rows = await this.#find('_id', ids);
    return ids.map((id) => rows.get(id));
  }

  /** None in a store of an earlier release, or of copied keys: destroyed ones have left no trace there. */
  async missing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    // In this order: a key that is being destroyed has its row until its id is among the destroyed ones.
    const rows = await this.#idsOf(this.#keys, ids);
    const destroyed = await this.#idsOf(this.#destroyed, [COMPLETE, ...ids]);
    return new Set(destroyed.has(COMPLETE) ? ids.filter((id) => !rows.has(id) && !destroyed.has(id)) : []);
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
    const overwritten = { subject, seed: OVERWRITTEN };
    const docs = await callServer(() =>
      this.#keys.find(overwritten, { projection: { _id: 1 }, batchSize: BATCH_SIZE, ...COMMAND_OPTIONS }).toArray(),
    );
    const ids = docs.map(({ _id }) => _id);
    await this.#addDestroyed(ids);
    for (let i = 0; i < ids.length; i += BATCH_SIZE)
      await callServer(() => this.#keys.deleteMany({ _id: { $in: ids.slice(i, i + BATCH_SIZE) } }, COMMAND_OPTIONS));
  }

  /** Excludes keys that are being destroyed: their seeds are overwritten already. */
  async page(after: string | null, limit: number): Promise<readonly KeyRow[]> {
    const live = { ...(after !== null && { _id: { $gt: after } }), seed: { $ne: OVERWRITTEN } };
    const docs = await callServer(() => this.#keys.find(live, { sort: { _id: 1 }, limit, batchSize: BATCH_SIZE, ...COMMAND_OPTIONS }).toArray());
    return docs.map(keyRow);
  }

  #insert(docs: readonly KeyDoc[]): Promise<void> {
    return insertNew(this.#keys, docs);
  }

  #addDestroyed(ids: readonly string[]): Promise<void> {
    return insertNew(
      this.#destroyed,
      ids.map((_id) => ({ _id })),
    );
  }

  async #idsOf<D extends DestroyedDoc>(collection: Collection<D>, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let i = 0; i < ids.length; i += BATCH_SIZE) {
      const some = { _id: { $in: ids.slice(i, i + BATCH_SIZE) } } as unknown as Filter<D>;
      const options = { projection: { _id: 1 }, batchSize: BATCH_SIZE, ...COMMAND_OPTIONS };
      for (const { _id } of await callServer(() => collection.find(some, options).toArray())) found.add(String(_id));
    }
    return found;
  }

  async #find(field: '_id' | 'subject', values: readonly string[]): Promise<Map<string, KeyRow>> {
    const rows = new Map<string, KeyRow>();
    const wanted = [...new Set(values)];
    for (let i = 0; i < wanted.length; i += BATCH_SIZE) {
      const some = { [field]: { $in: wanted.slice(i, i + BATCH_SIZE) }, seed: { $ne: OVERWRITTEN } };
      const docs = await callServer(() => this.#keys.find(some, { batchSize: BATCH_SIZE, ...COMMAND_OPTIONS }).toArray());
      for (const doc of docs) if (!rows.has(doc[field])) rows.set(doc[field], keyRow(doc));
    }
    return rows;
  }
}

const MAJORITY_ON_DISK = { w: 'majority', journal: true, wtimeoutMS: COMMAND_OPTIONS.maxTimeMS } as const;

/** Resolves when a majority has the documents in its journal. Keeps what is there already. */
async function insertNew<D extends Document>(collection: Collection<D>, docs: readonly OptionalUnlessRequiredId<D>[]): Promise<void> {
  for (let i = 0; i < docs.length; i += BATCH_SIZE) {
    const some = docs.slice(i, i + BATCH_SIZE);
    await callServer(() =>
      ignoreDuplicates(() => collection.insertMany(some, { ordered: false, writeConcern: MAJORITY_ON_DISK, ...COMMAND_OPTIONS })),
    );
  }
}

/** The seed of a key that is being destroyed. */
const OVERWRITTEN = new Binary(new Uint8Array(32));

const keyRow = ({ _id, subject, seed }: KeyDoc): KeyRow => ({ id: _id, subject, seed: Uint8Array.from(seed.value()) });
