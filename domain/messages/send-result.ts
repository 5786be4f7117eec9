import type { DeviceResult } from './push-outcomes.js';
import type { StatusReason } from './status.js';

/**
 * Why a carrier has a recipient on a list of its own, to whom it sends nothing more: the person wants no messages, or has complained, or
 * the address does not exist.
 */
export const carrierListings = ['opted_out', 'complained', 'bounced'] as const;
export type CarrierListing = (typeof carrierListings)[number];

/**
 * The answer of a carrier. A transient error is retried later, a permanent one is not. `misconfigured`: it takes no message until
 * somebody corrects the settings. Errors are texts of our own: those of carriers may name a person.
 */
export type SendResult = Answer & {
  /** Of a push message: what became of it on each device. */
  readonly devices?: readonly DeviceResult[];
  /** The table of the carrier does not have the code. */
  readonly unknown_code?: true;
};
type Answer =
  | { readonly outcome: 'accepted'; readonly carrier_message_id: string }
  | { readonly outcome: 'transient_error'; readonly code: string | null; readonly error: string }
  | {
      readonly outcome: 'permanent_error';
      readonly reason: StatusReason;
      readonly listed_as?: CarrierListing;
      readonly code: string | null;
      readonly error: string;
    }
  | { readonly outcome: 'misconfigured'; readonly code: string | null; readonly error: string };
