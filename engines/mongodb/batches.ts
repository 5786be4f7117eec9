import type { FindCursor } from 'mongodb';

/** Of the texts in one command or one page of a scan, in UTF-16 units: even at 3 bytes a unit it fits into one message and one time limit. */
export const BATCH_SIZE_UNITS = 4_000_000;

/** Divides a list into batches of at most `count` items, each ending with the item that reaches `units`. */
export function* batches<T>(all: readonly T[], count: number, sizeOf: (item: T) => number, units = BATCH_SIZE_UNITS): Generator<readonly T[]> {
  for (let from = 0; from < all.length; ) {
    let to = from;
    for (let size = 0; to < all.length && to - from < count && size < units; to++) size += sizeOf(all[to] as T);
    yield all.slice(from, to);
    from = to;
  }
}

/** Reads a cursor up to the document that reaches `units`. `more`: there is, or may be, another one. */
export async function readBatch<T extends { readonly d?: string | null }>(
  cursor: FindCursor<T>,
  count: number,
  units = BATCH_SIZE_UNITS,
): Promise<{ docs: T[]; more: boolean }> {
  const docs: T[] = [];
  let size = 0;
  // Leaving the loop closes the cursor.
  for await (const doc of cursor.limit(count)) {
    docs.push(doc as T);
    size += doc.d?.length ?? 0;
    if (size >= units) return { docs, more: true };
  }
  return { docs, more: docs.length === count };
}
