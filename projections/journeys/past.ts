/** The history that simulations of journeys go through, one contact at a time. */
import { contactStream } from '../../domain/contacts/contact.js';
import type { ContactSignal } from '../../domain/journeys/contact-signal.js';
import { type EnrollmentEvent, enrollmentStream } from '../../domain/journeys/enrollment.js';
import { type JourneyEntryEvent, journeyEntryStream } from '../../domain/journeys/entry.js';
import { inOrderOfRecord, type PastContact, type PastQuery, type PastRange, type PastSignal } from '../../domain/journeys/past.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Checkpoint, Clock, ReadModels } from '../../domain/kernel/ports.js';
import { membershipStream } from '../../domain/lists/membership.js';
import { messageStream } from '../../domain/messages/message.js';
import { segmentMembershipStream } from '../../domain/segments/live/recorded.js';
import { messageReportOf } from '../../domain/segments/message-reports.js';
import type { Rule } from '../../domain/segments/rule.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import {
  type ContactConfirmed,
  confirmedSignalOf,
  contactSignalsOf,
  type SignalEvent,
  signalTypes,
} from '../../log/aggregates/journeys/contact-signals.js';
import { recordedAt } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { contacts } from '../contacts/projection.js';
import { contactQueries } from '../contacts/queries.js';
import { customEvents } from '../events/projection.js';
import { customEventQueries } from '../events/queries.js';
import { forms } from '../forms/projection.js';
import { formQueries } from '../forms/queries.js';
import type { PageRange } from '../runtime/paging.js';
import { haveReached } from '../runtime/reached.js';
import { ruleAt } from '../segments/explain.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
  /** Documents of one query. Default: 500. */
  readonly page?: number;
}

const CATCH_UP_MS = 2_000;
const PAGE = 500;
const NO_PROPERTIES = {};
const known: ReadonlySet<string> = new Set(signalTypes);

/** Reads the past from the log and the read models. See the port of the commands. */
export function journeyPastReader(stores: Stores) {
  const { log, views, clock } = stores;
  return {
    /** A page of contacts in the order of creation; null while the read models lack what was recorded up to `since`. */
    async contacts(account: string, after: string | null, limit: number, since: Checkpoint) {
      if (!(await haveReached(views, [contacts, customEvents, forms], since, CATCH_UP_MS))) return null;
      const filter = { account, keys: [], fields: [], after, descending: false, limit };
      const found = await contactQueries(stores).page(filter);
      const items = found.map(({ item }): PastContact => ({ id: item.unified.tree.id, members: item.unified.members.map(({ id }) => id) }));
      return { items, next: found.length < limit ? null : (found.at(-1)?.cursor ?? null) };
    },

    /** The same, of what is in the log now: read models that it needs are awaited. */
    async recent(account: string, contact: PastContact, wanted: PastQuery, range: PastRange): Promise<PastSignal[]> {
      const needed = [...(wanted.events.size > 0 ? [customEvents] : []), ...(wanted.forms === 'any' || wanted.forms.size > 0 ? [forms] : [])];
      const reached = needed.length === 0 || (await haveReached(views, needed, await log.store.head(), CATCH_UP_MS));
      if (!reached) throw new DomainError('projection_behind', 'Events and forms that a wait needs are not known here yet. Try again in a second.');
      return this.contactSignals(account, contact, wanted, range);
    },

    /** What happened to a contact, in the order in which it was recorded. */
    async contactSignals(account: string, contact: PastContact, wanted: PastQuery, range: PastRange): Promise<PastSignal[]> {
      const found = await Promise.all([
        eventsOf(stores, account, contact, wanted, range),
        signalsInStreams(log, contact, wanted),
        formsOf(stores, account, contact, wanted),
      ]);
      return inOrder(found.flat(), range);
    },

    /** The starts of a journey by requests. */
    async starts(journey: string, contact: PastContact, range: PastRange): Promise<PastSignal[]> {
      const found = await Promise.all(contact.members.map((id) => requestsOf(log, journey, id)));
      return inOrder(found.flat(), range);
    },

    /** What became of a message of an enrollment, in order; null if there is no such message. */
    async message(id: string, enrollment_id: string, node: string): Promise<PastSignal[] | null> {
      const stored = await log.readSealed(messageStream(id));
      return stored === null ? null : stored.flatMap((one) => reportIn(one, enrollment_id, node));
    },

    /** Which of the rules held at a time (RFC 3339), by what was recorded by then. */
    async holds(account: string, contact: string, rules: readonly Rule[], at: string): Promise<boolean[]> {
      const { unified } = await findContact(log, account, contact, at);
      return Promise.all(rules.map(async (rule) => (await ruleAt(log, views, { account, rule, until: at, now: clock.now() }))(unified)));
    },
  };
}

const inOrder = (found: readonly PastSignal[], { from, to }: PastRange): PastSignal[] =>
  found.filter(({ at }) => at >= from && at <= to).sort(inOrderOfRecord);

async function eventsOf(stores: Stores, account: string, { members }: PastContact, { events }: PastQuery, { to }: PastRange): Promise<PastSignal[]> {
  const queries = customEventQueries(stores);
  const found: PastSignal[] = [];
  for (const event of events) {
    const filter = { account, contact_ids: members, event, occurred_before: `${to}~` };
    const docs = await allOf((range) => queries.page({ ...filter, ...range }), stores.page);
    for (const { id, contact_id, occurred_at, accepted_at, properties } of await queries.show(docs)) {
      const started_by = { type: 'event', name: event, event_id: id };
      found.push({ contact_id, trigger_id: id, occurred_at, at: accepted_at, target: null, origin: 'direct', properties, started_by });
    }
  }
  return found;
}

