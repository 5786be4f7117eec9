/**
 * Signatures of webhooks: HMAC-SHA256, in hex, of `<timestamp>.<raw body>`, keyed with the whole text of the secret,
 * `whsec_` included. Every attempt has a new timestamp and signature over the same body, so that a receiver that refuses
 * old timestamps still accepts the last retry.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';

export interface SignatureInput {
  readonly secret: string;
  /** The secret before, as long as it is still valid. */
  readonly previousSecret?: string | null;
  /** For example `message.delivered`. */
  readonly event: string;
  /** The same on every attempt of one delivery, so that a receiver can recognize a repetition. */
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  /** The bytes that are sent; a text is encoded as UTF-8. */
  readonly body: Buffer | string;
  /** Of this attempt, in milliseconds. */
  readonly timestampMs: number;
  /** The `Service` in `X-Service-Signature`, and its counterpart in the aliases that older receivers read. */
  readonly prefix: string;
  readonly legacyPrefix: string;
}

/** The hex digest alone. */
export const signatureOf = (secret: string, timestampMs: number | string, body: Buffer | string): string =>
  createHmac('sha256', secret).update(`${timestampMs}.`).update(body).digest('hex');

/**
 * The headers of one attempt: event, timestamp and signature under both prefixes with the same values, delivery id and
 * attempt number. While a previous secret is valid, `-Signature-Previous` is made with it.
 */
export function signatureHeaders(input: SignatureInput): Record<string, string> {
  const { secret, previousSecret, event, deliveryId, attempt, body, timestampMs, prefix, legacyPrefix } = input;
  const timestamp = String(timestampMs);
  const signature = signatureOf(secret, timestamp, body);
  const headers: Record<string, string> = {
    [`X-${prefix}-Event`]: event,
    [`X-${prefix}-Timestamp`]: timestamp,
    [`X-${prefix}-Signature`]: signature,
    [`X-${prefix}-Delivery`]: deliveryId,
    [`X-${prefix}-Attempt`]: String(attempt),
    [`X-${legacyPrefix}-Event`]: event,
    [`X-${legacyPrefix}-Timestamp`]: timestamp,
    [`X-${legacyPrefix}-Signature`]: signature,
  };
  if (previousSecret) {
    const previous = signatureOf(previousSecret, timestamp, body);
    setOwnField(headers, `X-${prefix}-Signature-Previous`, previous);
    setOwnField(headers, `X-${legacyPrefix}-Signature-Previous`, previous);
  }
  return headers;
}

/**
 * The headers of the Standard Webhooks specification, which its libraries in many languages verify: id, timestamp in
 * seconds, and for each valid secret `v1,<base64>` of `<id>.<timestamp>.<raw body>`, keyed with the decoded base64 after
 * `whsec_`.
 */
export function standardWebhookHeaders(input: {
  /** Newest first. */
  readonly secrets: readonly string[];
  /** Of the event; stable over retries and replays. */
  readonly id: string;
  readonly body: Buffer | string;
  readonly timestampMs: number;
}): Record<string, string> {
  const timestamp = String(Math.floor(input.timestampMs / 1000));
  const signatures = input.secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${input.id}.${timestamp}.`).update(input.body).digest('base64')}`;
  });
  return { 'webhook-id': input.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export type SignatureVerification =
  | { readonly verified: true }
  | {
      readonly verified: false;
      readonly reason: 'missing_headers' | 'malformed_timestamp' | 'outside_tolerance' | 'malformed_signature' | 'mismatch';
    };

const TOLERANCE_MS = 5 * 60_000;

/**
 * The receiver's side: whether a request was signed with this secret and is not older, or further ahead, than the
 * tolerance (default five minutes; Infinity takes any age). `headers` are in lower case, as Node gives them, and `body`
 * is the raw body: parsing and printing JSON again gives other bytes. Signatures are compared in constant time.
 */
export function verifySignature(input: {
  readonly secret: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | string;
  readonly nowMs: number;
  readonly toleranceMs?: number;
  /** Either prefix: their values are the same. */
  readonly prefix?: string;
}): SignatureVerification {
  const { secret, headers, body, nowMs, toleranceMs = TOLERANCE_MS, prefix = 'Service' } = input;
  const header = (name: string): string | undefined => {
    const value = ownField(headers, `x-${prefix}-${name}`.toLowerCase());
    return typeof value === 'string' ? value : undefined;
  };
  const timestamp = header('timestamp');
  const signatures = [header('signature'), header('signature-previous')].filter((signature) => signature !== undefined);
  if (timestamp === undefined || signatures.length === 0) return { verified: false, reason: 'missing_headers' };
  if (!/^\d{1,16}$/.test(timestamp)) return { verified: false, reason: 'malformed_timestamp' };
  if (Math.abs(nowMs - Number(timestamp)) > toleranceMs) return { verified: false, reason: 'outside_tolerance' };
  if (!signatures.every((signature) => /^[0-9a-f]{64}$/i.test(signature))) return { verified: false, reason: 'malformed_signature' };
  const expected = Buffer.from(signatureOf(secret, timestamp, body), 'hex');
  const equal = signatures.map((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), expected));
  return equal.includes(true) ? { verified: true } : { verified: false, reason: 'mismatch' };
}
