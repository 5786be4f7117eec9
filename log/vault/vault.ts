import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/kernel/clock.js';
import type { Entropy } from '../../domain/kernel/entropy.js';
import type { KeyRow, KeyStore } from '../../domain/kernel/keys.js';
import { entryCache } from './entry-cache.js';

/** Derives the key of an address, which replaces it in stream names, indexes and key subjects: an HMAC under the account's pepper. */
export interface AddressKeys {
  key(account: string, address: string): string;
}

export interface VaultOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly entropy: Pick<Entropy, 'bytes'>;
  /** How many data keys to cache. */
  readonly cachedKeys?: number;
}

/** In place of the text of a box whose key is missing, which is no erasure. */
export const keyMissing: unique symbol = Symbol('key missing');

export type OpenedText = string | null | typeof keyMissing;

interface DataKey {
  readonly id: string;
  readonly subject: string;
  readonly secret: KeyObject;
}

const CACHED_KEYS = 10_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A key's id is its time in milliseconds, then random bytes; its seed follows in the same random bytes. */
const TIME_BYTES = 6;
const ID_BYTES = 15;
const KEY_BYTES = ID_BYTES + 32;

/**
 * Seals personal fields. Each subject (a contact, or an address without one) has a random seed in the key store. Its data key
 * is HMAC-SHA256(key-encryption key, seed); the key-encryption key derives from the master key by HKDF. So the key store is
 * useless without the master key, and once a seed is destroyed nothing that was sealed for the subject can be opened.
 *
 * A box is `<key id>.<base64 of iv, ciphertext, tag>`, AES-256-GCM. Keys are handed to node:crypto as KeyObject: with a
 * plain Buffer OpenSSL 3.5 (Node 24) takes eight times as long.
 */
export class Vault implements AddressKeys {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entropy: Pick<Entropy, 'bytes'>;
  readonly #kek: KeyObject;
  readonly #pepper: KeyObject;
  readonly #peppers = entryCache<string, KeyObject>(10_000);
  readonly #bySubject: LRUCache<string, DataKey>;
  readonly #byId: LRUCache<string, DataKey>;
  /** By subject: keys that are being stored. */
  readonly #pending = new Map<string, Promise<readonly DataKey[]>>();

  constructor(
    master: Uint8Array,
    private readonly store: KeyStore,
    { clock, entropy, cachedKeys = CACHED_KEYS }: VaultOptions,
  ) {
    this.#clock = clock;
    this.#entropy = entropy;
    this.#bySubject = entryCache(cachedKeys);
    this.#byId = entryCache(cachedKeys);
    this.#kek = derive(master, 'heliograph/kek');
    this.#pepper = derive(master, 'heliograph/pepper');
  }

  /** A 256-bit secret for a purpose of the application (signing tokens, cursors), derived from the master key. */
  static purposeKey(master: Uint8Array, purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', master, '', `heliograph/purpose/${purpose}`, 32));
  }

