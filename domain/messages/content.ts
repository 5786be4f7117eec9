/**
 * The content of a message. One above 64 kB is kept once, in parts, in a stream of its own, written before the event that names
 * it; events, to-dos and read models have only its small fields and the start of its text.
 */
import { ERASED } from '../kernel/erased.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { anyRecord, count, list, mapOf, oneOf, optional, record, type Static, text } from '../kernel/schema.js';
import { storedWhatsappTemplate } from './whatsapp-template.js';

/** A file of an email. `content` is Base64 of its `bytes` bytes; absent in what an event keeps of a large content. */
export const attachment = record({ filename: text, content_type: text, bytes: count, content: optional(text) });
export type Attachment = Static<typeof attachment>;

/** What only a push message has. `actions`: buttons; `collapse_key`: a later message with the same one takes its place. */
export const pushOptions = record({
  image: optional(text),
  actions: optional(list(record({ id: text, title: text, url: optional(text) }))),
  collapse_key: optional(text),
  priority: optional(oneOf('normal', 'high')),
  data: optional(anyRecord),
});
export type PushOptions = Static<typeof pushOptions>;

/** The content, in the fields of the channel. All of it is personal. */
export const content = record({
  message: text,
  /** Names of the recipient and the sender of an email, beside their addresses. */
  to_name: optional(text),
  from_name: optional(text),
  subject: optional(text),
  html: optional(text),
  reply_to: optional(text),
  title: optional(text),
  action_url: optional(text),
  media_urls: optional(list(text)),
  data: optional(anyRecord),
  push: optional(pushOptions),
  /** In place of the message, which is what history and previews show. */
  whatsapp_template: optional(storedWhatsappTemplate),
  /** Further headers of an email, by their names as given. */
  headers: optional(mapOf(text)),
  attachments: optional(list(attachment)),
});
export type Content = Static<typeof content>;

/** The stream of a whole content, and the bytes of its JSON in UTF-8. */
export const contentRef = record({ id: text, bytes: count });
export type ContentRef = Static<typeof contentRef>;

// Events

/** A part of the JSON of a content: the texts of all parts, joined in order, are the JSON. */
export const ContentPartStored = eventType('ContentPartStored', record({ to_key: text, part: count, text }), {
  personal: { subject: 'to_key', fields: ['text'] },
});
export const contentEvents = [ContentPartStored] as const;
export type ContentEvent = EventOf<typeof ContentPartStored>;

/** Bytes of JSON in UTF-8 above which a content gets a stream of its own. */
export const MAX_INLINE_BYTES = 65_536;

/** UTF-16 units above which a text is long: lists show its start, of so many units. */
export const LONG_TEXT = 4_096;
const START = 1_000;

/** The text as lists show it, without half of a surrogate pair at its end. */
export const startOf = (whole: string): string => (whole.length > LONG_TEXT ? cut(whole, START) : whole);

function cut(whole: string, length: number): string {
  const last = whole.charCodeAt(length - 1);
  return whole.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** What an event keeps of a content that has a stream of its own. A long text stays longer than LONG_TEXT. */
export function smallContent({ html: _, data: __, headers: ___, whatsapp_template: ____, message, attachments, ...small }: Content): Content {
  return {
    message: message.length > LONG_TEXT ? cut(message, LONG_TEXT + 2) : message,
    ...small,
    ...(attachments && { attachments: attachments.map(({ content: _content, ...named }) => named) }),
  };
}

/** The content from the texts of its parts; null where it is erased. Throws where a part is missing. */
export function joinParts(texts: readonly string[], { id }: ContentRef): Content | null {
  if (texts[0] === ERASED) return null;
  try {
    return JSON.parse(texts.join('')) as Content;
  } catch {
    throw new Error(`content ${id} is not complete`);
  }
}

// Stream

export const contentStream = (contentId: string): string => `content-${contentId}`;
