/** What the commands of contacts need from outside. */
import { dependency } from '../dependency.js';

/** Which addresses and unique fields may have a contact. */
export interface ContactKeyLookup {
  /** False only where the key certainly had no contact a moment ago. */
  mightContain(key: string): boolean;
}
export const contactKeyLookup = dependency<ContactKeyLookup>('contact key lookup', { fallback: { mightContain: () => true } });
