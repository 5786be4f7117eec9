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
