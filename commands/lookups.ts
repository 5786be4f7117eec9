/** Lookups in memory that spare commands a read of the log. They may lack what another process appended a moment ago. */
import { dependency } from './dependency.js';

/** The keys of addresses and unique fields that may have a contact. */
export interface ContactKeyLookup {
  /** False only where the key certainly had no contact a moment ago. */
  mightContain(key: string): boolean;
}
export const contactKeyLookup = dependency<ContactKeyLookup>('contact key lookup', { fallback: { mightContain: () => true } });

/** The addresses that may be suppressed. */
export interface SuppressionLookup {
  /** False only where the address certainly had no suppression a moment ago. */
  mightContain(addressKey: string): boolean;
}
export const suppressionLookup = dependency<SuppressionLookup>('suppression lookup', { fallback: { mightContain: () => true } });
