/** The newest answers of people, and the newest messages that did not arrive. */
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { Status } from '../../domain/messages/status.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type InboundDoc, inboundMessages } from '../messages/inbound-projection.js';
import { type InboundRecord, inboundQueries } from '../messages/inbound-queries.js';
import { type StoredMessage, wholeMessage } from '../messages/message-doc.js';
import { messages } from '../messages/projection.js';
import { MessageQueries, type MessageRecord } from '../messages/queries.js';
import { isInOverview } from '../messages/status-counters.js';

/** Of each list. */
export const LATEST = 10;
/** Rows of a page that is searched, and how many pages: what is hidden takes no more time than this. */
const SEARCHED = 50;
const ROUNDS = 10;

const FAILED = ['failed', 'undelivered', 'bounced', 'expired'] as const satisfies readonly Status[];
export type FailedStatus = (typeof FAILED)[number];
export const failedStatuses: readonly FailedStatus[] = FAILED;

/** Up to ten rows that are shown, of pages that `next` reads; null for the first one. */
async function firstShown<Row>(
  next: (after: string | null) => Promise<readonly Row[]>,
  cursorOf: (row: Row) => string,
  shown: (rows: readonly Row[]) => Promise<readonly Row[]> | readonly Row[],
): Promise<Row[]> {
  const found: Row[] = [];
  let after: string | null = null;
  for (let round = 0; round < ROUNDS && found.length < LATEST; round++) {
    const rows: readonly Row[] = await next(after);
    found.push(...(await shown(rows)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < SEARCHED) break;
    after = cursorOf(last);
  }
  return found.slice(0, LATEST);
}

/** Texts and emails of people, without those of programs and without answers to sample data. Newest first. */
export async function latestReplies(log: EventLog, views: ReadModels, account: string): Promise<InboundRecord[]> {
  const inbound = inboundQueries({ log, views });
  const sent = views.docs<StoredMessage>(messages, 'messages');
  const shown = async (rows: readonly InboundDoc[]): Promise<InboundDoc[]> => {
    const people = rows.filter(({ automatic }) => !automatic);
    const answered = await sent.getMany(people.map(({ message_id }) => message_id ?? ''));
    return people.filter((_, i) => {
      const message = answered[i];
      return !message || isInOverview(wholeMessage(message));
    });
  };
  const page = (after: string | null) => inbound.page({ account, after, descending: true, limit: SEARCHED });
  return inbound.show(await firstShown(page, ({ sort }) => sort, shown));
}

/** Messages that did not arrive, in the order in which that became known, newest first. Those of test keys and of sample data are left out. */
export async function latestFailures(log: EventLog, views: ReadModels, account: string): Promise<MessageRecord[]> {
  const history = new MessageQueries(views, log);
  const found = await Promise.all(
    FAILED.map((status) =>
      firstShown(
        (after) => history.page(account, { where: { status }, after, descending: true, take: SEARCHED }),
        ({ seq }) => seq,
        (rows) => rows.filter(isInOverview),
      ),
    ),
  );
  const failedAt = ({ failed_at, created_at }: (typeof found)[number][number]): string => failed_at ?? created_at;
  const latest = found.flat().sort((a, b) => (failedAt(a) < failedAt(b) ? 1 : -1));
  return history.show(latest.slice(0, LATEST));
}

/** The read models that these queries ask. */
export const latestReadModels = [messages.name, inboundMessages.name] as const;
