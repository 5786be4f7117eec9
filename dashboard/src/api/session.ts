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

/** Asks for a mail with a link. The answer does not say whether there is such a user. */
export const requestPasswordReset = (email: string) => answer(api.POST('/v1/auth/password/reset', { body: { email } }));

export const resetPassword = (token: string, password: string) =>
  answer(api.POST('/v1/auth/password/reset/{token}', { params: { path: { token } }, body: { password } }));

export const acceptInvitation = (token: string, body: { password: string; name?: string }) =>
  answer(api.POST('/v1/auth/invitations/{token}', { params: { path: { token } }, body }));
