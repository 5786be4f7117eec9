import type { Collection, Db, Filter, FindCursor } from 'mongodb';
import type { CollectionSpec, Doc, Docs, Find, FoundPage, Value, ViewSpec } from '../../domain/kernel/ports.js';
import type { CatalogEntry } from './catalog.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { scanAndFilter } from './full-scan.js';
import { fieldPath } from './generations.js';
import { viewsName } from './names.js';
import type { MongoDoc } from './stored.js';

const BATCH_SIZE = 1_000;
const NOTHING = { docs: [], bytes: 0, cut: false } as const;
const identity = <T>(value: T): T => value;
const NO_TOMBSTONE = { g: { $exists: false } } as const;
const DOCUMENT_TEXT = { projection: { _id: 0, d: 1 } } as const;

/** Knows the active generation of each projection. */
export interface ActiveGenerations {
  /** The last entry that was read, or undefined. */
  known(name: string): CatalogEntry | undefined;
  read(name: string): Promise<CatalogEntry | null>;
}

/** A collection of one generation and the fields it can be queried by. */
interface ReadableCollection {
  readonly documents: Collection<MongoDoc>;
  readonly has: (field: string) => boolean;
}

/** The documents of one collection, queried through the server's indexes. */
export class MongoDocs<D extends Doc> implements Docs<D> {
  readonly #lists: CollectionSpec['multi'];

  constructor(
    private readonly db: Db,
    private readonly active: ActiveGenerations,
    private readonly spec: ViewSpec,
    private readonly collection: string,
  ) {
    this.#lists = spec.collections[collection]?.multi;
  }

