import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type ChannelName, isChannel } from '../../domain/kernel/channels.js';

/** The contents of a link to unsubscribe. It contains the address only as a hash, so a link does not reveal its recipient. */
export interface UnsubscribeClaims {
  readonly account: string;
  readonly address_key: string;
  readonly channel: string;
  /** The message that contains the link. */
  readonly message_id: string | null;
  /** The list that the message was sent to. */
  readonly list_id: string | null;
}

/** What a token says: its channel is one of ours. */
export interface OpenedClaims extends UnsubscribeClaims {
  readonly channel: ChannelName;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const MAX_TOKEN_LENGTH = 1_024;

/**
 * Tokens of links to unsubscribe. A mail provider that unsubscribes on a reader's behalf has only the token (RFC 8058: no
 * cookies, no sign-in), so it identifies the recipient and cannot be forged. It never expires, because old messages are
 * still read. The same message always has the same token, so a repeated dispatch is identical.
 *
 * AES-256-GCM with an HMAC of the plaintext as nonce: no other plaintext is ever sealed with the same nonce.
 */
export class UnsubscribeTokens {
  readonly #sealingKey: KeyObject;
  readonly #nonceKey: KeyObject;

  /** `key`: of the purpose `unsubscribe`. */
  constructor(key: Buffer) {
    const part = (name: string) => createSecretKey(createHmac('sha256', key).update(name).digest());
    this.#sealingKey = part('seal');
    this.#nonceKey = part('nonce');
  }

  seal({ account, address_key, channel, message_id, list_id }: UnsubscribeClaims): string {
    const plain = JSON.stringify([account, address_key, channel, message_id, list_id]);
    const iv = createHmac('sha256', this.#nonceKey).update(plain).digest().subarray(0, IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealingKey, iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
  }

  /** Null for a text that is not a token of this service. */
  open(token: string): OpenedClaims | null {
    if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    // Base64url ignores the last bits of the last character: only the canonical spelling is accepted.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== token) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#sealingKey, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    try {
      const plain = decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      const [account, address_key, channel, message_id, list_id] = JSON.parse(plain);
      return isChannel(channel) ? { account, address_key, channel, message_id, list_id } : null;
    } catch {
      return null;
    }
  }
}

/** Purpose of the key that the tokens are sealed under. */
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe';
export const unsubscribePath = (token: string): string => `/v1/public/unsubscribe/${token}`;
export const preferencesPath = (token: string): string => `/v1/public/preferences/${token}`;
