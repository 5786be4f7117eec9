import type { Doc, Find, Value } from '../../domain/kernel/ports.js';

/**
 * Answers a query by reading every document. Used while an older version of a projection is active whose documents lack
 * an indexed field that the query names.
 */
export async function scanAndFilter<D extends Doc>(
  all: AsyncIterable<D>,
  { where, range, order, limit }: Find,
  lists: readonly string[],
): Promise<D[]> {
  const found: D[] = [];
  for await (const doc of all) {
    const equal = Object.entries(where).every(([field, value]) => has(doc, field, value, lists));
    if (equal && (!range || within(doc[range.field] as Value, range))) found.push(doc);
  }
  if (order) {
    const sign = order.descending ? -1 : 1;
    found.sort((a, b) => sign * compare(fieldOf(a, order.field), fieldOf(b, order.field)));
  }
  return found.slice(0, limit);
}

const fieldOf = (doc: Doc, field: string): Value => (doc[field] ?? null) as Value;

function has(doc: Doc, field: string, value: Value, lists: readonly string[]): boolean {
  if (!lists.includes(field)) return fieldOf(doc, field) === value;
  const list = doc[field];
  return Array.isArray(list) && list.includes(value);
}

/** A range contains only values of the type of its bounds. */
function within(value: Value | undefined, { gt, gte, lt, lte }: NonNullable<Find['range']>): boolean {
  if (value == null) return false;
  const meets = (bound: Value | undefined, holds: (sign: number) => boolean) =>
    bound === undefined || (typeof bound === typeof value && holds(compare(value, bound)));
  return meets(gt, (s) => s > 0) && meets(gte, (s) => s >= 0) && meets(lt, (s) => s < 0) && meets(lte, (s) => s <= 0);
}

const TYPE_ORDER: readonly string[] = ['number', 'string', 'boolean'];

/** The server's order: null, numbers, texts by their bytes, booleans. */
function compare(a: Value, b: Value): number {
  const types = TYPE_ORDER.indexOf(a === null ? '' : typeof a) - TYPE_ORDER.indexOf(b === null ? '' : typeof b);
  if (types !== 0 || a === null) return types;
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b);
}
