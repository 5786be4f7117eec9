import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, type QueryOf } from '../../api/client.ts';
import { pagesOf } from '../../api/pages.ts';

/** As the address has them: the API says what is wrong with one. */
export type Filters = Readonly<Partial<Record<keyof QueryOf<'/v1/messages'>, string>>>;

const PAGE = 100;

export const messagesQuery = (filters: Filters) =>
  pagesOf(['message', 'list', filters], (cursor, signal) =>
    answer(api.GET('/v1/messages', { params: { query: { ...(filters as QueryOf<'/v1/messages'>), cursor, limit: PAGE } }, signal })),
  );

const path = (id: string) => ({ path: { id } });

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => answer(api.GET('/v1/messages/{id}', { params: path(id), signal })),
  });

/** The first 200 events: no message but one that is opened again and again has more. */
export const messageEventsQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id, 'events'],
    queryFn: ({ signal }) => answer(api.GET('/v1/messages/{id}/events', { params: { ...path(id), query: { limit: 200 } }, signal })),
  });

export const messageWhyQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id, 'why'],
    queryFn: ({ signal }) => answer(api.GET('/v1/messages/{id}/why', { params: path(id), signal })),
  });

export const messageDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook_delivery', 'list', { message_id: id }],
    queryFn: ({ signal }) => answer(api.GET('/v1/messages/{id}/webhook-deliveries', { params: { ...path(id), query: { limit: 200 } }, signal })),
  });

export const deliveryQuery = (id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['webhook_delivery', delivery_id],
    queryFn: ({ signal }) => answer(api.GET('/v1/messages/{id}/webhook-deliveries/{delivery_id}', { params: { path: { id, delivery_id } }, signal })),
  });

export type ReceivedFilters = Readonly<Partial<Record<keyof QueryOf<'/v1/inbound-messages'>, string>>>;

export const receivedQuery = (filters: ReceivedFilters) =>
  pagesOf(['message', 'list', 'received', filters], (cursor, signal) =>
    answer(api.GET('/v1/inbound-messages', { params: { query: { ...(filters as QueryOf<'/v1/inbound-messages'>), cursor, limit: PAGE } }, signal })),
  );

export const receivedMessageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', 'received', id],
    queryFn: ({ signal }) => answer(api.GET('/v1/inbound-messages/{id}', { params: path(id), signal })),
  });

export type SandboxFilters = Readonly<Partial<Record<keyof QueryOf<'/v1/sandbox/messages'>, string>>>;

/** Smaller pages, since each row has the whole content. */
export const sandboxQuery = (filters: SandboxFilters) =>
  pagesOf(['message', 'list', 'sandbox', filters], (cursor, signal) =>
    answer(api.GET('/v1/sandbox/messages', { params: { query: { ...(filters as QueryOf<'/v1/sandbox/messages'>), cursor, limit: 20 } }, signal })),
  );

/** Takes a message back that no carrier has got yet. */
export function useCancel(id: string, onDone: (status: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST('/v1/messages/{id}/cancel', { params: path(id) })),
    onSuccess: ({ status }) => onDone(status),
    // Also after a refusal: then it is no longer what the page shows.
    onSettled: () => queries.invalidateQueries({ queryKey: ['message'] }),
  });
}
