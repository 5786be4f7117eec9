import { infiniteQueryOptions } from '@tanstack/react-query';

/** A page of a list, as the API answers it. */
interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/**
 * A list that is loaded page by page. `key` begins with the name of the resource, so that a change of it refreshes the list; `filters` are those
 * of the call.
 */
export const pagesOf = <T, P extends Page<T>>(
  key: readonly [resource: string, ...more: unknown[]],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: P) => last.next_cursor ?? undefined,
  });
