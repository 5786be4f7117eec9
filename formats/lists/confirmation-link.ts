import { createHmac, timingSafeEqual } from 'node:crypto';

/** The contents of a link in a confirmation mail. */
export interface ConfirmationRequest {
  readonly contact_id: string;
  readonly list_id: string;
  readonly request_id: string;
}

const MAC_BYTES = 16;

/** `key`: of the purpose `list-confirmation`. The same request has the same token, so a repeated mail is identical. */
export function confirmationToken({ contact_id, list_id, request_id }: ConfirmationRequest, key: Buffer): string {
  const payload = Buffer.from(JSON.stringify([contact_id, list_id, request_id]));
  return Buffer.concat([mac(payload, key), payload]).toString('base64url');
}

/** Null if the token is forged. Whether it can still be used is decided by the contact's stream. */
export function verifyConfirmationToken(token: string, key: Buffer): ConfirmationRequest | null {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  if (bytes.length <= MAC_BYTES || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(payload, key))) return null;
  const [contact_id, list_id, request_id] = JSON.parse(payload.toString()) as [string, string, string];
  return { contact_id, list_id, request_id };
}

const mac = (payload: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);

export const confirmationUrl = (baseUrl: string, token: string): string => `${baseUrl}/v1/public/lists/confirm/${token}`;

/**
 * A token in a link that confirms a subscription or sets a password; carriers return mails with lines that quoted-printable has broken,
 * also inside JSON.
 */
const TOKEN_IN_LINK = /(\/v1\/public\/[a-z]+\/confirm\/|\/dashboard\/(?:reset|invitation)\/)[\w-]+(?:=(?:\r?\n|\\r\\n|\\n)[\w-]+)*/g;

/**
 * A JSON value whose texts no longer contain the tokens of links. Whoever has such a link can confirm for the recipient, or sign in as a
 * user, so what the API shows of messages goes through this: the consent must be the recipient's own.
 */
export function withMaskedLinks<T>(value: T): T {
  if (typeof value === 'string') return /\/(?:confirm|dashboard)\//.test(value) ? (value.replace(TOKEN_IN_LINK, '$1•••') as T & string) : value;
  if (Array.isArray(value)) return value.map(withMaskedLinks) as T & unknown[];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withMaskedLinks(part)])) as T & object;
}
