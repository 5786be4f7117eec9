/** The interface of Vonage, as the code of the real carrier calls it and as its webhooks reach the service. */
import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Carrier, OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import type { CarrierResponse } from '../../../carriers/runtime/http.js';
import { createVonage } from '../../../carriers/vonage/send.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import type { Receipt } from '../../../domain/messages/receipt.js';
import type { SendResult } from '../../../domain/messages/send-result.js';
import type { Request } from './http.js';

export const VONAGE = 'vonage';
export const VONAGE_SECRET = 'signature-secret-of-the-simulation';
const KEY = keyOf(VONAGE_SECRET);
const NUMBER = '14155559999';
const PATH = '/v1/webhooks/vonage';

/** The real carrier, whose requests have the answers that `take` gives. */
export const vonageOver = (take: (message: OutgoingMessage) => Promise<SendResult>, clock: Pick<Clock, 'now'>): Carrier => {
  const settings = { api_key: 'key', api_secret: 'secret', from: NUMBER };
  const over = (message: OutgoingMessage) => createVonage(settings, { clock, receiptsUrl: null, http: async () => answerOf(await take(message)) });
  return {
    name: VONAGE,
    channels: ['sms', 'whatsapp', 'rcs'],
    deduplicates: false,
    send: (message, signal) => over(message).send(message, signal),
  };
};

function answerOf(result: SendResult): CarrierResponse {
  const problem = (status: number, code: number) => ({
    status,
    headers: {},
    body: JSON.stringify({ type: `https://developer.vonage.com/#${code}` }),
  });
  if (result.outcome === 'accepted') return { status: 202, headers: {}, body: JSON.stringify({ message_uuid: result.carrier_message_id }) };
  return result.outcome === 'transient_error' ? problem(429, 1000) : problem(422, 1170);
}

/** The body of a webhook: a status or a received text. */
export type VonageReport = Readonly<Record<string, string | object>> & { readonly message_uuid: string };

/** A STOP as people write it, and as a tap on a quick reply brings it. */
const STOPS = ['STOP', 'Stop!', 'STOP 🛑', 'stop stop', 'S T O P', ' stop.\n'] as const;

function stopOf(message_id: string, channel: string): Record<string, string | object> {
  const nth = message_id.charCodeAt(message_id.length - 1);
  if (channel !== 'sms' && nth % 2 === 0) return { message_type: 'button', button: { payload: 'no-more', text: 'STOP' } };
  return { message_type: 'text', text: STOPS[nth % STOPS.length] as string };
}

const statuses: { readonly [K in Receipt['kind']]?: string } = { delivered: 'delivered', read: 'read', undelivered: 'undeliverable' };

export function vonageReport({ message_id, channel, to }: OutgoingMessage, kind: Receipt['kind'], timestamp: string): VonageReport {
  const [from, receiver] = [to.replace('+', ''), NUMBER];
  if (kind === 'replied') return { message_uuid: `text_${message_id}`, channel, from, to: receiver, timestamp, ...stopOf(message_id, channel) };
  const status = statuses[kind] ?? kind;
  return { message_uuid: `${VONAGE}_${message_id}`, channel, to: from, from: receiver, timestamp, status, client_ref: message_id };
}

/** A key, not a text: the library would first try to read a text as a private key. */
export function keyOf(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8');
}

/** Signed at a time in milliseconds since 1970. */
export function signedRequest(report: VonageReport, at: number, key = KEY): Request {
  const claims = { iss: 'Vonage', iat: Math.floor(at / 1_000), payload_hash: hash('sha256', JSON.stringify(report)) };
  return { method: 'POST', path: PATH, headers: { authorization: `Bearer ${jwt.sign(claims, key)}` }, body: report };
}
