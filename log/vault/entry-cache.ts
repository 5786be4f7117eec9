import { LRUCache } from 'lru-cache';

/**
 * An LRU cache of at most this many entries. Unlike one with lru-cache's `max`, it allocates nothing for entries that it does not
 * have: with `max` a cache for 100,000 entries takes 1.7 MB and 25 ms at its creation.
 */
export const entryCache = <K extends {}, V extends {}>(
  entries: number,
  options: Pick<LRUCache.OptionsBase<K, V, unknown>, 'dispose'> = {},
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: entries, sizeCalculation: () => 1, ...options });
