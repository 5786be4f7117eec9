import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasStatus, isOffline } from './errors.ts';

const MAX_RETRIES = 4;

/** Whether a repetition may succeed: without a connection, while the service is busy, and after its limit of requests. */
const isWorthRetrying = (error: unknown): boolean =>
  isOffline(error) || (error instanceof ApiError && (error.status === 429 || error.status === 503));

const secondsBefore = (attempt: number, error: unknown): number => (error instanceof ApiError && error.retryAfter) || Math.min(2 ** attempt, 30);

/** The cache of what the API answered. `onSignedOut` is called when the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (hasStatus(error, 401)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // What changes is announced by the stream of changes.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => count < MAX_RETRIES && isWorthRetrying(error),
        retryDelay: (attempt, error) => secondsBefore(attempt, error) * 1_000,
      },
    },
  });
}