  get(id: string): Promise<D | undefined> {
    return this.#read(undefined, async ({ documents }) => {
      const found = await documents.findOne({ _id: id }, { ...DOCUMENT_TEXT, ...COMMAND_OPTIONS });
      return found?.d === undefined ? undefined : (JSON.parse(found.d) as D);
    });
  }

  getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    const nothing = ids.map(() => undefined);
    if (ids.length === 0) return Promise.resolve([]);
    return this.#read<(D | undefined)[]>(nothing, async ({ documents }) => {
      const found = await documents.find({ _id: { $in: [...ids] } }, { projection: { d: 1 }, ...COMMAND_OPTIONS, batchSize: BATCH_SIZE }).toArray();
      const byId = new Map(found.flatMap(({ _id, d }) => (d === undefined ? [] : [[_id, JSON.parse(d) as D] as const])));
      return ids.map((id) => byId.get(id));
    });
  }

  find(query: Find): Promise<D[]> {
    return this.#found(query, [], async (cursor) => (await cursor.toArray()).map(({ d }) => JSON.parse(d ?? '') as D), identity);
  }

  findPage(query: Find, maxBytes: number): Promise<FoundPage<D>> {
    const read = async (cursor: FindCursor<MongoDoc>): Promise<FoundPage<D>> => {
      const docs: D[] = [];
      let bytes = 0;
      // Leaving the loop closes the cursor. The server ends a batch at 16 MB.
      for await (const { d = '' } of cursor) {
        if (bytes >= maxBytes) return { docs, bytes, cut: true };
        docs.push(JSON.parse(d) as D);
        bytes += d.length;
      }
      return { docs, bytes, cut: false };
    };
    return this.#found(query, NOTHING, read, (docs) => ({ docs, bytes: 0, cut: false }));
  }

  /** `scanned` makes the answer where an older version of the projection is active that lacks a field of the query. */
  #found<T>(query: Find, nothing: T, read: (cursor: FindCursor<MongoDoc>) => Promise<T>, scanned: (docs: D[]) => T): Promise<T> {
    const { where, range, order, limit } = query;
    if (limit < 1 || (range && boundsOf(range).some(([, bound]) => bound === null))) return Promise.resolve(nothing);
    return this.#read(nothing, async ({ documents, has }) => {
      const named = [...Object.keys(where), ...(range ? [range.field] : []), ...(order ? [order.field] : [])];
      if (!named.every(has)) return scanned(await scanAndFilter<D>(this.#all(documents), query, this.#lists?.fields ?? []));
      const cursor = documents.find(this.#filter(where, range), { ...DOCUMENT_TEXT, ...COMMAND_OPTIONS, batchSize: Math.min(limit, BATCH_SIZE) });
      if (order) cursor.sort({ [fieldPath(order.field)]: order.descending ? -1 : 1 });
      return read(cursor.limit(limit) as unknown as FindCursor<MongoDoc>);
    });
  }

  count(where: Find['where'], { range, limit }: Parameters<Docs['count']>[1] = {}): Promise<number> {
    if (range && boundsOf(range).some(([, bound]) => bound === null)) return Promise.resolve(0);
    return this.#read(0, async ({ documents, has }) => {
      const named = [...Object.keys(where), ...(range ? [range.field] : [])];
      if (named.every(has))
        return documents.countDocuments(this.#filter(where, range), { ...COMMAND_OPTIONS, ...(limit !== undefined && { limit }) });
      const query: Find = { where, ...(range && { range }), limit: limit ?? Number.POSITIVE_INFINITY };
      return (await scanAndFilter(this.#all(documents), query, this.#lists?.fields ?? [])).length;
    });
  }

  distinct(field: string): Promise<Value[]> {
    return this.#read([], async ({ documents, has }) => {
      // Tombstones have no fields and `distinct` ignores missing ones, so that no filter is needed and the index is used.
      if (has(field)) return (await documents.distinct(fieldPath(field), field === 'id' ? NO_TOMBSTONE : {}, COMMAND_OPTIONS)) as Value[];
      const all = await scanAndFilter(this.#all(documents), { where: {}, limit: Number.POSITIVE_INFINITY }, []);
      return [...new Set(all.map((doc) => doc[field] as Value))].filter((value) => value != null);
    });
  }

  /**
   * Queries the active generation. The generation last seen is queried while the catalog is read, and its answer is used
   * if it is still active: one round trip, and never an answer of a generation that was replaced before the call.
   */
  async #read<T>(nothing: T, ask: (reading: ReadableCollection) => Promise<T>): Promise<T> {
    const { name } = this.spec;
    const known = this.active.known(name);
    if (!known) {
      const entry = await this.active.read(name);
      return entry ? callServer(() => ask(this.#collectionOf(entry))) : nothing;
    }
    const [answer, entry] = await Promise.all([callServer(() => ask(this.#collectionOf(known))), this.active.read(name)]);
    if (!entry || entry.generation === known.generation) return entry ? answer : nothing;
    return callServer(() => ask(this.#collectionOf(entry)));
  }

  #collectionOf({ generation, generations }: CatalogEntry): ReadableCollection {
    const names = generations[generation]?.fields.find(({ collection }) => collection === this.collection)?.names ?? [];
    return {
      documents: this.db.collection(viewsName(this.spec.name, generation, this.collection)),
      has: (field) => field === 'id' || names.includes(field),
    };
  }

  #filter(where: Find['where'], range?: Find['range']): Filter<MongoDoc> {
    const conditions: Record<string, unknown>[] = Object.entries(where).map(([field, value]) => ({ [fieldPath(field)]: this.#equals(field, value) }));
    // A range excludes documents without a value, even without bounds; an empty condition would match an empty object.
    if (range)
      conditions.push({ [fieldPath(range.field)]: { $exists: true, ...Object.fromEntries(boundsOf(range).map(([b, value]) => [`$${b}`, value])) } });
    return { $and: [...conditions, NO_TOMBSTONE] } as Filter<MongoDoc>;
  }

  #equals(field: string, value: Value): unknown {
    if (value === null && this.#lists?.fields.includes(field)) return { $elemMatch: { $eq: null } };
    return { $eq: value };
  }

  async *#all(documents: Collection<MongoDoc>): AsyncIterable<D> {
    for await (const { d } of documents.find(NO_TOMBSTONE, { ...DOCUMENT_TEXT, ...COMMAND_OPTIONS, batchSize: BATCH_SIZE }))
      yield JSON.parse(d ?? '') as D;
  }
}

function boundsOf({ gt, gte, lt, lte }: NonNullable<Find['range']>): (readonly [string, Value])[] {
  const bounds = { gt, gte, lt, lte };
  return Object.entries(bounds).filter((bound): bound is [string, Value] => bound[1] !== undefined);
}
