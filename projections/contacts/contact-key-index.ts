import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { Clock } from '../../domain/kernel/ports.js';
import { InMemoryStreamIndex } from '../runtime/stream-index.js';

/** Keys that were ever claimed by a contact, with false positives. A send need not load the claim of any other key. */
export class ContactKeyIndex extends InMemoryStreamIndex {
  constructor(clock: Clock) {
    super(contactKeyStream(''), new BloomFilter(), clock);
  }
}

const BITS = 2 ** 24;
const MIXERS = [0x85ebca6b, 0xc2b2ae35] as const;

/**
 * Bloom filter of texts in 2 MiB: no false negatives; about one false positive in 200 at a million texts. Three bit
 * positions a text, derived from one hash by double hashing (Kirsch and Mitzenmacher).
 */
export class BloomFilter {
  readonly #bits = new Uint8Array(BITS / 8);

  add(text: string): void {
    for (const bit of bitPositions(text)) this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  has(text: string): boolean {
    return bitPositions(text).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }
}

/** FNV-1a with 32 bits; the second hash is the first one, mixed as in MurmurHash3. */
function bitPositions(text: string): number[] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  let mixed = Math.imul(hash ^ (hash >>> 16), MIXERS[0]);
  mixed = Math.imul(mixed ^ (mixed >>> 13), MIXERS[1]);
  const step = (mixed ^ (mixed >>> 16)) | 1;
  return [hash, hash + step, hash + 2 * step].map((position) => (position >>> 0) % BITS);
}
