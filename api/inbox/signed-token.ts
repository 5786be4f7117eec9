import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Whose inbox a token opens, until when (seconds since 1970). */
export interface InboxGrant {
  readonly account: string;
  readonly contact_id: string;
  readonly expires: number;
}

/** Purpose of the key that the tokens are signed with. */
export const INBOX_TOKEN_PURPOSE = 'inbox-token';

const PREFIX = 'hit_';
const MAC_BYTES = 20;
const MAX_TOKEN_LENGTH = 512;

/** Whether a text is meant as a token of an inbox. */
export const hasInboxTokenFormat = (text: string): boolean => text.startsWith(PREFIX);

/** Tokens with which a browser opens the inbox of one contact: the grant after an HMAC-SHA256 of it, cut to 20 bytes. */
export class InboxTokens {
  readonly #key: KeyObject;

  /** `key`: of the purpose `inbox-token`. */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  sign({ account, contact_id, expires }: InboxGrant): string {
    const payload = Buffer.from([account, contact_id, expires].join('/'));
    return PREFIX + Buffer.concat([this.#mac(payload), payload]).toString('base64url');
  }

  /** Null for a text that is not a token of this service. Whether it has expired is for the caller to see. */
  open(token: string): InboxGrant | null {
    const text = token.slice(PREFIX.length);
    if (!hasInboxTokenFormat(token) || token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(text)) return null;
    const bytes = Buffer.from(text, 'base64url');
    // Base64url ignores the last bits of the last character: only the canonical spelling is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null;
    const payload = bytes.subarray(MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(payload))) return null;
    const [account = '', contact_id = '', expires = '0'] = payload.toString().split('/');
    return { account, contact_id, expires: Number(expires) };
  }

  #mac(payload: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest().subarray(0, MAC_BYTES);
  }
}
