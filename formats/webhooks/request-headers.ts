/** The headers of a request to a webhook endpoint of an account. */
import { signatureHeaders, standardWebhookHeaders } from './signature.js';

/** Names of headers as HTTP has them (RFC 9110), without those that the connection or the service itself sets. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;
const RESERVED =
  /^(host|connection|keep-alive|transfer-encoding|content-length|content-type|te|trailer|upgrade|expect|date|proxy-.*|webhook-.*|x-(service|legacy)-.*)$/;

/** Whether an account may choose a header of this name. */
export const isOwnHeader = (name: string): boolean => TOKEN.test(name.toLowerCase()) && !RESERVED.test(name.toLowerCase());

export interface EndpointRequest {
  /** The newest first. */
  readonly secrets: readonly string[];
  readonly event: string;
  /** The same for every attempt, replays included. */
  readonly eventId: string;
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  readonly body: Buffer;
  readonly timestampMs: number;
  readonly prefix: string;
  readonly legacyPrefix: string;
  /** The account's own headers. Those of the service override them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The account's own headers, the signature headers under both prefixes, and those of Standard Webhooks. */
export function endpointHeaders({ secrets, eventId, headers, ...request }: EndpointRequest): Record<string, string> {
  const [secret = '', previousSecret = null] = secrets;
  const ours = {
    ...signatureHeaders({ secret, previousSecret, ...request }),
    ...standardWebhookHeaders({ secrets, id: eventId, body: request.body, timestampMs: request.timestampMs }),
  };
  const taken = new Set(Object.keys(ours).map((name) => name.toLowerCase()));
  const own = Object.entries(headers).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(own), ...ours };
}
