import type { EventStore } from './event-store.js';
import type { KeyStore } from './keys.js';
import type { Leases } from './leases.js';
import type { ReadModels } from './read-models.js';
import type { Snapshots } from './snapshots.js';

/** What a storage engine provides. The log and the read models may use different engines. */
export interface LogEngine {
  readonly events: EventStore;
  readonly keys: KeyStore;
}
/** For checks of whether a store takes writes. */
export interface TryWrites {
  /** Writes something that changes nothing. Throws where the store takes no writes. */
  tryWrite(): Promise<void>;
}
export interface ViewEngine {
  readonly views: ReadModels;
  readonly leases: Leases;
  readonly snapshots: Snapshots;
}
