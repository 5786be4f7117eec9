import type { Doc, Docs, Find, FoundPage, Value } from '../../domain/kernel/ports.js';

/** A stored document as text, and as it is compared. */
export class MemoryDoc {
  #parsed: Doc | undefined;

  constructor(readonly text: string) {}

  /** Parsed once, for comparisons. Callers of the engine get objects of their own. */
  get fields(): Doc {
    this.#parsed ??= this.copy();
    return this.#parsed;
  }

  copy(): Doc {
    return JSON.parse(this.text);
  }
}

/** Queries over one collection in memory, by comparing every document. */
export class MemoryDocs<D extends Doc> implements Docs<D> {
  constructor(
    private readonly documents: () => ReadonlyMap<string, MemoryDoc>,
    private readonly lists: readonly string[],
  ) {}

  async get(id: string): Promise<D | undefined> {
    return this.documents().get(id)?.copy() as D | undefined;
  }

  async getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    return Promise.all(ids.map((id) => this.get(id)));
  }

  async find(query: Find): Promise<D[]> {
    return this.#found(query).map((doc) => doc.copy() as D);
  }

  async findPage(query: Find, maxBytes: number): Promise<FoundPage<D>> {
    const docs: D[] = [];
    let bytes = 0;
    for (const doc of this.#found(query)) {
      if (bytes >= maxBytes) return { docs, bytes, cut: true };
      docs.push(doc.copy() as D);
      bytes += doc.text.length;
    }
    return { docs, bytes, cut: false };
  }

  async count(where: Find['where'], { range, limit = Number.POSITIVE_INFINITY }: Parameters<Docs['count']>[1] = {}): Promise<number> {
    return this.#found({ where, ...(range && { range }), limit }).length;
  }

  async distinct(field: string): Promise<Value[]> {
    const values = new Set(this.#matching({}).map((doc) => fieldOf(doc.fields, field)));
    values.delete(null);
    return [...values].sort(compare);
  }

  #found({ where, range, order, limit }: Find): MemoryDoc[] {
    const found = this.#matching(where).filter((doc) => !range || within(fieldOf(doc.fields, range.field), range));
    if (order) {
      const sign = order.descending ? -1 : 1;
      found.sort((a, b) => sign * compare(fieldOf(a.fields, order.field), fieldOf(b.fields, order.field)));
    }
    return found.slice(0, limit);
  }

  #matching(where: Find['where']): MemoryDoc[] {
    const wanted = Object.entries(where);
    return [...this.documents().values()].filter(({ fields }) => wanted.every(([field, value]) => this.#has(fields, field, value)));
  }

  #has(doc: Doc, field: string, value: Value): boolean {
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
