import type { Carrier, OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { channelNames } from '../../domain/kernel/channels.js';
import type { SendResult } from '../../domain/messages/send-result.js';

type Send = (message: OutgoingMessage) => SendResult | undefined | Promise<SendResult | undefined>;

/** A carrier of all channels. What `send` gives no result for is accepted, under the id of the message with `c-` before it. */
export const carrierThat = (send: Send = () => undefined, changes: Partial<Pick<Carrier, 'name' | 'deduplicates' | 'own'>> = {}): Carrier => ({
  ...{ name: 'recorder', channels: channelNames, deduplicates: true },
  ...changes,
  send: async (message) => (await send(message)) ?? { outcome: 'accepted', carrier_message_id: `c-${message.message_id}` },
});
