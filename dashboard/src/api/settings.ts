import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client.ts';

/** The settings of the account. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'list'],
  queryFn: ({ signal }) => answer(api.GET('/v1/account/settings', { signal })),
  staleTime: 5 * 60_000,
});
