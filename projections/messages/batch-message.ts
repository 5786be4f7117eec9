/** Messages of a batch that have no stream of their own yet: what the stream of their batch says of them. */
import { acceptanceOfItem } from '../../domain/messages/batch.js';
import { startsOf } from '../../domain/messages/batch-dispatch.js';
import { type MessageEvent, message } from '../../domain/messages/message.js';
import { type FoundItem, findBatchItem, loadBatchDispatch, openItems } from '../../log/aggregates/messages/load-batch.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { MessageDoc } from './message-doc.js';

type Starts = ReturnType<typeof startsOf>;

/** The index of a message in the request of its batch. */
export const batchIndexOf = ({ seq }: Pick<MessageDoc, 'seq'>): number => Number(seq.slice(seq.lastIndexOf('/') + 1));

/** The events with which the stream of the message will begin: its acceptance, and the start of its dispatch. */
export async function eventsInBatch(doc: MessageDoc, log: EventLog): Promise<LogEvent<MessageEvent>[]> {
  const found = await find(doc, log);
  if (!found) return [];
  const [item] = await openItems(log, [found.item]);
  if (!item) return [];
  const acceptance = acceptanceOfItem(item);
  const events = [...message.decide({ type: 'Accept', acceptance, now: acceptance.accepted.created_at }, message.initial), ...found.starts];
  return events.map((event, revision) => ({ ...found.chunk, event, revision }));
}

/** The document with the status 'sending' while the message is being dispatched for the first time. */
export async function withDispatch(doc: MessageDoc, log: EventLog): Promise<MessageDoc> {
  if (doc.status !== 'queued' || doc.attempts > 0) return doc;
  const last = (await find(doc, log))?.starts.at(-1);
  if (!last) return doc;
  const { attempt, carrier } = last.data;
  return { ...doc, status: 'sending', attempts: attempt, carrier: { name: carrier, message_id: null, code: null } };
}

async function find(doc: MessageDoc, log: EventLog): Promise<(FoundItem & { readonly starts: Starts }) | null> {
  const dispatch = doc.batch_id === null ? null : await loadBatchDispatch(log, doc.batch_id);
  const found = dispatch && (await findBatchItem(log, dispatch.batch, doc.id, batchIndexOf(doc)));
  if (!found) return null;
  const ranges = dispatch.state.ranges.filter(({ chunk }) => chunk === found.chunk.event.data.chunk);
  return { ...found, starts: found.isAlone ? [] : startsOf(ranges, found.index) };
}
