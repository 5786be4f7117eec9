/** A page of a list: the items after a cursor (null for the first page), newest first if `descending`. */
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
