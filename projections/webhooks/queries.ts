import type { ReadModels } from '../../domain/kernel/ports.js';
import type { AttemptResource, DeliveryResource } from '../../domain/webhooks/resources.js';
import type { EventLog } from '../../log/event-log.js';
import type { PageRange } from '../paging.js';
import { DELIVERIES, type DeliveryDoc, webhookDeliveries } from './projection.js';

/** A delivery, its cursor in lists, and the revision of its event in the message's stream. */
export interface FoundDelivery {
  readonly delivery: DeliveryResource;
  readonly cursor: string;
  readonly revision: number;
}

export type WebhookQueries = ReturnType<typeof webhookQueries>;

/** Queries over the deliveries. Unseals the response bodies. */
export function webhookQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<DeliveryDoc>(webhookDeliveries, DELIVERIES);
  const list = async (where: { message_id: string } | { account_id: string }, { after, descending, limit }: PageRange) => {
    const find = { where, order: { field: 'place', descending }, limit };
    return opened(log, await docs.find(after === null ? find : { ...find, range: { field: 'place', [descending ? 'lt' : 'gt']: after } }));
  };

  return {
    deliveriesOfMessage: (messageId: string, range: PageRange): Promise<FoundDelivery[]> => list({ message_id: messageId }, range),

    deliveriesOfAccount: (account: string, range: PageRange): Promise<FoundDelivery[]> => list({ account_id: account }, range),

    /** Null where the account's message has no such delivery. */
    async delivery(account: string, messageId: string, id: string): Promise<FoundDelivery | null> {
      const doc = await docs.get(id);
      if (doc?.account_id !== account || doc.message_id !== messageId) return null;
      return (await opened(log, [doc]))[0] ?? null;
    },
  };
}

async function opened(log: EventLog, docs: readonly DeliveryDoc[]): Promise<FoundDelivery[]> {
  const boxes = docs.flatMap(({ attempts }) => attempts.flatMap(({ answer_box }) => answer_box ?? []));
  const answers = (await log.openBoxes(boxes)).values();
  const erased = log.erased('DeliverySucceeded');
  const answer = () => (answers.next().value ?? erased).response_body as string | null;
  return docs.map(({ id, message_id, event, event_id, url, status, next_attempt_at, created_at, attempts, place, revision }) => {
    const shown = attempts.map(
      ({ answer_box, ...attempt }): AttemptResource => ({ ...attempt, response_body: answer_box === null ? null : answer() }),
    );
    return { delivery: { id, message_id, event, event_id, url, status, next_attempt_at, created_at, attempts: shown }, cursor: place, revision };
  });
}
