import { queryOptions } from '@tanstack/react-query';
import { answer, api, type QueryOf, versioned } from '../../api/client.ts';
import { pagesOf } from '../../api/pages.ts';

const LIMIT = 100;
const path = (id: string) => ({ path: { id } });

/** There are at most 20. */
export const endpointsQuery = queryOptions({
  queryKey: ['webhook_endpoint', 'list'],
  queryFn: ({ signal }) => answer(api.GET('/v1/webhook-endpoints', { params: { query: { limit: LIMIT } }, signal })),
});

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook_endpoint', id],
    queryFn: ({ signal }) => versioned(api.GET('/v1/webhook-endpoints/{id}', { params: path(id), signal })),
  });

/** As the address has them: the API says what is wrong with one. */
export type DeliveryFilters = Readonly<{ status?: string; event?: string }>;
type DeliveryQuery = QueryOf<'/v1/webhook-endpoints/{id}/deliveries'>;

export const deliveriesQuery = (id: string, filters: DeliveryFilters) =>
  pagesOf(['webhook_delivery', 'list', id, filters], (cursor, signal) =>
    answer(
      api.GET('/v1/webhook-endpoints/{id}/deliveries', {
        params: { ...path(id), query: { ...(filters as DeliveryQuery), cursor, limit: LIMIT } },
        signal,
      }),
    ),
  );

export const deliveryQuery = (id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['webhook_delivery', delivery_id],
    queryFn: ({ signal }) =>
      answer(api.GET('/v1/webhook-endpoints/{id}/deliveries/{delivery_id}', { params: { path: { id, delivery_id } }, signal })),
  });
