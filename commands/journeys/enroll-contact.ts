import { isUnconfirmed } from '../../domain/consent/marketing-basis.js';
import type { CustomEventEvent } from '../../domain/events/custom-event.js';
import { customEventStream } from '../../domain/events/custom-event.js';
import type { ActiveEnrollment, EnrollmentEvent, StartedBy } from '../../domain/journeys/enrollment.js';
import { enrollment, enrollmentStream, evolve } from '../../domain/journeys/enrollment.js';
import {
  decide,
  type Entry,
  entryKeyText,
  type JourneyEntryEvent,
  journeyEntries,
  journeyEntryStream,
  type RefusalReason,
} from '../../domain/journeys/entry.js';
import type { Resume } from '../../domain/journeys/interpreter.js';
import type { TriggerNode } from '../../domain/journeys/nodes/trigger.js';
import { PROPERTY_PREFIX } from '../../domain/journeys/triggers.js';
import { ruleDurationMs } from '../../domain/segments/durations.js';
import { propertyOf } from '../../domain/segments/meaning.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { type EventAppend, HASHED_VALUE } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import { isLate, startsAnyway } from '../events/lateness.js';
import { toExpected } from '../runtime/append.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { answered, type KnownProgress, loadEnrollment, proceed } from './advance-enrollment.js';
import { collect } from './collect-event.js';
import { findLivingContact, type JourneyContext, loadJourneyContext } from './journey-context.js';

/** What is to start a journey for a contact. */
export interface EntryRequest {
  readonly journey_id: string;
  readonly version: number;
  readonly contact_id: string;
  readonly trigger: StartedBy;
  /** Names the trigger: the same one starts the journey once. */
  readonly trigger_id: string;
  /** Of the trigger; null: those of the custom event that is named by it. */
  readonly properties: Readonly<Record<string, unknown>> | null;
  /** When it happened (RFC 3339). */
  readonly occurred_at: string;
  readonly test?: TestOptions;
  /** What has happened since, and makes the contact leave at once. */
  readonly wake?: Resume;
}
export interface TestOptions {
  readonly skip_delays: boolean;
  readonly branches: readonly { readonly node_id: string; readonly branch: string }[];
}

export type EntryResult =
  | { readonly enrollment_id: string; readonly refused: null }
  | { readonly enrollment_id: null; readonly refused: RefusalReason };

/** Starts a journey for a contact, or records why not; then goes on to the first node where it waits. */
export const enrollContact = internalCommand({
  name: 'EnrollContact',
  handle: (entering: EntryRequest, context): Promise<EntryResult> => enter(context, entering),
});

/** Throws `not_found` for the journey or its version. */
export async function enter(given: Context, entering: EntryRequest): Promise<EntryResult> {
  const about = await loadJourneyContext(given, entering.journey_id, entering.version);
  const properties = await propertiesOf(given, entering);
  const contact = await findLivingContact(given, entering.contact_id);
  const context = given.ofTestKey(about.journey.test || isTestContact(contact));
  const test_key = context.cause.test ?? false;
  const contact_id = contact?.root.id ?? entering.contact_id;
  const members = contact?.unified.members.map(({ id }) => id) ?? [contact_id];
  const key = keyOf(context, about, properties);
  const enrollment_id = hashId('enr', entering.journey_id, entering.contact_id, entering.trigger_id);
  const blocked = contact ? await blockedBy(context, about, entering, contact) : 'contact_gone';
  const started = startedEvent(context.now, about, { ...entering, contact_id, key, enrollment_id, properties, test_key });
  const stream = journeyEntryStream(entering.journey_id, contact_id);
  const wake = entering.wake ?? { by: 'time' };
  const done = await context.attempt(
    async () => {
      const entries = await loadAggregate(context.log, journeyEntries, stream);
      const others = await Promise.all(members.filter((id) => id !== contact_id).map((id) => entriesOf(context, entering.journey_id, id)));
      const all = [...others.flat(), ...entries.state.admitted];
      const running = (await activeOf(context, all, key)).filter((one) => one.test_key === test_key);
      const digest = blocked === null ? await digestOf(context, running, { ...entering, properties }) : null;
      const active = new Set(running.map(({ id }) => id));
      if (digest) return { digest };
      const { journey_id, version, trigger, trigger_id } = entering;
      const data = { journey_id, contact_id, version, key, trigger, at: context.now, enrollment_id, ...(test_key && { test_key }) };
      const { reentry } = about.version.definition.settings;
      const test = entering.test !== undefined;
      const events = decide({ type: 'Apply', data, trigger_id, refused: blocked, reentry, others: others.flat(), active, test }, entries.state);
      const result = resultOf(events, entries.state.admitted, enrollment_id);
      const isNew = result.refused === null && (await loadEnrollment(context.log, enrollment_id)).state.status === 'new';
      return { digest, entries, events, result, following: isNew && contact ? await beginning(context, { ...about, contact }, started, wake) : null };
    },
    (loaded) => {
      if (loaded.digest) return planned(loaded.digest.appends, { enrollment_id: loaded.digest.id, refused: null }, null);
      const { entries, events, result, following } = loaded;
      const appends = events.length === 0 ? [] : [{ stream, expected: toExpected(entries.revision), events }];
      if (!following) return planned(appends, result, null);
      const begun = { stream: enrollmentStream(enrollment_id), expected: 'no-stream' as const, events: following.events };
      return planned([...appends, begun], result, following);
    },
  );
  const { entered, following } = done;
  if (entered.enrollment_id !== null && following?.goesOn !== false) await proceed(context, entered.enrollment_id, wake, following);
  return entered;
}

