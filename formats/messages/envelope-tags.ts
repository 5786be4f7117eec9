import { createHmac, timingSafeEqual } from 'node:crypto';
import { TAG_LENGTH, TAG_LETTERS, tokensIn } from '../../domain/messages/envelope-tokens.js';

/** What the key of the tags is derived for. It never changes: mail bounces for days. */
export const ENVELOPE_PURPOSE = 'envelope-tags';

/**
 * Tags of envelope senders (VERP): `bounces+msg_…-<tag>@example.com`. Only we can make one, so mail to such an address answers a message of
 * ours, even where nothing of the message is on record yet. Of 50 bits, in letters that mail systems may change the case of.
 */
export class EnvelopeTags {
  constructor(private readonly key: Buffer) {}

  /** The tag of a message, 10 characters. */
  of(messageId: string): string {
    const bytes = createHmac('sha256', this.key).update(messageId).digest();
    return Array.from(bytes.subarray(0, TAG_LENGTH), (byte) => TAG_LETTERS[byte & 31]).join('');
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
