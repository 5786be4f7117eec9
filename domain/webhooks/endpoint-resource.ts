/** A webhook endpoint as the API shows it. */
import { boundedText, count, list, named, nullable, oneOf, record, type Static, text, time } from '../kernel/schema.js';
import type { Endpoint } from './endpoint.js';
import { isPlatformEvent, platformEventSchema } from './platform-events.js';

export const endpointStatuses = ['enabled', 'disabled'] as const;
export const endpointStatusSchema = named('WebhookEndpointStatus', oneOf(...endpointStatuses));

export const endpointResource = named(
  'WebhookEndpoint',
  record({
    id: text,
    url: text,
    /** Empty for all events. */
    events: list(platformEventSchema),
    description: nullable(boundedText({})),
    status: endpointStatusSchema,
    created_at: time,
    updated_at: time,
    version: count,
  }),
);
export type EndpointResource = Static<typeof endpointResource>;

/** With the secret, which only the answers to its creation and rotation show. */
export const endpointWithSecret = named('WebhookEndpointWithSecret', record({ ...endpointResource.properties, secret: text }));
export type EndpointWithSecret = Static<typeof endpointWithSecret>;

/** Secret and headers are left out. */
export const toEndpointResource = ({ id, url, events, description, status, created_at, updated_at, version }: Endpoint): EndpointResource => ({
  id,
  url,
  events: events.filter(isPlatformEvent),
  description,
  status,
  created_at,
  updated_at,
  version,
});
