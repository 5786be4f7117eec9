import type { PageRange, WithCursor } from '../../projections/accounts/queries.js';
import type { Page, Paging } from '../kernel/paging.js';

/** What a page asks of a list that is sorted by one place. */
export const pageRange = ({ after, descending, take }: Paging): PageRange => ({
  after: after === null ? null : String(after[0]),
  descending,
  limit: take,
});

export const cursorPage = <T>(paging: Paging, found: readonly WithCursor<T>[]): Page<T> =>
  paging.page(
    found,
    ({ cursor }) => [cursor],
    ({ item }) => item,
  );
