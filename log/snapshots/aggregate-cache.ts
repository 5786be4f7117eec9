import { LRUCache } from 'lru-cache';
import type { GrowingMap } from '../../domain/kernel/growing-map.js';
import { bytesOf } from '../vault/sealed-field.js';

/** A state folded from the beginning of a stream up to a revision, with personal fields sealed. */
export interface CachedAggregate {
  readonly state: unknown;
  readonly revision: number;
  /** Account of the stream's first event. */
  readonly account: string;
  /** Of an aggregate: by idempotency key, shortened, the revision of the last event that was appended with it. */
  readonly runs?: GrowingMap<number>;
  /** Revision of the last snapshot, if there is one. */
  readonly savedAt?: number;
}

/** Streams below this number of events are read whole: that is as fast, and keeps the cache for those that need it. */
const MIN_EVENTS = 32;
export const AGGREGATE_CACHE_BYTES = 16 * 2 ** 20;

/**
 * LRU cache of the states of long streams, bounded by bytes. A stream only grows, so an entry is never wrong, only old: a load
 * reads the events after it. Personal fields are opened again by each load, so that an erasure counts at once.
 */
export class AggregateCache {
  readonly #states: LRUCache<string, CachedAggregate>;

  constructor(maxBytes: number = AGGREGATE_CACHE_BYTES) {
    this.#states = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ state, runs }) => bytesOf(state) + bytesOf(runs) });
  }

  get(fold: string, stream: string): CachedAggregate | undefined {
    return this.#states.get(`${fold}/${stream}`);
  }

  /** `isShort`: also of a stream that is read whole as fast. */
  set(fold: string, stream: string, recent: CachedAggregate, isShort = false): void {
    if (!isShort && recent.revision + 1 < MIN_EVENTS) return;
    const key = `${fold}/${stream}`;
    const known = this.#states.peek(key);
    if (!known || known.revision < recent.revision) this.#states.set(key, recent);
  }
}
