/** API keys, sessions and webhook secrets: how they are made, stored and recognized. */
import { hash } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Both have the same length. */
const KEY_PREFIXES = { live: 'hk_live_', test: 'hk_test_' } as const;
/** 62^43 is the first power above 2^256. */
const KEY_DIGITS = 43;
const KEY = /^hk_(?:live|test)_[0-9A-Za-z]{43}$/;
/** Enough to recognize a key, too little to help in guessing it. */
const SHOWN = KEY_PREFIXES.live.length + 4;

/** The text of an API key of 256 secret bits. A double click selects all of it. */
export function formatApiKey(secret: Buffer, mode: keyof typeof KEY_PREFIXES = 'live'): string {
  let rest = BigInt(`0x${secret.toString('hex')}`);
  let digits = '';
  for (let i = 0; i < KEY_DIGITS; i++) {
    digits = BASE62[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return KEY_PREFIXES[mode] + digits;
}

/** False for a text that cannot be a key, so no lookup is needed. */
export const hasApiKeyFormat = (text: string): boolean => KEY.test(text);

/** The stored form of a key. Keys have 256 random bits, so a plain hash cannot be reversed by trying. */
export const hashApiKey = (text: string): string => hash('sha256', text, 'base64url');

const SESSION_COOKIE = /^(usr_[0-9A-Z]{26})\.([\w-]{43})$/;

/** The value of the cookie of a session: its user, and 256 secret bits. */
export const formatSessionCookie = (userId: string, secret: Buffer): string => `${userId}.${secret.toString('base64url')}`;

/** The user of such a value and the stored form of its secret, or null where it cannot be one. */
export function parseSessionCookie(value: string): { readonly user: string; readonly hash: string } | null {
  const [, user, secret] = SESSION_COOKIE.exec(value) ?? [];
  return user === undefined || secret === undefined ? null : { user, hash: hashSessionSecret(secret) };
}

/** The stored form of the secret of a session, in base64url. */
export const hashSessionSecret = (secret: string): string => hash('sha256', secret, 'base64url');

/** The part of a key that lists show. */
export const apiKeyPrefix = (text: string): string => text.slice(0, SHOWN);

/** The form that the Standard Webhooks libraries read as well. */
export const formatWebhookSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/** The secret of `contact_hash`. */
export const formatIdentitySecret = (secret: Buffer): string => `idsec_${secret.toString('base64url')}`;
