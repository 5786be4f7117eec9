/** The ids by which bounces and replies find their message: in `Message-ID`, and in the envelope sender. */
import { taggedAddress } from '../../domain/messages/envelope-tokens.js';

const ULID = '[0-9a-hjkmnp-tv-z]{26}';
const IN_MESSAGE_ID = new RegExp(`<(msg_${ULID})@[^<>@\\s]+>`, 'gi');
const IN_ADDRESS = new RegExp(`\\+(msg_${ULID})(?:-[0-9a-z]+)?@`, 'i');

/** The `Message-ID` of a message, without angle brackets. */
export const messageIdHeader = (messageId: string, domain: string): string => `${messageId}@${domain}`;

/**
 * The envelope sender of a message: `bounces@example.com` becomes `bounces+msg_…-<tag>@example.com`. Without a tag where there is none, or
 * no room for it.
 */
export function envelopeSender(returnPath: string, messageId: string, tag: string | null = null): string {
  const at = returnPath.lastIndexOf('@');
  const tagged = tag === null ? null : taggedAddress(returnPath, messageId, tag);
  return tagged ?? `${returnPath.slice(0, at)}+${messageId}${returnPath.slice(at)}`;
}

/** Our ids in a text of `Message-ID`s in angle brackets, in its order, each once. Mail systems may have changed their case. */
export const idsInHeader = (text: string): string[] => [...new Set([...text.matchAll(IN_MESSAGE_ID)].map(([, id]) => asWritten(id as string)))];

/** Our id in an envelope address, or null. */
export function idInAddress(address: string): string | null {
  const id = IN_ADDRESS.exec(address)?.[1];
  return id === undefined ? null : asWritten(id);
}

const asWritten = (id: string): string => `msg_${id.slice('msg_'.length).toUpperCase()}`;

/** The part after the last `@`. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
