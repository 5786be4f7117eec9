import { queryOptions } from '@tanstack/react-query';
import { answer, api, type QueryOf } from '../../api/client.ts';
import { pagesOf } from '../../api/pages.ts';

const PAGE = 100;

/** The contacts that have an address; there is at most one, but for addresses that people share. */
export const contactsOfAddressQuery = (address: string) =>
  queryOptions({
    queryKey: ['contact', 'list', { address }],
    queryFn: ({ signal }) =>
      answer(api.GET('/v1/contacts', { params: { query: address.includes('@') ? { email: address } : { phone: address } }, signal })),
  });

export const contactQuery = (id: string, as_of: string | undefined) =>
  queryOptions({
    queryKey: ['contact', id, 'looked-up', as_of ?? null],
    queryFn: ({ signal }) => answer(api.GET('/v1/contacts/{id}', { params: { path: { id }, query: { as_of } }, signal })),
  });

/** What is in effect, now or at a moment of the past. */
export const standingQuery = (id: string, as_of: string | undefined) =>
  queryOptions({
    queryKey: ['contact', id, 'standing', as_of ?? null],
    queryFn: ({ signal }) => answer(api.GET('/v1/contacts/{id}/consents', { params: { path: { id }, query: { as_of } }, signal })),
  });

/** All statements, newest first. */
export const ledgerQuery = (id: string, as_of: string | undefined) =>
  pagesOf(['contact', id, 'ledger', as_of ?? null], (cursor, signal) =>
    answer(api.GET('/v1/contacts/{id}/consents/history', { params: { path: { id }, query: { as_of, cursor, limit: PAGE } }, signal })),
  );

export type SuppressionFilters = Readonly<Partial<Record<keyof QueryOf<'/v1/account/unsubscribes'>, string>>>;

export const suppressionsQuery = (filters: SuppressionFilters) =>
  pagesOf(['suppression', 'list', filters], (cursor, signal) =>
    answer(
      api.GET('/v1/account/unsubscribes', {
        params: { query: { ...(filters as QueryOf<'/v1/account/unsubscribes'>), cursor, limit: PAGE } },
        signal,
      }),
    ),
  );

export const suppressionQuery = (id: string) =>
  queryOptions({
    queryKey: ['suppression', id],
    queryFn: ({ signal }) => answer(api.GET('/v1/account/unsubscribes/{id}', { params: { path: { id } }, signal })),
  });

/** What happened to an address on the do-not-contact list, oldest first. */
export const addressHistoryQuery = (address: string) =>
  pagesOf(['suppression', 'list', 'history', address], (cursor, signal) =>
    answer(api.GET('/v1/account/unsubscribes/history', { params: { query: { address, cursor, limit: PAGE } }, signal })),
  );
