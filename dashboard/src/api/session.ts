import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client.ts';

/** Who is signed in, with what they may do. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => answer(api.GET('/v1/me', { signal })),
  staleTime: 5 * 60_000,
});

export const signIn = (body: { email: string; password: string; code?: string }) => answer(api.POST('/v1/auth/session', { body }));

export const signOut = () => answer(api.DELETE('/v1/auth/session'));
