import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Purpose of the key that the tokens are signed with. */
export const PUSH_REPORT_PURPOSE = 'push-reports';

const MAC_BYTES = 16;
const SUBSCRIPTION = /^psh_[0-9A-HJKMNP-TV-Z]{26}$/;
const TOKEN = /^(psh_[0-9A-HJKMNP-TV-Z]{26})\.([\w-]{22})$/;

/**
 * What a device shows when it reports about a message: its subscription, and an HMAC-SHA256 of message and subscription, cut to 16
 * bytes. So a device reports about its own messages alone. The same message has the same token at every dispatch.
 */
export class PushReportTokens {
  readonly #key: KeyObject;

  /** `key`: of the purpose `push-reports`. */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  sign(message_id: string, subscription_id: string): string {
    if (!SUBSCRIPTION.test(subscription_id)) throw new Error(`'${subscription_id}' is no id of a subscription`);
    return `${subscription_id}.${this.#mac(message_id, subscription_id).toString('base64url')}`;
  }

  /** The subscription that a token of this message names; null for any other text. */
  open(message_id: string, token: string): string | null {
    const [, subscription_id = '', mac = ''] = TOKEN.exec(token) ?? [];
    if (subscription_id === '') return null;
    const given = Buffer.from(mac, 'base64url');
    // Base64url ignores the last bits of the last character: only the canonical spelling is accepted.
    if (given.length !== MAC_BYTES || given.toString('base64url') !== mac) return null;
    return timingSafeEqual(given, this.#mac(message_id, subscription_id)) ? subscription_id : null;
  }

  #mac(message_id: string, subscription_id: string): Buffer {
    return createHmac('sha256', this.#key).update(`${message_id}\n${subscription_id}`).digest().subarray(0, MAC_BYTES);
  }
}
