import { LRUCache } from 'lru-cache';
import type { Collection, Db } from 'mongodb';
import {
  type Checkpoint,
  type Doc,
  type DocumentRef,
  endOfPrefix,
  lowestOf,
  type Op,
  type Position,
  type ViewSpec,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import { readBatch } from './batches.js';
import { type CatalogEntry, type MongoCatalog, partitionsOf } from './catalog.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { viewsName } from './names.js';
import { INLINE_SIZE, PageWriter } from './page-writer.js';
import { type MongoDoc, toStored } from './stored.js';

/** Documents that were just written are often loaded again by one of the next pages. */
const CACHED_DOCS = 20_000;
/** In characters of their JSON: large documents are cached in smaller numbers. */
const CACHED_CHARACTERS = 8_000_000;
export const SCAN_BATCH = 1_000;

/** A generation, and where its writers report commits. */
export interface OpenMongoGeneration {
  readonly db: Db;
  readonly catalog: MongoCatalog;
  readonly spec: ViewSpec;
  readonly generation: number;
  readonly partitionCount: number;
  readonly now: () => number;
  readonly onCommit: (entry: CatalogEntry) => void;
}

/**
 * Writes partitions of one generation of one projection. After a failed commit the outcome is unknown; `checkpoint` determines it
 * and completes pending pages.
 */
export class MongoViewWriter implements ViewWriter {
  readonly generation: number;
  readonly partitionCount: number;
  readonly isRemote = true;
  readonly #recent = new LRUCache<string, string>({ max: CACHED_DOCS, maxSize: CACHED_CHARACTERS, sizeCalculation: (text) => text.length });
  /** The checkpoint that the cache `#recent` is valid for. */
  #at: Checkpoint | null = null;
  readonly #pages: PageWriter;

  constructor(
    private readonly opened: OpenMongoGeneration,
    readonly partitions: readonly number[],
  ) {
    const { db, catalog, spec, generation, partitionCount: count, now } = opened;
    this.generation = generation;
    this.partitionCount = count;
    this.#pages = new PageWriter(db, catalog, spec.name, generation, now, count === 1 ? null : partitions, INLINE_SIZE / count);
  }

  async narrow(partitions: readonly number[]): Promise<ViewWriter> {
    return new MongoViewWriter(this.opened, partitions);
  }

  async checkpoint(): Promise<Checkpoint> {
    return lowestOf(await this.checkpoints());
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    const own = (await this.#pages.completePending())?.generations[this.generation];
    const all = own ? partitionsOf(own) : [];
    const checkpoints = this.partitions.map((partition) => all[partition]?.checkpoint ?? 'start');
    const [first = 'start'] = checkpoints;
    if (first !== this.#at || checkpoints.some((at) => at !== first)) this.#clearCache();
    this.#at = first;
    return checkpoints;
  }

  async load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]> {
    const texts = new Map<string, string>();
    const missing = new Map<string, string[]>();
    for (const { collection, id } of refs) {
      const known = this.#recent.get(key(collection, id));
      if (known !== undefined) texts.set(key(collection, id), known);
      else missing.set(collection, [...(missing.get(collection) ?? []), id]);
    }
    await Promise.all(
      [...missing].map(async ([collection, ids]) => {
        const filter = { _id: { $in: [...new Set(ids)] } };
        const cursor = () => this.#documents(collection).find(filter, { projection: { d: 1 }, batchSize: SCAN_BATCH, ...COMMAND_OPTIONS });
        for (const { _id, d } of await callServer(() => cursor().toArray())) if (d !== undefined) texts.set(key(collection, _id), d);
      }),
    );
    return refs.map(({ collection, id }) => parsed(texts.get(key(collection, id))));
  }

  async idsWithPrefix(collection: string, prefix: string): Promise<string[]> {
    const filter = { _id: { $gte: prefix, $lt: endOfPrefix(prefix) }, g: { $exists: false } };
    const cursor = () => this.#documents(collection).find(filter, { projection: { _id: 1 }, batchSize: SCAN_BATCH, ...COMMAND_OPTIONS });
    return callServer(async () => (await cursor().toArray()).map(({ _id }) => _id));
  }

  async commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    const stored = toStored(this.opened.spec, ops);
    try {
      const entry = await this.#pages.write(from, to, stored);
      if (!entry) {
        this.#clearCache();
        return 'mismatch';
      }
      // The cache is valid only if no other writer has committed since.
      if (this.#at !== from) this.#clearCache();
      for (const { c, i, d } of stored) {
        if (d === undefined) this.#recent.delete(key(c, i));
        else this.#recent.set(key(c, i), d);
      }
      this.#at = to;
      this.opened.onCommit(entry);
      return 'ok';
    } catch (e) {
      this.#clearCache();
      throw e;
    }
  }

  async *scan(collection: string): AsyncIterable<Doc> {
    for (let after: string | undefined; ; ) {
      const filter = { g: { $exists: false }, ...(after !== undefined && { _id: { $gt: after } }) };
      const cursor = () => this.#documents(collection).find(filter, { projection: { d: 1 }, batchSize: SCAN_BATCH, ...COMMAND_OPTIONS });
      const { docs, more } = await callServer(() => readBatch(cursor().sort({ _id: 1 }), SCAN_BATCH));
      for (const { d } of docs) if (d !== undefined) yield JSON.parse(d) as Doc;
      if (!more) return;
      after = docs.at(-1)?._id;
    }
  }

  async close(): Promise<void> {
    this.#clearCache();
    await this.#pages.settled();
  }

  #documents(collection: string): Collection<MongoDoc> {
    return this.opened.db.collection(viewsName(this.opened.spec.name, this.generation, collection));
  }

  #clearCache(): void {
    this.#recent.clear();
    this.#at = null;
  }
}

const key = (collection: string, id: string): string => `${collection}/${id}`;
const parsed = (text: string | undefined): Doc | undefined => (text === undefined ? undefined : (JSON.parse(text) as Doc));