/** What is in the streams of the contact itself. */
export async function signalsInStreams(log: EventLog, { members }: PastContact, { segments, lists, created }: PastQuery): Promise<PastSignal[]> {
  const streams = members.flatMap((id) => [
    ...(segments.size > 0 ? [segmentMembershipStream(id)] : []),
    ...(lists.size > 0 ? [membershipStream(id)] : []),
    ...(created ? [contactStream(id)] : []),
  ]);
  const stored = (await Promise.all(streams.map((stream) => log.readSealed(stream)))).flatMap((one) => one ?? []);
  const events = stored.filter(({ event }) => known.has(event.type)) as LogEvent<SignalEvent>[];
  const confirmed = created ? stored.filter(({ event }) => event.type === 'ContactUpdated') : [];
  const isWanted = ({ started_by: { type }, target }: { started_by: { type: string }; target: string | null }): boolean =>
    type === 'contact_created' ? created : target !== null && (type === 'list_added' ? lists : segments).has(target);
  const past = (one: LogEvent, { meets: _, keyAt: __, ...contactSignal }: ContactSignal): PastSignal => ({
    ...contactSignal,
    at: recordedAt(one),
    properties: NO_PROPERTIES,
  });
  return [
    ...events.flatMap((one) =>
      contactSignalsOf(one)
        .filter(isWanted)
        .map((signal) => past(one, signal)),
    ),
    ...(confirmed as LogEvent<ContactConfirmed>[]).flatMap((one) => {
      const signal = confirmedSignalOf(one);
      return signal ? [past(one, signal)] : [];
    }),
  ];
}

async function formsOf(stores: Stores, account: string, { members }: PastContact, wanted: PastQuery): Promise<PastSignal[]> {
  const queries = formQueries(stores);
  const of = async (form: string, contact_id: string) => allOf((range) => queries.submissions(form, { contact_id, ...noStatus }, range), stores.page);
  const all = async () =>
    (await allOf(async (range) => (await queries.forms(account, undefined, range)).map(({ item }) => item), stores.page)).map(({ id }) => id);
  const ids = wanted.forms === 'any' ? await all() : [...wanted.forms];
  const found = await Promise.all(ids.flatMap((form) => members.map((contact_id) => of(form, contact_id))));
  return found.flat().flatMap(({ id, form_id: target, contact_id, status, duplicate_of, submitted_at, confirmed_at }) => {
    const at = confirmed_at ?? submitted_at;
    const counts = status === 'confirmed' || (status === 'accepted' && duplicate_of === null);
    const started_by = { type: 'form_submitted', name: null, event_id: null };
    return counts
      ? [{ contact_id, trigger_id: id, occurred_at: at, at, target, origin: 'direct' as const, properties: NO_PROPERTIES, started_by }]
      : [];
  });
}
const noStatus = { status: undefined };

/** All pages of a query in the order of `sort`. */
async function allOf<D extends { readonly sort: string }>(pageOf: (range: PageRange) => Promise<readonly D[]>, limit = PAGE): Promise<D[]> {
  const found: D[] = [];
  for (let after: string | null = null; ; ) {
    const docs = await pageOf({ after, descending: false, limit });
    found.push(...docs);
    const last = docs.at(-1);
    if (!last || docs.length < limit) return found;
    after = last.sort;
  }
}

async function requestsOf(log: EventLog, journey: string, contact: string): Promise<PastSignal[]> {
  const stored = ((await log.readSealed(journeyEntryStream(journey, contact))) ?? []) as LogEvent<JourneyEntryEvent>[];
  const found = stored.map(async ({ event, id }): Promise<PastSignal[]> => {
    const { contact_id, trigger, at, key } = event.data;
    if (trigger.type !== 'api') return [];
    const about = { contact_id, started_by: trigger, occurred_at: at, at, key, target: null, origin: 'direct' as const };
    if (event.type === 'JourneyEntryRefused') return [{ ...about, trigger_id: event.data.trigger_id, properties: NO_PROPERTIES }];
    const [first] = (await log.read<EnrollmentEvent>(enrollmentStream(event.data.enrollment_id), { limit: 1 })) ?? [];
    const properties = first?.event.type === 'EnrollmentStarted' ? first.event.data.properties : NO_PROPERTIES;
    return [{ ...about, trigger_id: id, began: event.data.enrollment_id, properties: typeof properties === 'object' ? properties : NO_PROPERTIES }];
  });
  return (await Promise.all(found)).flat();
}

/** What programs opened or clicked does not count. */
function reportIn({ event, id }: LogEvent, enrollment_id: string, node: string): PastSignal[] {
  const report = messageReportOf(event);
  if (!report || report.machine) return [];
  const { action, occurred_at, received_at: at } = report;
  const started_by = { type: 'message', name: action, event_id: hashId('evt', id) };
  return [{ contact_id: '', trigger_id: id, occurred_at, at, target: node, enrollment_id, origin: 'direct', properties: NO_PROPERTIES, started_by }];
}
