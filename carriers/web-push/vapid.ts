/** The keys with which this service identifies itself to push services (RFC 8292). */
import { createECDH, hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import webPush from 'web-push';
import type { Clock } from '../../domain/kernel/clock.js';
import type { VapidKeys } from '../runtime/dependencies.js';

/** Purpose of the key that they are derived from. */
export const VAPID_PURPOSE = 'vapid';

/**
 * A pair of keys that follows from a secret. Every node of an installation has the same, from its first start on and after a backup is
 * restored: browsers are bound to the key that they subscribed with.
 */
export function deriveVapidKeys(secret: Buffer): VapidKeys {
  for (let nth = 0; ; nth++) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `vapid/${nth}`, 32));
    const pair = createECDH('prime256v1');
    try {
      pair.setPrivateKey(bytes);
    } catch {
      // Not below the order of the curve: one in four thousand millions.
      continue;
    }
    return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') };
  }
}

const LIFE_S = 12 * 3_600;
/** A header is used for half of its life. */
const USED_MS = (LIFE_S * 1_000) / 2;
const MAX_ORIGINS = 1_000;

/** The `Authorization` for an endpoint. One signature serves a push service for hours: it costs more than the encryption. */
export function vapidHeaders({ publicKey, privateKey }: VapidKeys, subject: string, clock: Pick<Clock, 'now'>): (endpoint: string) => string {
  const kept = new LRUCache<string, { readonly header: string; readonly until: number }>({ max: MAX_ORIGINS });
  return (endpoint) => {
    const { origin } = new URL(endpoint);
    const now = clock.now();
    const known = kept.get(origin);
    if (known && known.until > now) return known.header;
    const expires = Math.floor(now / 1_000) + LIFE_S;
    const { Authorization: header } = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', expires);
    kept.set(origin, { header, until: now + USED_MS });
    return header;
  };
}
