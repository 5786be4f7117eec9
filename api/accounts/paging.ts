import type { WithCursor } from '../../projections/runtime/paging.js';
import type { Page, Paging } from '../http/paging.js';

export const cursorPage = <T>(paging: Paging, found: readonly WithCursor<T>[]): Page<T> =>
  paging.page(
    found,
    ({ cursor }) => [cursor],
    ({ item }) => item,
  );
