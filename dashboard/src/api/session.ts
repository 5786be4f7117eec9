import { queryOptions } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { answer, api } from './client.ts';

/** Who is signed in, with what they may do. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => answer(api.GET('/v1/me', { signal })),
  staleTime: 5 * 60_000,
});

/** Who is signed in, on a page behind the sign-in. */
export const useMe = () => useRouteContext({ from: '/signed-in', select: ({ me }) => me });

export type Permission = NonNullable<ReturnType<typeof useMe>['user']>['permissions'][number];

/** Whether the role of the signed-in user has a permission: what it lacks is not shown. The routes of the API decide for themselves. */
export const useMay = (permission: Permission): boolean => useMe().user?.permissions.includes(permission) ?? false;

export const signIn = (body: { email: string; password: string; code?: string }) => answer(api.POST('/v1/auth/session', { body }));

export const signOut = () => answer(api.DELETE('/v1/auth/session'));
