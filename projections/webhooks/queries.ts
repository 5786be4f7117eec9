import { ERASED } from '../../domain/kernel/erased.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { AttemptResource, DeliveryResource, EndpointDeliveryResource } from '../../domain/webhooks/resources.js';
import { loadWebhookUrl } from '../../log/aggregates/webhooks/deliveries.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type CountRange, countInRange, findInRange, type PageRange } from '../runtime/paging.js';
import { DELIVERIES, type DeliveryDoc, ENDPOINT_DELIVERIES, type EndpointDeliveryDoc, webhookDeliveries } from './projection.js';

/** A delivery, its cursor in lists, and the revision of its event in the message's stream. */
export interface FoundDelivery {
  readonly delivery: DeliveryResource;
  readonly cursor: string;
  readonly revision: number;
  /** Hash of the host that it is sent to. */
  readonly lane: string;
}

export type WebhookQueries = ReturnType<typeof webhookQueries>;

/** Queries over the deliveries. Unseals the response bodies, and the URLs, which only the log has. */
export function webhookQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<DeliveryDoc>(webhookDeliveries, DELIVERIES);
  const list = async (where: { message_id: string } | { account_id: string }, { after, descending, limit }: PageRange) => {
    const find = { where, order: { field: 'place', descending }, limit };
    return opened(log, await docs.find(after === null ? find : { ...find, range: { field: 'place', [descending ? 'lt' : 'gt']: after } }));
  };

  return {
    deliveriesOfMessage: (messageId: string, range: PageRange): Promise<FoundDelivery[]> => list({ message_id: messageId }, range),

    /** Null where the account's message has no such delivery. */
    async delivery(account: string, messageId: string, id: string): Promise<FoundDelivery | null> {
      const doc = await docs.get(id);
      if (doc?.account_id !== account || doc.message_id !== messageId) return null;
      return (await opened(log, [doc]))[0] ?? null;
    },
  };
}

async function opened(log: EventLog, docs: readonly DeliveryDoc[]): Promise<FoundDelivery[]> {
  const [attemptsOf, urls] = await Promise.all([openAttempts(log, docs), loadUrls(log, new Set(docs.map(({ message_id }) => message_id)))]);
  return docs.map((doc) => {
    const { id, message_id, event, event_id, lane, status, next_attempt_at, created_at, place, revision } = doc;
    const url = urls.get(message_id) ?? ERASED;
    const delivery = { id, message_id, event, event_id, url, status, next_attempt_at, created_at, attempts: attemptsOf(doc) };
    return { delivery, cursor: place, revision, lane };
  });
}

type WithAttempts = Pick<DeliveryDoc, 'attempts'>;

/** Opens the response bodies of all attempts with one call. Ask for the deliveries in their order. */
async function openAttempts(log: EventLog, docs: readonly WithAttempts[]): Promise<(doc: WithAttempts) => AttemptResource[]> {
  const boxes = docs.flatMap(({ attempts }) => attempts.flatMap(({ answer_box }) => answer_box ?? []));
  const texts = (await log.openBoxes(boxes, 'DeliverySucceeded')).values();
  const erased = log.erased('DeliverySucceeded');
  const answer = () => (texts.next().value ?? erased).response_body as string | null;
  return ({ attempts }) => attempts.map(({ answer_box, ...attempt }) => ({ ...attempt, response_body: answer_box === null ? null : answer() }));
}

export interface EndpointDeliveryFilter {
  readonly endpoint_id: string;
  readonly status?: string;
  readonly event?: string;
}

export type EndpointDeliveryQueries = ReturnType<typeof endpointDeliveryQueries>;

/** The deliveries to webhook endpoints, sorted by time. */
export function endpointDeliveryQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<EndpointDeliveryDoc>(webhookDeliveries, ENDPOINT_DELIVERIES);
  return {
    list: (where: EndpointDeliveryFilter, range: PageRange): Promise<EndpointDeliveryDoc[]> => docs.find(findInRange({ ...where }, range)),

    count: (where: EndpointDeliveryFilter, range: CountRange): Promise<number> => countInRange(docs, { ...where }, range),

    /** Null where the endpoint has no such delivery. */
    async find(endpointId: string, id: string): Promise<EndpointDeliveryDoc | null> {
      const doc = await docs.get(id);
      return doc?.endpoint_id === endpointId ? doc : null;
    },

    async show(found: readonly EndpointDeliveryDoc[]): Promise<EndpointDeliveryResource[]> {
      const attemptsOf = await openAttempts(log, found);
      return found.map((doc) => {
        const { id, endpoint_id, event, event_id, status, next_attempt_at, created_at } = doc;
        return { id, endpoint_id, event, event_id, status, next_attempt_at, created_at, attempts: attemptsOf(doc) };
      });
    },
  };
}

async function loadUrls(log: EventLog, messageIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const loaded = await Promise.all([...messageIds].map(async (id) => [id, await loadWebhookUrl(log, id)] as const));
  return new Map(loaded);
}
