import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the key of the tags is derived for. It never changes: mail bounces for days. */
export const ENVELOPE_PURPOSE = 'envelope-tags';

const TAG_LENGTH = 10;
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const ULID = '[0-9a-hjkmnp-tv-z]{26}';
const TAGGED = new RegExp(`\\b(msg_${ULID})-([${LETTERS}]{${TAG_LENGTH}})(?![0-9a-z])`, 'gi');
/** Addresses of one mail that are looked at. */
const MAX_TOKENS = 20;

/**
 * Tags of envelope senders (VERP): `bounces+msg_…-<tag>@example.com`. Only we can make one, so mail to such an address answers a message of
 * ours, even where nothing of the message is on record yet. Of 50 bits, in letters that mail systems may change the case of.
 */
export class EnvelopeTags {
  constructor(private readonly key: Buffer) {}

  /** The tag of a message, 10 characters. */
  of(messageId: string): string {
    const bytes = createHmac('sha256', this.key).update(messageId).digest();
    return Array.from(bytes.subarray(0, TAG_LENGTH), (byte) => LETTERS[byte & 31]).join('');
  }

  /** The first message in texts such as addresses that is named with its tag; null where none is. */
  messageIn(texts: readonly string[]): string | null {
    for (const token of tokensIn(texts)) {
      const at = token.lastIndexOf('-');
      const id = token.slice(0, at);
      if (timingSafeEqual(Buffer.from(this.of(id)), Buffer.from(token.slice(at + 1)))) return id;
    }
    return null;
  }
}

/** What looks like an id of ours with a tag, `msg_…-<tag>`, as it is written by us. At most 20. */
export function tokensIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (const [, id = '', tag = ''] of text.matchAll(TAGGED)) {
      found.add(`msg_${id.slice('msg_'.length).toUpperCase()}-${tag.toLowerCase()}`);
      if (found.size === MAX_TOKENS) return [...found];
    }
  return [...found];
}
