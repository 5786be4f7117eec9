/** Links to the pages that set a password: of a user who has forgotten it, and of a person who is invited. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link proves: that its holder may set the password of this user. */
export type AccountLink =
  /** `version`: that of the user's tokens, so that the link ends with the password. `expires_at`: milliseconds since 1970. */
  | { readonly kind: 'reset'; readonly account_id: string; readonly user_id: string; readonly version: number; readonly expires_at: number }
  /** When it ends is on record. */
  | { readonly kind: 'invitation'; readonly account_id: string; readonly user_id: string };

const MAC_BYTES = 16;

/** `key`: of the purpose `account-links`. The same link has the same token, so a repeated mail is identical. */
export function linkToken(link: AccountLink, key: Buffer): string {
  const { kind, account_id, user_id } = link;
  const values = kind === 'reset' ? [kind, account_id, user_id, link.version, link.expires_at] : [kind, account_id, user_id];
  const payload = Buffer.from(JSON.stringify(values));
  return Buffer.concat([mac(payload, key), payload]).toString('base64url');
}

/** Null if the token is forged or of another kind. Whether it can still be used is on record. */
export function readLinkToken<K extends AccountLink['kind']>(kind: K, token: string, key: Buffer): Extract<AccountLink, { kind: K }> | null {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  if (bytes.length <= MAC_BYTES || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(payload, key))) return null;
  const [signed, account_id, user_id, version, expires_at] = JSON.parse(payload.toString()) as [string, string, string, number, number];
  const link = signed === 'reset' ? { kind: signed, account_id, user_id, version, expires_at } : { kind: signed, account_id, user_id };
  return signed === kind ? (link as Extract<AccountLink, { kind: K }>) : null;
}

const mac = (payload: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);

/** The page of a link. `baseUrl`: the public URL, without a slash at the end. */
export const linkUrl = (baseUrl: string, link: AccountLink, key: Buffer): string => `${baseUrl}/dashboard/${link.kind}/${linkToken(link, key)}`;

/** The purpose of the key of these links. */
export const ACCOUNT_LINKS_PURPOSE = 'account-links';
/** How long the link for a forgotten password can be used, and that of an invitation. In milliseconds. */
export const LINK_LIFETIME_MS = { reset: 3_600_000, invitation: 7 * 86_400_000 } as const;
