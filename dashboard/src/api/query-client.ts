import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isOffline } from './errors.ts';
import { meQuery } from './session.ts';

const MAX_RETRIES = 4;

/** Whether a repetition may succeed: without a connection, while the service is busy, and after its limit of requests. */
const isWorthRetrying = (error: unknown): boolean =>
  isOffline(error) || (error instanceof ApiError && (error.status === 429 || error.status === 503));

const secondsBefore = (attempt: number, error: unknown): number => (error instanceof ApiError && error.retryAfter) || Math.min(2 ** attempt, 30);

/** Of the answers with the status 401, those that mean the session and not a password or a code that was typed. */
const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.code !== 'invalid_credentials' && error.code !== 'second_factor_required';

/** The cache of what the API answered. `onSignedOut` is called when the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        // Routes ask who is signed in before they load, and lead to the sign-in themselves.
        if (isSignedOut(error) && queryKey[0] !== meQuery.queryKey[0]) onSignedOut();
      },
    }),
    mutationCache: new MutationCache({
      onError(error) {
        if (isSignedOut(error)) onSignedOut();
      },
    }),
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
