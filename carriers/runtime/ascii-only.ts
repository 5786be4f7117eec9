import { isInternational } from '../../domain/messages/international.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import type { CarrierClient, OutgoingMessage } from './carrier.js';

/** A carrier of email that is not asked to deliver what it does not: addresses with letters such as ö before the @ (RFC 6531). */
export function asciiOnly(client: CarrierClient, name: string): CarrierClient {
  return { ...client, send: async (message, signal) => refusal(message, name) ?? client.send(withAsciiCopies(message), signal) };
}

function refusal({ to, from }: OutgoingMessage, name: string): SendResult | null {
  if (![to, from ?? ''].some(isInternational)) return null;
  const reason = isInternational(to) ? 'invalid_recipient' : 'carrier_rejected';
  return { outcome: 'permanent_error', reason, code: null, error: `Letters such as ö before the @ are not supported by ${name}.` };
}

/** The message goes out without copies that would have the whole of it refused. */
function withAsciiCopies({ cc, bcc, ...message }: OutgoingMessage): OutgoingMessage {
  const kept = (copies: OutgoingMessage['cc']) => copies?.filter(({ address }) => !isInternational(address));
  return { ...message, ...(cc && { cc: kept(cc) ?? [] }), ...(bcc && { bcc: kept(bcc) ?? [] }) };
}
