/**
 * How many messages of an account have which status, by the hour (UTC) in which they were accepted: what an overview counts, without a
 * look at a single message. A later change of status moves a message within its hour.
 */
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef, Partition } from '../../domain/kernel/ports.js';
import type { Status } from '../../domain/messages/status.js';
import type { View } from '../runtime/projection.js';
import type { MessageDoc } from './message-doc.js';

export const STATUS_COUNTERS = 'status_counters';

export type StatusCounts = Readonly<Partial<Record<Status, number>>>;

/** The messages that were accepted on one day (UTC), by one partition of the messages. */
export interface StatusCountersDoc extends Doc {
  readonly account_id: string;
  readonly day: string;
  /** By hour, `00` to `23`. */
  readonly hours: Readonly<Record<string, StatusCounts>>;
}

/** The tag of messages that belong to the sample data of an account. */
export const SAMPLE_TAG = 'sample';

/** What tells where a message is counted. */
export type CountedMessage = Pick<MessageDoc, 'account_id' | 'created_at' | 'tags' | 'test'>;

/** Whether an overview shows a message: those of test keys and of the sample data it does not. */
export const isInOverview = ({ tags, test }: Pick<MessageDoc, 'tags' | 'test'>): boolean => !test && !tags.includes(SAMPLE_TAG);

const dayOf = (createdAt: string): string => createdAt.slice(0, 'YYYY-MM-DD'.length);
const hourOf = (createdAt: string): string => createdAt.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH'.length);

const idOf = ({ account_id, created_at }: CountedMessage, { index, count }: Partition): string =>
  `${account_id}/${dayOf(created_at)}${count === 1 ? '' : `/${index}`}`;

/** The document that counts a message by its status; none for those that are not counted. */
export const statusCountersRefs = (of: CountedMessage, partition: Partition): DocumentRef[] =>
  isInOverview(of) ? [{ collection: STATUS_COUNTERS, id: idOf(of, partition) }] : [];

/** Counts a message under its status. `before`: the message as it was, if it is not new. */
export function countStatus(view: View, before: MessageDoc | undefined, after: MessageDoc): void {
  if (before?.status === after.status || !isInOverview(after)) return;
  const { account_id, created_at } = after;
  const id = idOf(after, view.partition);
  const hour = hourOf(created_at);
  const known = view.get<StatusCountersDoc>(STATUS_COUNTERS, id);
  const counts: Partial<Record<Status, number>> = { ...ownField(known?.hours ?? {}, hour) };
  counts[after.status] = (counts[after.status] ?? 0) + 1;
  if (before) {
    const left = (counts[before.status] ?? 0) - 1;
    if (left === 0) delete counts[before.status];
    else counts[before.status] = left;
  }
  const hours = { ...known?.hours, [hour]: counts };
  view.put(STATUS_COUNTERS, { id, account_id, day: dayOf(created_at), hours } satisfies StatusCountersDoc);
}
