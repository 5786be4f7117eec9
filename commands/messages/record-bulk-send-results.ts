import { fold } from '../../domain/kernel/decider.js';
import { acceptanceOfItem, type SealedBatchItem } from '../../domain/messages/batch.js';
import { type AcceptedMessage, message, messageStream, type SealedMessageCommand, sealedMessage } from '../../domain/messages/message.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { type Context, internalCommand } from '../runtime/command.js';
import type { Starts } from './bulk-items.js';
import { peerKeysOf, recordCommandOf } from './record-send-result.js';

/** What became of a message of a batch, which begins its own stream. */
export interface BulkSendResult {
  readonly item: SealedBatchItem;
  /** Its address and its sender, where the carrier was called. */
  readonly parties?: Pick<AcceptedMessage, 'to' | 'from'>;
  /** Empty where the carrier was not called. */
  readonly starts: Starts;
  readonly carrier: string;
  /** The carrier's answer; 'unknown': it was called, and is not to be called again. */
  readonly result: SendResult | 'unknown' | 'canceled' | 'dropped';
}

/**
 * Records what became of messages of a batch, with one append a message. A message that has a record already keeps it. Returns
 * for each whether this is its record.
 */
export const recordBulkSendResults = internalCommand({
  name: 'RecordBulkHandOvers',

  async handle({ sendResults }: { readonly sendResults: readonly BulkSendResult[] }, context): Promise<readonly boolean[]> {
    const records = sendResults.map((sendResult) => {
      const accept = { type: 'Accept', acceptance: acceptanceOfItem(sendResult.item), now: context.now } as const;
      const past = [...sealedMessage.decide(accept, sealedMessage.initial), ...sendResult.starts];
      const before = fold(sealedMessage, past);
      const outcome = sealedMessage.decide(commandOf(sendResult, context), before);
      return { stream: messageStream(sendResult.item.id), events: [...past, ...outcome], state: fold(sealedMessage, outcome, before) };
    });
    const made = await context.appendParts(records.map(({ stream, events }) => ({ appends: [{ stream, expected: 'no-stream', events }] })));
    for (const [i, { stream, events, state }] of records.entries()) {
      // For the receipts that follow. Whoever takes the message once more loads it.
      if (made[i] && state.status === 'sent') context.cacheState(message, stream, { state, revision: events.length - 1, sealed: true });
    }
    return made;
  },
});

function commandOf(
  { item: { channel, test }, parties, carrier, result }: BulkSendResult,
  { now, addresses }: Pick<Context, 'now' | 'addresses'>,
): SealedMessageCommand {
  if (result === 'canceled') return { type: 'Cancel', now };
  if (result === 'dropped') return { type: 'Drop', now };
  if (result === 'unknown') return { type: 'RecordPermanentError', carrier, reason: 'unknown_outcome', code: null, error: null, now };
  return recordCommandOf(carrier, result, now, parties && peerKeysOf(addresses, { ...parties, channel, ...(test && { test }) }, carrier));
}
