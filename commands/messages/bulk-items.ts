import { acceptanceOfItem, type SealedBatchItem } from '../../domain/messages/batch.js';
import type { Acceptance, MessageEvent } from '../../domain/messages/message.js';

/** The acceptance of an item as it is stored: its events have the same box as the batch, so nothing is encrypted again. */
export const sealedAcceptance = (item: SealedBatchItem): Acceptance => acceptanceOfItem(item as never);

/** The hand-overs of a message that the stream of its batch has, as events of its own stream. */
export type Starts = readonly Extract<MessageEvent, { type: 'MessageDispatchStarted' }>[];
