/** Which channels reach a contact. */
import { type ChannelName, channels } from '../kernel/channels.js';

export type AddressKind = 'email' | 'phone';

/** What a contact has an address as: its email, its phone, and its phone in the other spelling of the same number. */
export const addressSlots = ['email', 'phone', 'phone_spelling'] as const;
export type AddressSlot = (typeof addressSlots)[number];

/** The slots that hold the keys of one address. */
export const slotsOf: Readonly<Record<AddressKind, readonly AddressSlot[]>> = { email: ['email'], phone: ['phone', 'phone_spelling'] };

/**
 * A channel reaches a contact that has an address of it, none of whose addresses is suppressed on it. A channel without addresses of
 * its own needs none, and any suppressed address counts; push needs a device.
 */
export function reaches(channel: ChannelName, has: (kind: AddressKind) => boolean, isSuppressed: (kind: AddressKind) => boolean): boolean {
  const { address } = channels[channel];
  if (address === 'contact') return channel === 'in_app' && !isSuppressed('email') && !isSuppressed('phone');
  return has(address) && !isSuppressed(address);
}
