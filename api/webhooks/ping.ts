import type { Clock } from '../../domain/kernel/ports.js';
import { boundedText, count, flag, named, nullable, record, type Static } from '../../domain/kernel/schema.js';
import { attemptError, isSuccessStatus } from '../../domain/webhooks/delivery.js';
import { type Endpoint, endpointSecrets } from '../../domain/webhooks/endpoint.js';
import { MAX_RESPONSE_BYTES } from '../../domain/webhooks/limits.js';
import { endpointHeaders } from '../../formats/webhooks/request-headers.js';
import { hashId } from '../../log/runtime/ids.js';
import type { Post } from '../../net/client.js';

export const pingResult = named(
  'PingResult',
  record({
    delivered: flag,
    /** Null where there was no answer. */
    status_code: nullable(count),
    duration_ms: count,
    response_body: nullable(boundedText({})),
    error: nullable(attemptError),
  }),
);

export interface PingOptions {
  readonly post: Post;
  readonly headerPrefix: string;
  readonly legacyHeaderPrefix: string;
  /** In milliseconds. */
  readonly webhookTimeout: number;
}

interface PingContext extends PingOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly allowedCidrs: readonly string[];
  /** Event and delivery have ids that derive from it. */
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Sends the event `ping` to an endpoint, once. */
export async function sendPing(
  endpoint: Endpoint,
  { post, headerPrefix: prefix, legacyHeaderPrefix: legacyPrefix, webhookTimeout: timeoutMs, clock, allowedCidrs, requestId, signal }: PingContext,
): Promise<Static<typeof pingResult>> {
  const eventId = hashId('evt', endpoint.id, requestId);
  const timestampMs = clock.now();
  const occurred_at = new Date(timestampMs).toISOString();
  const body = Buffer.from(JSON.stringify({ event: 'ping', event_id: eventId, endpoint_id: endpoint.id, occurred_at, data: {} }));
  const headers = endpointHeaders({
    secrets: endpointSecrets(endpoint, timestampMs),
    event: 'ping',
    eventId,
    deliveryId: hashId('whd', endpoint.id, eventId),
    attempt: 1,
    body,
    timestampMs,
    prefix,
    legacyPrefix,
    headers: endpoint.headers,
  });
  const limits = { timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES, allowedCidrs, signal };
  const result = await post(endpoint.url, { headers, body, ...limits });
  const duration_ms = result.durationMs;
  if ('error' in result) return { delivered: false, status_code: null, duration_ms, response_body: null, error: result.error };
  return { delivered: isSuccessStatus(result.status), status_code: result.status, duration_ms, response_body: result.body, error: null };
}
