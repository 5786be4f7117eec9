import type { Doc, Docs, Find } from '../../domain/kernel/ports.js';

/** A page of a list: at most `limit` items after a cursor (null for the first page), in descending order of cursors if so. */
export interface PageRange {
  readonly after: string | null;
  readonly descending: boolean;
  readonly limit: number;
}

/** An item with its cursor. */
export interface WithCursor<T> {
  readonly item: T;
  readonly cursor: string;
}

/** Which items of a list are counted: those with cursors between two of them (null for no bound), and no further than `limit`. */
export interface CountRange {
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** The query for a page of documents in the order of a field. */
export const findInRange = (where: Find['where'], { after, descending, limit }: PageRange, field = 'sort'): Find => ({
  where,
  order: { field, descending },
  limit,
  ...(after !== null && { range: { field, [descending ? 'lt' : 'gt']: after } }),
});

/** The sum of what several filters find; no item is found by two of them. */
export const sumOfCounts = async (counts: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);

/** How many documents of such a list there are. */
export function countInRange<D extends Doc>(
  docs: Docs<D>,
  where: Find['where'],
  { after, before, limit }: CountRange,
  field = 'sort',
): Promise<number> {
  if (after === null && before === null) return docs.count(where, { limit });
  return docs.count(where, { range: { field, ...(after !== null && { gt: after }), ...(before !== null && { lt: before }) }, limit });
}
