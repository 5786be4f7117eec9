import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What a link of a message records: that its message was opened, or that its reader went to an address. */
export type TrackingClaims =
  | { readonly kind: 'opened'; readonly message_id: string }
  | { readonly kind: 'clicked'; readonly message_id: string; readonly url: string };

/** Purpose of the key that the tokens are signed with. */
export const TRACKING_PURPOSE = 'tracking';

const MAC_BYTES = 16;
const MAX_TOKEN_LENGTH = 4_096;
const MESSAGE_ID = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Tokens of open pixels and click links: the message and the address, after an HMAC-SHA256 of both, cut to 16 bytes. So a link leads
 * only where the message led. The same message has the same tokens at every dispatch; they never expire, as old messages are read.
 */
export class TrackingTokens {
  readonly #key: KeyObject;

  /** `key`: of the purpose `tracking`. */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  sign(tracked: TrackingClaims): string {
    const payload = Buffer.from(tracked.kind === 'opened' ? tracked.message_id : `${tracked.message_id}\n${tracked.url}`);
    return Buffer.concat([this.#mac(tracked.kind, payload), payload]).toString('base64url');
  }

  /** Null for a text that is not a token of this service and of this kind. */
  open<K extends TrackingClaims['kind']>(kind: K, token: string): Extract<TrackingClaims, { kind: K }> | null {
    if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    // Base64url ignores the last bits of the last character: only the canonical spelling is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return null;
    const payload = bytes.subarray(MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(kind, payload))) return null;
    const [message_id = '', url] = payload.toString('utf8').split('\n');
    if (!MESSAGE_ID.test(message_id) || (kind === 'clicked') !== (url !== undefined)) return null;
    return (url === undefined ? { kind, message_id } : { kind, message_id, url }) as Extract<TrackingClaims, { kind: K }>;
  }

  #mac(kind: TrackingClaims['kind'], payload: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(`${kind}\n`).update(payload).digest().subarray(0, MAC_BYTES);
  }
}

export const openPath = (token: string): string => `/v1/public/o/${token}`;
export const clickPath = (token: string): string => `/v1/public/c/${token}`;
