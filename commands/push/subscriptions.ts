/** What a push subscription is made of: the keys of a browser, and the proof of who its contact is. */
import { createECDH, createHmac, timingSafeEqual } from 'node:crypto';

const CURVE = 'prime256v1';
const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;
/** Any private key: only whether the other point is on the curve matters. */
const PROBE = Buffer.alloc(32, 1);

/** The bytes of a text in base64url, also with padding or in the alphabet of base64; null for another text. */
function bytesOf(text: string): Buffer | null {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : null;
}

/** A public key of a browser, normalized: an uncompressed point of P-256 (RFC 8291) in base64url. Null for anything else. */
export function readPublicKey(text: string): string | null {
  const point = bytesOf(text);
  if (point?.length !== PUBLIC_KEY_BYTES || point[0] !== 4) return null;
  try {
    const own = createECDH(CURVE);
    own.setPrivateKey(PROBE);
    own.computeSecret(point);
    return point.toString('base64url');
  } catch {
    return null;
  }
}

/** The authentication secret of a browser, normalized: 16 bytes in base64url. Null for anything else. */
export function readAuthSecret(text: string): string | null {
  const secret = bytesOf(text);
  return secret?.length === AUTH_BYTES ? secret.toString('base64url') : null;
}

/** The proof of a contact: the hexadecimal HMAC-SHA256 of its email in lower case, or else of its id. */
export const contactHash = (secret: string, named: string): string => createHmac('sha256', secret).update(named).digest('hex');

/** Whether a proof is that of one of these texts; takes the same time for any. */
export function isContactHash(secret: string, named: readonly string[], given: string): boolean {
  const shown = Buffer.from(given.toLowerCase());
  return named.reduce((found, text) => {
    const right = Buffer.from(contactHash(secret, text));
    return (shown.length === right.length && timingSafeEqual(shown, right)) || found;
  }, false);
}
