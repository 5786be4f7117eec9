/** What commands ask of suppressions without reading the log. */
import { dependency } from '../dependency.js';

export interface SuppressionLookup {
  /** False only where the address certainly had no suppression a moment ago. */
  mightContain(addressKey: string): boolean;
}
export const suppressionLookup = dependency<SuppressionLookup>('suppression lookup', { fallback: { mightContain: () => true } });
