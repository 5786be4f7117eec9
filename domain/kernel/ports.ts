/**
 * The ports: what the application needs from outside. Engines and `ops/` implement them; nothing here names a database.
 * One contract suite (`test/contract`) runs over every engine.
 */
export * from './clock.js';
export * from './engines.js';
export * from './entropy.js';
export * from './event-store.js';
export * from './keys.js';
export * from './leases.js';
export * from './partitions.js';
export * from './rate-limits.js';
export * from './read-models.js';
export * from './shared-rates.js';
export * from './snapshots.js';
