import { randomFillSync } from 'node:crypto';

/**
 * Random bytes of the system, drawn many at a time: one draw takes microseconds, however small, and each send needs
 * several. No byte is ever given out twice; a pool that is used up is left to its holders and a new one is drawn.
 */
const POOL_BYTES = 16_384;
let pool = Buffer.alloc(0);
let taken = 0;

/** As many random bytes, for the caller alone. */
export function randomOf(bytes: number): Buffer {
  if (taken + bytes > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(bytes, POOL_BYTES)));
    taken = 0;
  }
  taken += bytes;
  return pool.subarray(taken - bytes, taken);
}

/** A random number from 0 to below 1 in steps of 1/256. */
export function randomFraction(): number {
  if (taken === pool.length) return (randomOf(1)[0] as number) / 256;
  return (pool[taken++] as number) / 256;
}
