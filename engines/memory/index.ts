import type { Clock, LogEngine, ViewEngine } from '../../domain/kernel/ports.js';
import { MemoryAggregateSnapshots } from './aggregate-snapshots.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryKeyStore } from './key-store.js';
import { MemoryLeases } from './leases.js';
import { MemoryReadModels } from './read-models.js';

export { MemoryRateLimits } from './rate-limits.js';

/** A log that lives as long as the process, for tests and as the reference implementation of the port. */
export const openMemoryLog = (): LogEngine => ({ events: new MemoryEventStore(), keys: new MemoryKeyStore() });

/** Read models and leases that live as long as the process. Time limits and the expiry of leases go by the clock. One partition without a number. */
export const openMemoryViews = ({ clock, partitions }: { readonly clock: Clock; readonly partitions?: number }): ViewEngine => ({
  views: new MemoryReadModels(clock, partitions),
  leases: new MemoryLeases(clock),
  snapshots: new MemoryAggregateSnapshots(),
});
