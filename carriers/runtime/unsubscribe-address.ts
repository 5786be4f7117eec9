/** The mail address of `List-Unsubscribe` (RFC 2369): that of the message in its envelope sender, or in the inbound address. */
import { ownField } from '../../domain/kernel/own-fields.js';
import { taggedAddress } from '../../domain/messages/envelope-tokens.js';
import type { CarrierClient, OutgoingMessage } from './carrier.js';
import type { CarrierDependencies } from './dependencies.js';
import type { FieldTexts, InboundAddress } from './descriptor.js';

const LINKS = 'List-Unsubscribe';

/** The address by mail to which a carrier's receiver gets mail; null where it reads none, or nobody has named the address. */
export function inboundAddressOf(inbound: InboundAddress | undefined, texts: FieldTexts<string>): string | null {
  if (!inbound?.needs.every((field) => ownField(texts, field) !== undefined)) return null;
  return inbound.address.map((field) => ownField(texts, field)).find((address) => address !== undefined) ?? null;
}

/**
 * A carrier whose mails with one-click unsubscription have the address of the message in `List-Unsubscribe`, too. Only with its tag, which
 * proves the message: without one, or without room for it, they have the link alone.
 */
export function withUnsubscribeAddress<C extends CarrierClient>(client: C, inbound: string | null, tagOf: CarrierDependencies['tagOf']): C {
  if (inbound === null || tagOf === null) return client;
  return { ...client, send: (message, signal) => client.send(withAddress(message, inbound, tagOf), signal) };
}

function withAddress(message: OutgoingMessage, inbound: string, tagOf: (messageId: string) => string): OutgoingMessage {
  const { message_id, headers = {} } = message;
  const links = ownField(headers, LINKS);
  if (links === undefined || ownField(headers, `${LINKS}-Post`) === undefined) return message;
  const address = taggedAddress(inbound, message_id, tagOf(message_id));
  return address === null ? message : { ...message, headers: { ...headers, [LINKS]: `${links}, <mailto:${address}?subject=unsubscribe>` } };
}