  key(account: string, address: string): string {
    let pepper = this.#peppers.get(account);
    if (!pepper) {
      pepper = createSecretKey(createHmac('sha256', this.#pepper).update(account).digest());
      this.#peppers.set(account, pepper);
    }
    return createHmac('sha256', pepper).update(address).digest('base64url').slice(0, 26);
  }

  /** Seals one JSON text for each subject. New keys are on disk before any append that follows. */
  async seal(items: readonly { subject: string; plain: string }[]): Promise<string[]> {
    const keys = await this.#sealingKeys(items.map((item) => item.subject));
    const ivs = this.#random(IV_BYTES * items.length);
    return items.map((item, i) => box(keys[i] as DataKey, ivs.subarray(i * IV_BYTES, (i + 1) * IV_BYTES), item.plain));
  }

  /** Opens boxes; null for one whose key is destroyed, `keyMissing` for one whose key is missing. */
  async open(boxes: readonly string[]): Promise<OpenedText[]> {
    const keys = await this.#openingKeys(boxes.map((b) => b.slice(0, b.indexOf('.'))));
    return boxes.map((b, i): OpenedText => {
      const key = keys[i];
      return key === undefined ? null : key === keyMissing ? keyMissing : unbox(key, b);
    });
  }

  /** Destroys the keys of a subject. A later `seal` for it creates a new key. */
  async erase(subject: string): Promise<void> {
    await this.store.destroy(subject);
    this.evict(subject);
  }

  /** Removes a subject's keys from the cache, after they were destroyed here or on another node. */
  evict(subject: string): void {
    this.#bySubject.delete(subject);
    for (const [id, key] of this.#byId) if (key.subject === subject) this.#byId.delete(id);
  }

  async #sealingKeys(subjects: readonly string[]): Promise<DataKey[]> {
    const { found, missing } = lookUp(this.#bySubject, subjects);
    if (missing.length > 0) for (const made of await this.#pendingOrNewKeys(missing)) for (const key of made) found.set(key.subject, key);
    return subjects.map((subject) => found.get(subject) as DataKey);
  }

  /** Stored keys of these subjects. Concurrent calls for one subject share one creation: a key is used only once it is stored. */
  #pendingOrNewKeys(subjects: readonly string[]): Promise<(readonly DataKey[])[]> {
    const waits = new Set<Promise<readonly DataKey[]>>();
    const own: string[] = [];
    for (const subject of subjects) {
      const making = this.#pending.get(subject);
      if (making) waits.add(making);
      else own.push(subject);
    }
    if (own.length > 0) {
      const making = this.#createKeys(own).finally(() => {
        for (const subject of own) this.#pending.delete(subject);
      });
      for (const subject of own) this.#pending.set(subject, making);
      waits.add(making);
    }
    return Promise.all(waits);
  }

  async #createKeys(subjects: readonly string[]): Promise<DataKey[]> {
    const known = await this.store.bySubject(subjects);
    const random = this.#random(KEY_BYTES * subjects.length);
    const fresh: KeyRow[] = [];
    const keys = subjects.map((subject, i) => {
      let row = known[i];
      if (!row) {
        const own = random.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES);
        // The time comes first, so that keys that are created together lie together in their store.
        own.writeUIntBE(this.#clock.now(), 0, TIME_BYTES);
        row = { id: own.toString('base64url', 0, ID_BYTES), subject, seed: Uint8Array.prototype.slice.call(own, ID_BYTES) };
        fresh.push(row);
      }
      return this.#keyOf(row);
    });
    if (fresh.length > 0) await this.store.put(fresh);
    for (const key of keys) this.#bySubject.set(key.subject, key);
    return keys;
  }

  async #openingKeys(ids: readonly string[]): Promise<(DataKey | undefined | typeof keyMissing)[]> {
    const { found, missing } = lookUp(this.#byId, ids);
    let lost: ReadonlySet<string> = new Set();
    if (missing.length > 0) {
      for (const row of await this.store.byId(missing)) {
        if (!row) continue;
        const key = this.#keyOf(row);
        this.#bySubject.set(row.subject, key);
        this.#byId.set(row.id, key);
        found.set(row.id, key);
      }
      const absent = missing.filter((id) => !found.has(id));
      if (absent.length > 0) lost = await this.store.missing(absent);
    }
    return ids.map((id) => found.get(id) ?? (lost.has(id) ? keyMissing : undefined));
  }

  #random(count: number): Buffer {
    const bytes = this.#entropy.bytes(count);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  #keyOf({ id, subject, seed }: KeyRow): DataKey {
    return { id, subject, secret: createSecretKey(createHmac('sha256', this.#kek).update(seed).digest()) };
  }
}

/** Cached keys are collected at once: later inserts may evict them. */
function lookUp(cache: LRUCache<string, DataKey>, names: readonly string[]): { found: Map<string, DataKey>; missing: string[] } {
  const found = new Map<string, DataKey>();
  const missing = new Set<string>();
  for (const name of names) {
    const key = cache.get(name);
    if (key) found.set(name, key);
    else missing.add(name);
  }
  return { found, missing: [...missing] };
}

const derive = (master: Uint8Array, purpose: string): KeyObject => createSecretKey(Buffer.from(hkdfSync('sha256', master, '', purpose, 32)));

function box(key: DataKey, iv: Buffer, plain: string): string {
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv);
  const body = cipher.update(plain, 'utf8');
  cipher.final();
  return `${key.id}.${Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64')}`;
}

/** Null where the box does not open under this key: a damaged box reads like an erased one. */
function unbox(key: DataKey, sealed: string): string | null {
  const bytes = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch {
    return null;
  }
}
