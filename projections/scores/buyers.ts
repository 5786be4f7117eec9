import { membersOf } from '../../domain/contacts/contact-tree.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { BuyerHistory } from '../../domain/scores/score-contact.js';
import { dayOfTime } from '../../domain/scores/score-contact.js';
import type { PurchaseSource } from '../../domain/scores/score-model.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { contactQueries } from '../contacts/queries.js';
import { type CustomEventDoc, customEvents } from '../events/projection.js';
import { type CustomEventQueries, customEventQueries } from '../events/queries.js';

/** A contact with purchases: the root of a merge, with the purchases of all its parts. */
export interface StoredBuyer {
  readonly contact_id: string;
  readonly history: BuyerHistory;
}

export interface BuyerPage {
  readonly buyers: readonly StoredBuyer[];
  /** Null after the last page. */
  readonly next: string | null;
}

/** Purchases of a page. */
const PAGE = 100;
const CONTACT_PAGE = 500;

/**
 * The purchases of contacts, from the read model of custom events: which of them are purchases is a setting, which may change at any
 * time. Amounts stay sealed there, so those of an erased contact cannot be opened and do not count.
 */
export function buyerQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<CustomEventDoc>(customEvents, 'events');
  const contacts = contactQueries({ log, views });
  const events = customEventQueries({ log, views });

  async function historiesOf(groups: readonly (readonly CustomEventDoc[])[], source: PurchaseSource): Promise<BuyerHistory[]> {
    const opened = (await log.openBoxes(groups.flat().map(({ sealed }) => sealed))).values();
    return groups.map((group) => {
      const rows = group.map(({ occurred_at }) => ({ occurred_at, properties: opened.next().value?.properties as Properties }));
      return historyOf(rows, source);
    });
  }

  /** All purchases of some contacts together, up to `until` (RFC 3339) by the time of their record. */
  async function purchasesOf(account: string, contact_ids: readonly string[], source: PurchaseSource, until?: string): Promise<BuyerHistory> {
    const found = await eventsOf(events, account, contact_ids, source);
    const known = until === undefined ? found : found.filter(({ accepted_at }) => accepted_at <= until);
    return (await historiesOf([known], source))[0] as BuyerHistory;
  }

  /** A page of the buyers of an account, in the order of their ids. A contact that is merged comes with any of its parts, or several. */
  async function page(account: string, source: PurchaseSource, after: string | null): Promise<BuyerPage> {
    const found = await docs.find({
      where: { account, event: source.event },
      ...(after !== null && { range: { field: 'contact_id', gt: after } }),
      order: { field: 'contact_id' },
      limit: PAGE,
    });
    const grouped = groupedByContact(found);
    const ids = [...grouped.keys()];
    const isFull = found.length === PAGE;
    // The last contact of a full page may have further purchases on the next one.
    const isFilledByOne = isFull && ids.length === 1;
    if (isFull && !isFilledByOne) ids.pop();
    const roots = await contacts.survivorDocs(account, ids);
    const parts = new Map(roots.flatMap((root) => (root ? [[root.id, membersOf(root.tree).map(({ id }) => id)] as const] : [])));
    // Of merged contacts, and of one that fills the page, there are further purchases elsewhere: they are read together.
    const incomplete = [...parts.values()].flatMap((members) => (members.length > 1 || isFilledByOne ? members : []));
    const rows = new Map([...grouped, ...groupedByContact(incomplete.length > 0 ? await eventsOf(events, account, incomplete, source) : [])]);
    const histories = await historiesOf(
      [...parts.values()].map((members) => members.flatMap((id) => rows.get(id) ?? [])),
      source,
    );
    const buyers = [...parts.keys()].map((contact_id, i): StoredBuyer => ({ contact_id, history: histories[i] as BuyerHistory }));
    return { buyers: buyers.filter(({ history }) => history.purchases.length > 0), next: isFull ? (ids.at(-1) ?? null) : null };
  }

  return { page, purchasesOf };
}

/** All events of the kind that means a purchase, of some contacts together. */
async function eventsOf(
  events: CustomEventQueries,
  account: string,
  contact_ids: readonly string[],
  source: PurchaseSource,
): Promise<CustomEventDoc[]> {
  const found: CustomEventDoc[] = [];
  for (let after: string | null = null; ; ) {
    const page: CustomEventDoc[] = await events.page({
      ...{ account, contact_ids, event: source.event, after, descending: false, limit: CONTACT_PAGE },
    });
    found.push(...page);
    const last = page.at(-1);
    if (!last || page.length < CONTACT_PAGE) return found;
    after = last.sort;
  }
}

type Properties = Readonly<Record<string, unknown>> | undefined;

function historyOf(rows: readonly { readonly occurred_at: string; readonly properties: Properties }[], source: PurchaseSource): BuyerHistory {
  const currencies = new Set<string | null>();
  const purchases = rows.flatMap(({ occurred_at, properties }) => {
    if (!properties) return [];
    const amount = ownField(properties, source.value_property);
    const value = typeof amount === 'number' && Number.isFinite(amount) ? amount : null;
    const currency = ownField(properties, source.currency_property);
    if (value !== null) currencies.add(typeof currency === 'string' && currency !== '' ? currency : null);
    return [{ day: dayOfTime(Date.parse(occurred_at)), value }];
  });
  return { purchases, currencies: [...currencies] };
}

function groupedByContact(docs: readonly CustomEventDoc[]): Map<string, CustomEventDoc[]> {
  const grouped = new Map<string, CustomEventDoc[]>();
  for (const doc of docs) {
    const group = grouped.get(doc.contact_id);
    if (group) group.push(doc);
    else grouped.set(doc.contact_id, [doc]);
  }
  return grouped;
}