const planned = (appends: readonly EventAppend[], entered: EntryResult, following: EnrollmentStart | null) => ({
  appends,
  result: { entered, following },
});

interface EnrollmentStart extends KnownProgress {
  readonly events: readonly EnrollmentEvent[];
  /** Something has to be sent or done, which must not be before it is on record. */
  readonly goesOn: boolean;
}

/** The first events of an enrollment: with what follows at once, where that needs nothing else. */
async function beginning(
  context: Context,
  about: JourneyContext & { readonly contact: FoundContact },
  started: EnrollmentEvent,
  wake: Resume,
): Promise<EnrollmentStart> {
  const state = evolve(enrollment.initial, started) as ActiveEnrollment;
  const following = await answered({ ...about, enrollment: state }, wake, context, { isQuiet: true });
  return { state, revision: 0, events: [started, ...(following ?? [])], goesOn: following === null };
}

/** A repeat gives what the first run has decided. */
function resultOf(events: readonly JourneyEntryEvent[], admitted: readonly Entry[], enrollment_id: string): EntryResult {
  const [event] = events;
  if (event?.type === 'JourneyEntryRefused') return { enrollment_id: null, refused: event.data.reason };
  if (event || admitted.some((entry) => entry.enrollment_id === enrollment_id)) return { enrollment_id, refused: null };
  return { enrollment_id: null, refused: 'already_enrolled' };
}

/** Whether only test keys have written it. */
export const isTestContact = (contact: FoundContact | null): boolean => contact?.root.state.status === 'active' && contact.root.state.test;

/** Whether it, and all that is merged into it, exist only because of requests that nobody has confirmed. */
export const isUnconfirmedContact = ({ unified }: Pick<FoundContact, 'unified'>): boolean =>
  unified.members.every(({ basis }) => isUnconfirmed(basis));

export const triggerOf = ({ graph }: JourneyContext): TriggerNode => graph.node(graph.start) as TriggerNode;

/** Why it cannot start whatever was started before. */
async function blockedBy(
  context: Context,
  about: JourneyContext,
  { trigger, occurred_at, test }: EntryRequest,
  contact: FoundContact,
): Promise<RefusalReason | null> {
  const contact_id = contact.root.id;
  if (test) return null;
  if (about.journey.status !== 'live') return 'journey_inactive';
  // A request to the API names the contact itself.
  if (trigger.type !== 'api' && isUnconfirmedContact(contact)) return 'unconfirmed';
  if ((await isLate(context, { trigger, occurred_at }, context.now)) && !(await startsAnyway(context, trigger))) return 'late';
  const { filter } = triggerOf(about);
  if (!filter) return null;
  const [holds] = await context.ports.journeys.facts.holds(context.cause.account, contact_id, [filter]);
  return holds ? null : 'filter';
}

