import type { Clock, LogEngine, ViewEngine } from '../../domain/kernel/ports.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryKeyStore } from './key-store.js';
import { MemoryLeases } from './leases.js';
import { MemoryReadModels } from './read-models.js';

/** A log that lives as long as the process, for tests and as the reference implementation of the port. */
export const openMemoryLog = (): LogEngine => ({ events: new MemoryEventStore(), keys: new MemoryKeyStore() });

/** Read models and leases that live as long as the process. The clock rules when leases end. */
export const openMemoryViews = ({ clock = { now: Date.now } }: { readonly clock?: Pick<Clock, 'now'> } = {}): ViewEngine => ({
  views: new MemoryReadModels(),
  leases: new MemoryLeases(clock),
});
