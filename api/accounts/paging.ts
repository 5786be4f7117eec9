import type { WithCursor } from '../../projections/runtime/paging.js';
import type { Paging, ResultPage } from '../http/paging.js';

export const cursorPage = <T>(paging: Paging, found: readonly WithCursor<T>[]): ResultPage<T> =>
  paging.page(
    found,
    ({ cursor }) => [cursor],
    ({ item }) => item,
  );
