import { answer, api } from './client.ts';
import { pagesOf } from './pages.ts';

const LIMIT = 100;

export const keysQuery = pagesOf(['api_key', 'list'], (cursor, signal) =>
  answer(api.GET('/v1/api-keys', { params: { query: { cursor, limit: LIMIT } }, signal })),
);

export const usersQuery = pagesOf(['user', 'list'], (cursor, signal) =>
  answer(api.GET('/v1/account/users', { params: { query: { cursor, limit: LIMIT } }, signal })),
);
