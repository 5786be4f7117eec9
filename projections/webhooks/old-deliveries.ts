import { ownField } from '../../domain/kernel/own-fields.js';
import type { Checkpoint, Doc, Docs, ReadModels } from '../../domain/kernel/ports.js';
import { DELIVERIES, type DeliveryDoc, ENDPOINT_DELIVERIES, type EndpointDeliveryDoc, webhookDeliveries } from './projection.js';

/** Deliveries whose last attempt, or else their beginning, is before a time. */
export interface OldDeliveries {
  readonly deliveries: readonly string[];
  readonly endpoint_deliveries: readonly string[];
  /** Whether there may be more. */
  readonly more: boolean;
  /** When something last happened to the one that has waited longest of those that stay: RFC 3339; null where none stays. */
  readonly oldest: string | null;
}

/** Deliveries of a batch, of each kind. */
const MAX_DELIVERIES = 500;
const PAGE = 200;
/** A delivery has up to fifty answers of 16 kB. */
const PAGE_BYTES = 2_097_152;
const CATCH_UP_MS = 2_000;

type StoredDelivery = Pick<DeliveryDoc, 'created_at' | 'attempts'> & Doc & { readonly status: string };

/** `after`: what the read model must have reached, or null is returned. Deliveries with attempts to come are never old. */
export function oldDeliveries(views: ReadModels) {
  const ofMessages = views.docs<DeliveryDoc>(webhookDeliveries, DELIVERIES);
  const ofEndpoints = views.docs<EndpointDeliveryDoc>(webhookDeliveries, ENDPOINT_DELIVERIES);
  return async (account: string, before: string, after: Checkpoint): Promise<OldDeliveries | null> => {
    if (after !== 'start' && !(await views.waitUntilReached(webhookDeliveries, after, CATCH_UP_MS))) return null;
    const [messages, endpoints] = await Promise.all([oldOnes(ofMessages, 'place', account, before), oldOnes(ofEndpoints, 'sort', account, before)]);
    const oldest = [messages.oldest, endpoints.oldest].filter((time) => time !== null).sort()[0] ?? null;
    return { deliveries: messages.ids, endpoint_deliveries: endpoints.ids, more: messages.more || endpoints.more, oldest };
  };
}

interface OldDeliveryIds {
  readonly ids: string[];
  oldest: string | null;
  more: boolean;
}

/** In the order in which they began, up to the first one that began at that time. */
async function oldOnes<D extends StoredDelivery>(docs: Docs<D>, field: string, account: string, before: string): Promise<OldDeliveryIds> {
  const found: OldDeliveryIds = { ids: [], oldest: null, more: false };
  for (let last: string | null = null; ; ) {
    const range = last === null ? {} : { range: { field, gt: last } };
    const page = await docs.findPage({ where: { account_id: account }, order: { field }, limit: PAGE, ...range }, PAGE_BYTES);
    if (page.docs.some((doc) => isLast(doc, before, found)) || (page.docs.length < PAGE && !page.cut)) return found;
    last = String(ownField(page.docs.at(-1), field));
  }
}

/** Adds a delivery to what was found. True where no further one is asked for. */
function isLast({ id, status, created_at, attempts }: StoredDelivery, before: string, found: OldDeliveryIds): boolean {
  const latest = attempts.at(-1)?.at ?? created_at;
  if (status !== 'pending' && latest < before) found.more = found.ids.push(id) === MAX_DELIVERIES;
  else if (found.oldest === null || latest < found.oldest) found.oldest = latest;
  return found.more || created_at >= before;
}
