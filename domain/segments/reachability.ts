/** Which channels reach a contact. */
import { type ChannelName, channels } from '../kernel/channels.js';

export type AddressKind = 'email' | 'phone';

/**
 * A channel reaches a contact that has an address of it, none of whose addresses is suppressed on it. A channel without addresses of
 * its own needs none, and any suppressed address counts; push needs a device.
 */
export function reaches(channel: ChannelName, has: (kind: AddressKind) => boolean, isSuppressed: (kind: AddressKind) => boolean): boolean {
  const { address } = channels[channel];
  if (address === 'contact') return channel === 'in_app' && !isSuppressed('email') && !isSuppressed('phone');
  return has(address) && !isSuppressed(address);
}
