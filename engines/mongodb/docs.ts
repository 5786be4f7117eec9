import type { Collection, Db, Filter } from 'mongodb';
import type { CollectionSpec, Doc, Docs, Find, Value, ViewSpec } from '../../domain/kernel/ports.js';
import type { CatalogEntry } from './catalog.js';
import { LIMITED } from './connection.js';
import { calling } from './errors.js';
import { looked } from './full-scan.js';
import { fieldPath } from './generations.js';
import { viewsName } from './names.js';
import type { StoredDoc } from './stored.js';

const FETCHED_AT_ONCE = 1_000;
const PRESENT = { g: { $exists: false } } as const;
const TEXT = { projection: { _id: 0, d: 1 } } as const;

/** Tells which generation answers. */
export interface InForce {
  /** As it was when somebody last asked, or undefined. */
  known(name: string): CatalogEntry | undefined;
  read(name: string): Promise<CatalogEntry | null>;
}

/** A collection of one generation, with the fields that it can be asked by. */
interface Reading {
  readonly documents: Collection<StoredDoc>;
  readonly has: (field: string) => boolean;
}

/** The documents of one collection, answered by the server from its indexes. */
export class MongoDocs<D extends Doc> implements Docs<D> {
  readonly #lists: CollectionSpec['multi'];

  constructor(
    private readonly db: Db,
    private readonly inForce: InForce,
    private readonly spec: ViewSpec,
    private readonly collection: string,
  ) {
    this.#lists = spec.collections[collection]?.multi;
  }

  get(id: string): Promise<D | undefined> {
    return this.#read(undefined, async ({ documents }) => {
      const found = await documents.findOne({ _id: id }, { ...TEXT, ...LIMITED });
      return found?.d === undefined ? undefined : (JSON.parse(found.d) as D);
    });
  }

  find(query: Find): Promise<D[]> {
    const { where, range, order, limit } = query;
    if (limit < 1 || (range && boundsOf(range).some(([, bound]) => bound === null))) return Promise.resolve([]);
    return this.#read([], async ({ documents, has }) => {
      const named = [...Object.keys(where), ...(range ? [range.field] : []), ...(order ? [order.field] : [])];
      if (!named.every(has)) return looked<D>(this.#all(documents), query, this.#lists?.fields ?? []);
      const cursor = documents.find(this.#filter(where, range), { ...TEXT, ...LIMITED, batchSize: Math.min(limit, FETCHED_AT_ONCE) });
      if (order) cursor.sort({ [fieldPath(order.field)]: order.descending ? -1 : 1 });
      return (await cursor.limit(limit).toArray()).map(({ d }) => JSON.parse(d ?? '') as D);
    });
  }

  count(where: Find['where']): Promise<number> {
    return this.#read(0, async ({ documents, has }) => {
      if (Object.keys(where).every(has)) return documents.countDocuments(this.#filter(where), LIMITED);
      return (await looked(this.#all(documents), { where, limit: Number.POSITIVE_INFINITY }, this.#lists?.fields ?? [])).length;
    });
  }

  distinct(field: string): Promise<Value[]> {
    return this.#read([], async ({ documents, has }) => {
      // Tombstones have no fields, and absent ones are not told, so no condition stands in the way of the index.
      if (has(field)) return (await documents.distinct(fieldPath(field), field === 'id' ? PRESENT : {}, LIMITED)) as Value[];
      const all = await looked(this.#all(documents), { where: {}, limit: Number.POSITIVE_INFINITY }, []);
      return [...new Set(all.map((doc) => doc[field] as Value))].filter((value) => value != null);
    });
  }

  /**
   * Asks the generation that is in force. The one last known is asked at once, and the answer taken if it is still in
   * force; so an answer costs one round trip, and yet is never of a generation that was replaced before it was asked.
   */
  async #read<T>(nothing: T, ask: (reading: Reading) => Promise<T>): Promise<T> {
    const { name } = this.spec;
    const known = this.inForce.known(name);
    if (!known) {
      const entry = await this.inForce.read(name);
      return entry ? calling(() => ask(this.#reading(entry))) : nothing;
    }
    const [answer, entry] = await Promise.all([calling(() => ask(this.#reading(known))), this.inForce.read(name)]);
    if (!entry || entry.generation === known.generation) return entry ? answer : nothing;
    return calling(() => ask(this.#reading(entry)));
  }

  #reading({ generation, generations }: CatalogEntry): Reading {
    const names = generations[generation]?.fields.find(({ collection }) => collection === this.collection)?.names ?? [];
    return {
      documents: this.db.collection(viewsName(this.spec.name, generation, this.collection)),
      has: (field) => field === 'id' || names.includes(field),
    };
  }

  #filter(where: Find['where'], range?: Find['range']): Filter<StoredDoc> {
    const conditions: Record<string, unknown>[] = Object.entries(where).map(([field, value]) => ({ [fieldPath(field)]: this.#equals(field, value) }));
    // Even without bounds a range holds no document without a value; and an empty condition would ask for an empty object.
    if (range)
      conditions.push({ [fieldPath(range.field)]: { $exists: true, ...Object.fromEntries(boundsOf(range).map(([b, value]) => [`$${b}`, value])) } });
    return { $and: [...conditions, PRESENT] } as Filter<StoredDoc>;
  }

  #equals(field: string, value: Value): unknown {
    if (value === null && this.#lists?.fields.includes(field)) return { $elemMatch: { $eq: null } };
    return { $eq: value };
  }

  async *#all(documents: Collection<StoredDoc>): AsyncIterable<D> {
    for await (const { d } of documents.find(PRESENT, { ...TEXT, ...LIMITED, batchSize: FETCHED_AT_ONCE })) yield JSON.parse(d ?? '') as D;
  }
}

function boundsOf({ gt, gte, lt, lte }: NonNullable<Find['range']>): (readonly [string, Value])[] {
  const bounds = { gt, gte, lt, lte };
  return Object.entries(bounds).filter((bound): bound is [string, Value] => bound[1] !== undefined);
}
