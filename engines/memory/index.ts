import type { Clock, LogEngine, ViewEngine } from '../../domain/kernel/ports.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryKeyStore } from './key-store.js';
import { MemoryLeases } from './leases.js';
import { MemoryReadModels } from './read-models.js';

export { MemoryRateLimits } from './rate-limits.js';

/** A log that lives as long as the process, for tests and as the reference implementation of the port. */
export const openMemoryLog = (): LogEngine => ({ events: new MemoryEventStore(), keys: new MemoryKeyStore() });

/** Read models and leases that live as long as the process. Time limits and the expiry of leases go by the clock. */
export const openMemoryViews = ({ clock }: { readonly clock: Clock }): ViewEngine => ({
  views: new MemoryReadModels(clock),
  leases: new MemoryLeases(clock),
});