async function propertiesOf({ log }: Context, { properties, trigger }: EntryRequest): Promise<Readonly<Record<string, unknown>>> {
  if (properties !== null) return properties;
  const [stored] = trigger.event_id === null ? [] : ((await log.read<CustomEventEvent>(customEventStream(trigger.event_id), { limit: 1 })) ?? []);
  const known: unknown = stored?.event.data.properties;
  return typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {};
}

/** The hash of what the journey's key names. */
export function keyOf(
  { addresses, cause }: Pick<Context, 'addresses' | 'cause'>,
  { version }: Pick<JourneyContext, 'version'>,
  properties: object,
): string | null {
  const { key } = version.definition.settings.reentry;
  if (key === null) return null;
  const value = propertyOf(properties, key.slice(PROPERTY_PREFIX.length));
  return addresses.key(cause.account, `${HASHED_VALUE}${entryKeyText(value)}`);
}

const entriesOf = async ({ log }: Context, journey: string, contact: string): Promise<readonly Entry[]> =>
  (await loadAggregate(log, journeyEntries, journeyEntryStream(journey, contact))).state.admitted;

interface RunningEnrollment {
  readonly id: string;
  readonly test_key: boolean;
  /** Null where it is admitted and not begun. */
  readonly state: ActiveEnrollment | null;
  readonly revision: number;
}

/** Those that have not ended. */
async function activeOf({ log }: Context, admitted: readonly Entry[], key: string | null): Promise<readonly RunningEnrollment[]> {
  // Only a few can be active: what started long before them has ended or is counted anyway.
  const same = admitted.filter((entry) => entry.key === key).slice(-MAX_LOOKED_AT);
  const loaded = await Promise.all(same.map(({ enrollment_id }) => loadEnrollment(log, enrollment_id)));
  return loaded.flatMap(({ state, revision }, i) =>
    state.status === 'exited'
      ? []
      : [{ id: same[i]?.enrollment_id ?? '', test_key: same[i]?.test_key ?? false, state: state.status === 'active' ? state : null, revision }],
  );
}

/** The digest that takes the event of a trigger, with what is to be appended. */
async function digestOf(context: Context, running: readonly RunningEnrollment[], { trigger, trigger_id, properties, test }: EntryRequest) {
  if (trigger.type !== 'event' || trigger.event_id === null || test) return null;
  for (const { id, state, revision } of running) {
    if (state === null || state.place.kind !== 'inside') continue;
    const { graph } = await loadJourneyContext(context, state.journey_id, state.version);
    const events = collect(graph, state, { trigger_id, event_id: trigger.event_id, properties: properties ?? {} }, context.now);
    // The enrollment that this very event has started is no digest of it.
    if (!events || state.trigger.event_id === trigger.event_id) continue;
    return { id, appends: events.length === 0 ? [] : [{ stream: enrollmentStream(id), expected: toExpected(revision), events }] };
  }
  return null;
}
const MAX_LOOKED_AT = 50;

export interface StartRequest extends EntryRequest {
  readonly key: string | null;
  readonly enrollment_id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly test_key: boolean;
}

/** The first event of an enrollment. */
export function startedEvent(now: string, about: JourneyContext, starting: StartRequest): EnrollmentEvent {
  const { enrollment_id, journey_id, contact_id, version, key, trigger, properties, test, test_key } = starting;
  const { max_duration } = about.version.definition.settings;
  const ends = max_duration === null ? null : Date.parse(now) + (ruleDurationMs(max_duration) ?? 0);
  return {
    type: 'EnrollmentStarted',
    data: {
      ...{ enrollment_id, journey_id, contact_id, version, key, trigger, properties, at: now },
      next: triggerOf(about).next,
      expires_at: ends === null ? null : new Date(ends).toISOString(),
      ...(test_key && { test_key }),
      ...(test && { test: { skip_delays: test.skip_delays, branches: test.branches.map((one) => ({ ...one })) } }),
    },
  };
}
