import { createHmac, timingSafeEqual } from 'node:crypto';

/** The body of a webhook. Those of messages have the fields of the guide on webhooks, those of endpoints `data`. */
export interface WebhookEvent {
  readonly event: string;
  readonly event_id: string;
  readonly [field: string]: unknown;
}

export interface Webhook {
  /** Of the account for a `webhook_url`, of the endpoint for an endpoint. */
  readonly secret: string;
  /** As `fetch` or `node:http` give them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came, not JSON that was parsed and printed again. */
  readonly body: string | Uint8Array;
  /** How far its time may be from the clock, in milliseconds. Default: five minutes. */
  readonly toleranceMs?: number;
  /** The word in `X-Service-Signature`. Default: `Service`. */
  readonly headerPrefix?: string;
}

/** A webhook that is not genuine, or too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** The event of a webhook that is genuine. Throws `WebhookError` for any other. */
export function verifyWebhook({ secret, headers, body, toleranceMs = 300_000, headerPrefix = 'Service' }: Webhook): WebhookEvent {
  const header = (name: string): string => {
    const full = `x-${headerPrefix}-${name}`.toLowerCase();
    const value = headers instanceof Headers ? headers.get(full) : Object.entries(headers).find(([given]) => given.toLowerCase() === full)?.[1];
    return typeof value === 'string' ? value : '';
  };
  const timestamp = header('timestamp');
  if (!/^\d{1,16}$/.test(timestamp)) throw new WebhookError('The webhook has no valid timestamp.');
  if (Math.abs(Date.now() - Number(timestamp)) > toleranceMs) throw new WebhookError('The webhook is too old, or the clock is wrong.');
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  // After a rotation the second one is made with the secret before.
  const isGenuine = [header('signature'), header('signature-previous')].some(
    (given) => given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected)),
  );
  if (!isGenuine) throw new WebhookError('The signature of the webhook is wrong.');
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()) as WebhookEvent;
}
