/**
 * Division of work and of read models: each event, to-do and document has keys, each key belongs to one of a fixed number of
 * partitions, and each partition is worked on by one node at a time.
 */

import { type Checkpoint, isAfter } from './event-store.js';

/** The keys that an event concerns; 'all' where each partition must see it and takes its own part. */
export type PartitionKeys = readonly string[] | 'all';

/** One of `count` partitions. */
export interface Partition {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Whether a key belongs to it. Exactly one partition owns a key. */
  readonly owns: (key: string) => boolean;
}

/** The only partition where nothing is divided. */
export const UNDIVIDED: Partition = { index: 0, count: 1, owns: () => true };

export const partitionAt = (index: number, count: number): Partition =>
  count === 1 ? UNDIVIDED : { index, count, owns: (key) => partitionIndexOf(key, count) === index };

/** Whether an event with these keys concerns the partition. */
export const concerns = ({ owns }: Partition, keys: PartitionKeys): boolean => keys === 'all' || keys.some(owns);

/**
 * The partition of a key, from 0. It is stored in what is divided, so it never changes: FNV-1a of the key's UTF-16 units, low
 * byte first, in 32 bits, with the finalizer of MurmurHash3, modulo `count`.
 */
export function partitionIndexOf(key: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}

/** Throws where there is none. */
export const lowestOf = (checkpoints: readonly Checkpoint[]): Checkpoint => checkpoints.reduce((low, next) => (isAfter(low, next) ? next : low));
export const highestOf = (checkpoints: readonly Checkpoint[]): Checkpoint => checkpoints.reduce((high, next) => (isAfter(next, high) ? next : high));

/** Whether a generation with these checkpoints can replace another one without going back anywhere. */
export function hasReached(own: readonly Checkpoint[], other: readonly Checkpoint[]): boolean {
  if (own.length === other.length) return own.every((checkpoint, i) => !isAfter(other[i] as Checkpoint, checkpoint));
  return !isAfter(highestOf(other), lowestOf(own));
}
