/** Lookups in memory that spare commands a read of the log. They may lack what another process appended a moment ago. */
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { dependency } from './dependency.js';

export interface StreamLookup {
  /** False only where the key certainly had no stream a moment ago. */
  mightContain(key: string): boolean;
  /** Waits until the lookup has all of the log up to a position; false where it has not after so many milliseconds. */
  waitUntilReached?(position: Checkpoint, ms: number): Promise<boolean>;
}

/** The keys of addresses and unique fields that may have a contact. */
export type ContactKeyLookup = StreamLookup;
export const contactKeyLookup = dependency<ContactKeyLookup>('contact key lookup', { fallback: { mightContain: () => true } });

/** The addresses that may be suppressed. */
export type SuppressionLookup = StreamLookup;
export const suppressionLookup = dependency<SuppressionLookup>('suppression lookup', { fallback: { mightContain: () => true } });
