import type { Doc, Docs, Find, FoundPage, Value } from '../../domain/kernel/ports.js';

/** Queries over one collection in memory, by reading every document. */
export class MemoryDocs<D extends Doc> implements Docs<D> {
  constructor(
    private readonly documents: () => ReadonlyMap<string, string>,
    private readonly lists: readonly string[],
  ) {}

  async get(id: string): Promise<D | undefined> {
    const text = this.documents().get(id);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async find({ where, range, order, limit }: Find): Promise<D[]> {
    const found = this.#matching(where).filter((doc) => !range || within(fieldOf(doc, range.field), range));
    if (order) {
      const sign = order.descending ? -1 : 1;
      found.sort((a, b) => sign * compare(fieldOf(a, order.field), fieldOf(b, order.field)));
    }
    return found.slice(0, limit);
  }

  async findPage(query: Find, maxBytes: number): Promise<FoundPage<D>> {
    const docs: D[] = [];
    let bytes = 0;
    for (const doc of await this.find(query)) {
      if (bytes >= maxBytes) return { docs, bytes, cut: true };
      docs.push(doc);
      bytes += JSON.stringify(doc).length;
    }
    return { docs, bytes, cut: false };
  }

  async count(where: Find['where']): Promise<number> {
    return this.#matching(where).length;
  }

  async distinct(field: string): Promise<Value[]> {
    const values = new Set(this.#matching({}).map((doc) => fieldOf(doc, field)));
    values.delete(null);
    return [...values].sort(compare);
  }

  #matching(where: Find['where']): D[] {
    const all = [...this.documents().values()].map((text) => JSON.parse(text) as D);
    return all.filter((doc) => Object.entries(where).every(([field, value]) => this.#has(doc, field, value)));
  }

  #has(doc: D, field: string, value: Value): boolean {
    if (!this.lists.includes(field)) return fieldOf(doc, field) === value;
    const list = doc[field];
    return Array.isArray(list) && list.includes(value);
  }
}

/** An absent field reads as null. */
const fieldOf = (doc: Doc, field: string): Value => (doc[field] ?? null) as Value;

/** No range contains null. */
function within(value: Value, { gt, gte, lt, lte }: NonNullable<Find['range']>): boolean {
  if (value === null) return false;
  const meets = (bound: Value | undefined, holds: (sign: number) => boolean) =>
    bound === undefined || (bound !== null && holds(compare(value, bound)));
  return meets(gt, (s) => s > 0) && meets(gte, (s) => s >= 0) && meets(lt, (s) => s < 0) && meets(lte, (s) => s <= 0);
}

/** Null, then numbers and booleans, then texts by their UTF-8 bytes, as databases sort them. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1;
  return Number(a) - Number(b);
}
