import { ERASED } from '../../domain/kernel/erased.js';
import type { PeerKeys } from '../../domain/messages/dispatch-events.js';
import { type AcceptedMessage, type Message, message, messageStream, type SealedMessageCommand } from '../../domain/messages/message.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { isKeywordChannel } from '../../domain/suppressions/inbound-text.js';
import { peerKey, senderKey } from '../../log/vault/address-keys.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import { internalCommand } from '../runtime/command.js';

export interface SendRecord {
  readonly id: string;
  readonly carrier: string;
  /** The carrier's answer (see the carrier port). */
  readonly result: SendResult;
  /** State and revision after the message was taken; saves a load. */
  readonly known: { readonly state: Message; readonly revision: number };
}

/** Records the carrier's answer. */
export const recordSendResult = internalCommand({
  name: 'RecordHandOver',

  async handle({ id, carrier, result, known }: SendRecord, context): Promise<void> {
    const accepted = known.state.status === 'new' ? undefined : known.state.accepted;
    const command = recordCommandOf(carrier, result, context.now, accepted && peerKeysOf(context.addresses, accepted, carrier));
    await context.decide(message, messageStream(id), command, { cached: true, loaded: known });
  },
});

/** Of a recipient that can answer, and of the sender whom a text is from. Nobody answers a message of a test key. */
export function peerKeysOf(
  addresses: AddressKeys,
  { to, channel, from, test }: Pick<AcceptedMessage, 'to' | 'channel' | 'from' | 'test'>,
  carrier: string,
): PeerKeys {
  const isText = isKeywordChannel(channel);
  return {
    ...(to !== ERASED && (channel === 'email' || isText) && { peer_key: peerKey(addresses, to) }),
    ...(isText && !test && from !== ERASED && { sender_key: senderKey(addresses, from, carrier) }),
  };
}

type RecordCommand = Extract<SealedMessageCommand, { type: `Record${string}`; carrier: string }>;

/** The command that records an answer of a carrier. */
export function recordCommandOf(carrier: string, result: SendResult, now: string, keys?: PeerKeys): RecordCommand {
  const devices = result.devices && { devices: result.devices };
  switch (result.outcome) {
    case 'accepted':
      return { type: 'RecordAcceptedByCarrier', carrier, carrier_message_id: result.carrier_message_id, ...keys, now, ...devices };
    case 'transient_error':
      return { type: 'RecordTransientError', carrier, code: result.code, error: result.error, now, ...devices };
    case 'misconfigured':
      return { type: 'RecordMisconfigured', carrier, code: result.code, error: result.error, now, ...devices };
    case 'permanent_error': {
      const { reason, listed_as, code, error } = result;
      return { type: 'RecordPermanentError', carrier, reason, code, error, now, ...devices, ...(listed_as && { listed_as }) };
    }
    default:
      return result satisfies never;
  }
}
