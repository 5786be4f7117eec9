import { randomFillSync, randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Entropy } from '../../domain/kernel/entropy.js';

/** One call of the system's generator takes microseconds, however few bytes it gives, and each send needs several. */
const POOL_BYTES = 16_384;
const FRACTION_BYTES = 4;

/** Hands out the system's random bytes from a pool. No byte is given out twice: a used pool is left to its holders. */
class RandomPool {
  #pool = Buffer.alloc(0);
  #used = 0;

  bytes(count: number): Buffer {
    if (this.#used + count > this.#pool.length) {
      this.#pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(count, POOL_BYTES)));
      this.#used = 0;
    }
    this.#used += count;
    return this.#pool.subarray(this.#used - count, this.#used);
  }

  byte(): number {
    if (this.#used === this.#pool.length) return this.bytes(1)[0] as number;
    return this.#pool[this.#used++] as number;
  }
}

/** The system's generator of random numbers. Ids of one instance increase, so a process has one. */
export function createEntropy(): Entropy {
  const pool = new RandomPool();
  // A character of a ULID takes 5 bits; without the pool the library calls the system sixteen times per id.
  const ulid = monotonicFactory(() => pool.byte() / 256);
  return {
    bytes: (count) => pool.bytes(count),
    uuid: () => randomUUID(),
    ulid,
    fraction: () => pool.bytes(FRACTION_BYTES).readUInt32LE() / 2 ** 32,
  };
}

export const systemEntropy: Entropy = createEntropy();
