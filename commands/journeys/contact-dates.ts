/** The times at which contacts start journeys by their dates. */
import { type ContactDate, type ContactDateEvent, contactDate, contactDateStream, type PlannedDate } from '../../domain/journeys/contact-date.js';
import { nextTurn } from '../../domain/journeys/date-times.js';
import type { TriggerOf } from '../../domain/journeys/triggers.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { fullFieldName } from '../../domain/segments/fields.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { HASHED_VALUE } from '../../log/runtime/event-log.js';
import { LATE_MS } from '../events/lateness.js';
import { toExpected } from '../runtime/append.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { journeyClocksOf } from './answers.js';
import { enter, triggerOf } from './enroll-contact.js';
import { findLivingContact, type JourneyContext, loadJourneyContext } from './journey-context.js';

interface OfContact {
  readonly journey_id: string;
  readonly contact_id: string;
}

/** A journey that starts by a date, as it is published. */
export interface DatedJourney extends JourneyContext {
  readonly trigger: TriggerOf<'date'>;
}

/** Null where the journey does not start by a date, or is over. */
async function datedJourney(context: Context, id: string): Promise<DatedJourney | null> {
  const { status, published } = await loadJourney(context.log, context.cause.account, id, { includeDeleted: true, sealed: true });
  if (!published || (status !== 'live' && status !== 'paused')) return null;
  const about = await loadJourneyContext(context, id, published.version);
  const { on } = triggerOf(about);
  return on.type === 'date' ? { ...about, trigger: on } : null;
}

interface LoadedContactDate {
  readonly about: DatedJourney | null;
  readonly contact: FoundContact | null;
  readonly state: ContactDate;
  readonly revision: number;
  /** Also of contacts that are merged with this one. */
  readonly reached: ReadonlySet<string>;
}

async function load(context: Context, { journey_id, contact_id }: OfContact): Promise<LoadedContactDate> {
  const own = await dateOf(context, journey_id, contact_id);
  const [about, contact] = await Promise.all([datedJourney(context, journey_id), findLivingContact(context, contact_id)]);
  const others = (contact?.unified.members ?? []).map(({ id }) => id).filter((id) => id !== contact_id);
  const states = await Promise.all(others.map((id) => dateOf(context, journey_id, id)));
  return { about, contact, ...own, reached: new Set([own, ...states].flatMap(({ state }) => state.reached)) };
}

const dateOf = ({ log }: Context, journey: string, contact: string) =>
  loadAggregate<ContactDate, ContactDateEvent>(log, contactDate, contactDateStream(journey, contact));

/** The first occurrence from `since` (milliseconds since 1970) on that had no turn yet. */
export async function nextDate(
  { version, trigger }: Pick<DatedJourney, 'version' | 'trigger'>,
  contact: FoundContact,
  { since, reached }: { readonly since: number; readonly reached: ReadonlySet<string> },
  context: Pick<Context, 'addresses' | 'cause' | 'ports'>,
): Promise<PlannedDate | null> {
  const name = fullFieldName(trigger.field);
  const value = name === 'created_at' ? contact.unified.root.created_at : ownField(contact.unified.facts.values, name)?.value;
  const id = (nth: number) => context.addresses.key(context.cause.account, `${HASHED_VALUE}${JSON.stringify([name, value, nth])}`);
  const offsetAt = await journeyClocksOf({ contact, version }, context);
  const turn = nextTurn(trigger, value, { since, offsetAt, over: (nth) => reached.has(id(nth)) });
  return turn && { occurrence: id(turn.nth), due_at: new Date(turn.at).toISOString() };
}

const nextOf = async ({ about, contact, reached }: LoadedContactDate, since: number, context: Context): Promise<PlannedDate | null> =>
  about && contact ? nextDate(about, contact, { since, reached }, context) : null;

/** From when on occurrences count: also what was planned before and had no turn yet. */
const sinceOf = ({ planned }: ContactDate, since: string): number => Math.min(Date.parse(planned?.due_at ?? since), Date.parse(since));

/**
 * Plans when a contact starts a journey by a date next. `since` (RFC 3339): what lies before is not made up for. `event_id`: the change of
 * the contact that makes it necessary; without one, a plan that changes nothing is not recorded.
 */
export const planContactDate = internalCommand({
  name: 'PlanJourneyDate',
  async handle({ since, event_id, ...of }: OfContact & { readonly since: string; readonly event_id: string | null }, context): Promise<void> {
    const { now } = context;
    await context.attempt(
      async () => {
        const loaded = await load(context, of);
        return { loaded, next: await nextOf(loaded, sinceOf(loaded.state, since), context) };
      },
      ({ loaded: { about, state, revision }, next }) => {
        const version = about?.version.version ?? 0;
        return {
          appends: appendsOf(of, revision, contactDate.decide({ type: 'Plan', ...of, version, next, event_id, now }, state)),
          result: undefined,
        };
      },
    );
  },
});

/**
 * It is time: the contact starts the journey, once for the occurrence, and the next one is planned. Where its date or its clocks are other
 * ones by now, only that.
 */
export const reachContactDate = internalCommand({
  name: 'ReachJourneyDate',
  async handle({ occurrence, ...of }: OfContact & { readonly occurrence: string }, context): Promise<void> {
    const { now } = context;
    const first = await load(context, of);
    const { planned } = first.state;
    if (planned?.occurrence !== occurrence) return;
    const due = await nextOf(first, Date.parse(planned.due_at), context);
    const isNow = due !== null && due.due_at <= now;
    if (isNow && first.about) await start(first.about, of.contact_id, due, context);
    const part = context.contextOfPart(`journeys/${of.journey_id}/${of.contact_id}/${occurrence}`);
    await part.attempt(
      async () => {
        const loaded = await load(part, of);
        if (!isNow) return { loaded, next: await nextOf(loaded, sinceOf(loaded.state, now), part) };
        const reached = new Set([...loaded.reached, due.occurrence]);
        // What came round while nothing ran is late, but for the last day.
        const since = Math.max(Date.parse(due.due_at), Date.parse(now) - LATE_MS);
        return { loaded, next: await nextOf({ ...loaded, reached }, since, part) };
      },
      ({ loaded: { about, state, revision }, next }) => {
        const common = { ...of, version: about?.version.version ?? 0, next, now };
        const events = contactDate.decide(isNow ? { type: 'Reach', ...common, reached: due } : { type: 'Plan', ...common, event_id: null }, state);
        return { appends: appendsOf(of, revision, events), result: undefined };
      },
    );
  },
});

const appendsOf = ({ journey_id, contact_id }: OfContact, revision: number, events: readonly ContactDateEvent[]) =>
  events.length === 0 ? [] : [{ stream: contactDateStream(journey_id, contact_id), expected: toExpected(revision), events }];

const start = ({ journey, version, trigger }: DatedJourney, contact_id: string, { occurrence, due_at }: PlannedDate, context: Context) =>
  enter(context, {
    journey_id: journey.id,
    version: version.version,
    contact_id,
    trigger: { type: 'date', name: trigger.field, event_id: null },
    trigger_id: occurrence,
    properties: {},
    occurred_at: due_at,
  });
