import { queryOptions } from '@tanstack/react-query';
import { answer, api, type QueryOf, type Schemas, versioned } from '../../api/client.ts';
import { pagesOf } from '../../api/pages.ts';

export type Settings = Schemas['Settings'];
export type SettingsPatch = Schemas['UpdateSettingsRequest'];
export type User = Schemas['User'];

const LIMIT = 100;

export const settingsQuery = queryOptions({
  queryKey: ['settings', 'account'],
  queryFn: ({ signal }) => versioned(api.GET('/v1/account/settings', { signal })),
});

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['user', id],
    queryFn: ({ signal }) => versioned(api.GET('/v1/account/users/{id}', { params: { path: { id } }, signal })),
  });

export const sessionsQuery = pagesOf(['session', 'list'], (cursor, signal) =>
  answer(api.GET('/v1/auth/sessions', { params: { query: { cursor, limit: LIMIT } }, signal })),
);

type ActivityPage = Awaited<ReturnType<typeof loadActivity>>;
export type Activity = ActivityPage['data'][number];

const loadActivity = (query: QueryOf<'/v1/activity'>, signal: AbortSignal) => answer(api.GET('/v1/activity', { params: { query }, signal }));

/** `filters` as the address has them: the API says what is wrong with one. */
export const activityQuery = (filters: Readonly<Record<string, string | undefined>>) =>
  pagesOf(['activity', 'list', filters], (cursor, signal) => loadActivity({ ...filters, cursor, limit: LIMIT } as QueryOf<'/v1/activity'>, signal));
