import { named, oneOf } from './schema.js';

/**
 * The channels a message can take. A registry: everything that lists channels reads it.
 */
export interface Channel {
  /** What `to` is. A contact is addressed by id, email or phone, and reached on its devices or in its inbox. */
  readonly address: 'phone' | 'email' | 'contact';
  /** Longest text in characters; for email the longest body in bytes. */
  readonly maxLength: number;
  /** Whether the text is cut into message parts and billed by them. */
  readonly segmented: boolean;
  /** Whether a message needs a subject. */
  readonly subject: boolean;
}

export const channels = {
  sms: { address: 'phone', maxLength: 1_600, segmented: true, subject: false },
  email: { address: 'email', maxLength: 1_048_576, segmented: false, subject: true },
  whatsapp: { address: 'phone', maxLength: 4_096, segmented: false, subject: false },
  rcs: { address: 'phone', maxLength: 1_600, segmented: false, subject: false },
  push: { address: 'contact', maxLength: 2_048, segmented: false, subject: false },
  in_app: { address: 'contact', maxLength: 10_000, segmented: false, subject: false },
} as const satisfies Record<string, Channel>;

export type ChannelName = keyof typeof channels;
export const channelNames = Object.keys(channels) as ChannelName[];
export const channelSchema = named('Channel', oneOf(...channelNames));
/** Whether an address of a kind is one that a channel, or `all` channels, can reach. */
export const takesAddress = (channel: ChannelName | 'all', kind: 'email' | 'phone'): boolean =>
  channel === 'all' || channels[channel].address === kind || channels[channel].address === 'contact';
export const isChannel = (name: string): name is ChannelName => Object.hasOwn(channels, name);
