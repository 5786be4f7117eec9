/** The port for randomness: random bytes, ids, jitter. */
export interface Entropy {
  /** This many random bytes, for the caller alone. Good enough for keys. */
  bytes(count: number): Uint8Array;
  /** A random UUID (version 4). */
  uuid(): string;
  /** A ULID of this time (milliseconds since 1970). Those of one instance increase with each call, also within one millisecond. */
  ulid(nowMs: number): string;
  /** A random number from 0 to below 1, for jitter. */
  fraction(): number;
}
