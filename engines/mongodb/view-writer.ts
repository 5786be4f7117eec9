import { LRUCache } from 'lru-cache';
import type { Collection, Db } from 'mongodb';
import type { Checkpoint, Doc, DocumentRef, Op, Position, ViewSpec, ViewWriter } from '../../domain/kernel/ports.js';
import type { Catalog, CatalogEntry } from './catalog.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { viewsName } from './names.js';
import { PageWriter } from './page-writer.js';
import { type StoredDoc, toStored } from './stored.js';

/** Documents that were just written are often loaded again by one of the next pages. */
const CACHED_DOCS = 20_000;
export const SCAN_BATCH = 1_000;

/**
 * Writes one generation of one projection. After a failed commit the outcome is unknown; `checkpoint` determines it and
 * completes a pending page.
 */
export class MongoViewWriter implements ViewWriter {
  readonly #recent = new LRUCache<string, string>({ max: CACHED_DOCS });
  /** The checkpoint that the cache `#recent` is valid for. */
  #at: Checkpoint | null = null;
  readonly #pages: PageWriter;

  constructor(
    private readonly db: Db,
    catalog: Catalog,
    private readonly spec: ViewSpec,
    readonly generation: number,
    now: () => number,
    private readonly onCommit: (entry: CatalogEntry) => void,
  ) {
    this.#pages = new PageWriter(db, catalog, spec.name, generation, now);
  }

  async checkpoint(): Promise<Checkpoint> {
    const entry = await this.#pages.completePending();
    const at = entry?.generations[this.generation]?.checkpoint ?? 'start';
    if (at !== this.#at) this.#clearCache();
    this.#at = at;
    return at;
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

  async commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    const stored = toStored(this.spec, ops);
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
      this.onCommit(entry);
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
      const page = await callServer(() => cursor().sort({ _id: 1 }).limit(SCAN_BATCH).toArray());
      for (const { d } of page) if (d !== undefined) yield JSON.parse(d) as Doc;
      after = page.at(-1)?._id;
      if (page.length < SCAN_BATCH || after === undefined) return;
    }
  }

  async close(): Promise<void> {
    this.#clearCache();
    await this.#pages.settled();
  }

  #documents(collection: string): Collection<StoredDoc> {
    return this.db.collection(viewsName(this.spec.name, this.generation, collection));
  }

  #clearCache(): void {
    this.#recent.clear();
    this.#at = null;
  }
}

const key = (collection: string, id: string): string => `${collection}/${id}`;
const parsed = (text: string | undefined): Doc | undefined => (text === undefined ? undefined : (JSON.parse(text) as Doc));
