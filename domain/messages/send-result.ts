import type { DeviceResult } from './push-outcomes.js';
import type { StatusReason } from './status.js';

/**
 * The answer of a carrier. A transient error is retried later, a permanent one is not. `misconfigured`: it takes no message until
 * somebody corrects the settings. Errors are texts of our own: those of carriers may name a person.
 */
export type SendResult = Answer & {
  /** Of a push message: what became of it on each device. */
  readonly devices?: readonly DeviceResult[];
};
type Answer =
  | { readonly outcome: 'accepted'; readonly carrier_message_id: string }
  | { readonly outcome: 'transient_error'; readonly code: string | null; readonly error: string }
  | { readonly outcome: 'permanent_error'; readonly reason: StatusReason; readonly code: string | null; readonly error: string }
  | { readonly outcome: 'misconfigured'; readonly code: string | null; readonly error: string };
