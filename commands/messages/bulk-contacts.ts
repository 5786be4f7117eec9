import { batchStream, type SealedBatchEvent } from '../../domain/messages/batch.js';
import { derivedId, hashId } from '../../log/runtime/ids.js';
import type { Context } from '../runtime/command.js';
import { findRecipients, isToContact, type NamedRecipients } from './recipient-contacts.js';
import type { MessageRequest } from './request.js';

/** A message of a bulk, with its index in the request. */
interface RequestedItem {
  readonly index: number;
  readonly request: MessageRequest;
}

/** The id of an item without an idempotency key of its own. */
export const idInBatch = (batchId: string, index: number): string => derivedId('msg', batchId, index);

/** The id of a message of a bulk. One with an idempotency key has the same id in every bulk. */
export const bulkItemId = (batchId: string, index: number, { idempotency_key: key }: MessageRequest, { cause }: Context): string =>
  key === undefined ? idInBatch(batchId, index) : hashId('msg', cause.account, 'item', key);

/**
 * The contacts that items name, by the position of an item. An item that an earlier run has stored keeps its contact, and one that it has
 * refused stays refused, whatever became of the contact since.
 */
export async function namedContacts(batchId: string, requested: readonly RequestedItem[], context: Context): Promise<NamedRecipients> {
  const requests = requested.map(({ request }) => request);
  const named = requests.some((request) => request.contact_id !== undefined || isToContact(request));
  return findRecipients(requests, context, named ? await acceptedEarlier(batchId, requested, context) : undefined);
}

/**
 * Whether an earlier run under the same idempotency key has accepted the item at a position: true if it has, false if it has refused it,
 * undefined if it has not come so far.
 */
export async function acceptedEarlier(
  batchId: string,
  requested: readonly RequestedItem[],
  context: Context,
): Promise<(nth: number) => boolean | undefined> {
  if (context.cause.key === undefined) return () => undefined;
  const past = ((await context.log.readSealed(batchStream(batchId))) ?? []).map(({ event }) => event as SealedBatchEvent);
  const stored = past.flatMap((event) => (event.type === 'BulkChunkAccepted' ? event.data.items : []));
  const ids = new Set(stored.map(({ id }) => id));
  const isWhole = past.some(({ type }) => type === 'BulkAccepted');
  const upTo = isWhole ? Number.POSITIVE_INFINITY : (stored.at(-1)?.batch_index ?? -1);
  return (nth) => {
    const { index, request } = requested[nth] as RequestedItem;
    return index <= upTo ? ids.has(bulkItemId(batchId, index, request, context)) : undefined;
  };
}
