import { isUnconfirmed } from '../../domain/consent/marketing-basis.js';
import { contactDate, contactDateStream } from '../../domain/journeys/contact-date.js';
import { describeNode } from '../../domain/journeys/describe.js';
import { enrollment } from '../../domain/journeys/enrollment.js';
import { type JourneyEntryEvent, journeyEntries, journeyEntryStream, reentryRefusalOf } from '../../domain/journeys/entry.js';
import type { JourneyVersion, KnownJourney } from '../../domain/journeys/journey.js';
import type { TriggerNode } from '../../domain/journeys/nodes/trigger.js';
import type { JourneyNode } from '../../domain/journeys/nodes.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import { fullFieldName } from '../../domain/segments/fields.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadJourney, loadJourneyVersion } from '../../log/aggregates/journeys/load-journey.js';
import { loadJourneyNames } from '../../log/aggregates/journeys/load-names.js';
import { findOwn, loadAggregate, loadHistory } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { journeyFactsReader } from './facts.js';
import { type MissedReason, type MissedTrigger, missedTriggers } from './missed.js';
import { type PathStep, pathOf, type ShownEnrollment, shownEnrollment } from './path.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
}

/** What comes next. */
export interface NextStep {
  readonly node: string;
  readonly kind: JourneyNode['kind'];
  /** When its timer is due; null where it goes on at once, or only after something else. */
  readonly at: string | null;
  readonly waits_for: string;
}
export interface ExplainedEnrollment extends ShownEnrollment {
  readonly path: PathStep[];
  readonly next: NextStep | null;
}
/** How an enrollment goes on if nothing else happens; null where it does not go on by itself. */
interface Forecast {
  readonly path: readonly { readonly node: string; readonly at: string; readonly gate?: string }[];
  readonly ended: string | null;
  readonly ended_at: string | null;
}
export interface ExplainedJourney<F> {
  readonly journey_id: string;
  readonly contact_id: string;
  readonly merged_into: string | null;
  /** What starts the journey, in English; null before it is published. */
  readonly trigger: string | null;
  /** Whether the contact could enter now, if the trigger happened; and why not. */
  readonly can_enter: boolean;
  readonly refused: string | null;
  readonly explanation: string;
  /** Null for a journey that does not start by a date. */
  readonly next_date: NextDate | null;
  /** The latest first. */
  readonly enrollments: (ExplainedEnrollment & { readonly forecast: F | null })[];
  /** What happened to the contact and started nothing, though it is what the trigger names; the latest first. */
  readonly missed: MissedTrigger[];
  readonly refusals: { readonly reason: string; readonly at: string; readonly trigger: string; readonly event_id: string | null }[];
}

/** When the date of the contact starts the journey next. */
export interface NextDate {
  readonly field: string;
  readonly due_at: string | null;
  /** Why it does not: there is no time for it, or the contact could not enter then if nothing else changes. */
  readonly refused: string | null;
}

const MAX_SHOWN = 20;

/** An enrollment with its path. Throws nothing: null where there is none, or it belongs to another account. */
export async function findEnrollment(log: EventLog, account: string, id: string): Promise<ExplainedEnrollment | null> {
  const loaded = await findOwn(log, enrollment, account, id);
  if (!loaded) return null;
  const { state } = loaded;
  const journey = await loadJourney(log, account, state.journey_id, { includeDeleted: true });
  const { definition } = await loadJourneyVersion(log, journey, state.version);
  const shown = shownEnrollment(state);
  const node = definition.nodes.find((one) => one.id === shown.node);
  const next = node ? { node: node.id, kind: node.kind, at: shown.due_at, waits_for: waitsFor(node, shown) } : null;
  return { ...shown, path: pathOf(definition.start, await loaded.events()), next };
}

function waitsFor(node: JourneyNode, { due_at, waits_for_resume }: ShownEnrollment): string {
  if (waits_for_resume) return 'the journey to be resumed';
  if (node.kind === 'wait') return `${node.for.map(({ on, rule }) => (on ? on.type : (rule?.type ?? ''))).join(' or ')}, until ${due_at}`;
  return due_at === null ? 'its turn' : `the time ${due_at}`;
}

/**
 * Why a contact is in a journey or not, and what comes next. `forecast`: of an enrollment, by its id. Throws `not_found` and
 * `contact_erased`.
 */
export async function explainJourney<F extends Forecast>(
  stores: Stores,
  account: string,
  id: string,
  contact: string,
  forecast: (enrollment: string) => Promise<F | null>,
): Promise<ExplainedJourney<F>> {
  const { log } = stores;
  const journey = await loadJourney(log, account, id);
  const { named, root, unified } = await findContact(log, account, contact);
  const members = unified.members.map((member) => member.id);
  const streams = await Promise.all(members.map((one) => loadHistory(log, journeyEntries, journeyEntryStream(id, one))));
  const admitted = streams.flatMap(({ state }) => state.admitted).sort((a, b) => (a.at < b.at ? -1 : 1));
  const found = await Promise.all(admitted.slice(-MAX_SHOWN).map((entry) => findEnrollment(log, account, entry.enrollment_id)));
  const known = found.filter((one) => one !== null).reverse();
  const enrollments = await Promise.all(known.map(async (one) => ({ ...one, forecast: one.status === 'active' ? await forecast(one.id) : null })));
  const active = new Set(enrollments.flatMap((one) => (one.status === 'active' ? [one.id] : [])));
  const refused = await refusedAt(stores, account, journey, { root, unified }, { admitted, active, at: new Date(stores.clock.now()).toISOString() });
  const decided = streams.flatMap(({ events }) => events.flatMap(({ event }) => event.data.trigger.event_id ?? []));
  const missed = await missedTriggers(stores, account, journey, { id: root.id, members }, new Set(decided));
  const next_date = await nextDateOf(stores, account, journey, { root, unified }, admitted);
  return {
    ...{ journey_id: id, contact_id: root.id, merged_into: named.id === root.id ? null : root.id },
    trigger: journey.published && (await triggerText(log, account, journey.published)),
    ...{ can_enter: refused === null, refused, explanation: sentence(enrollments, refused, journey, next_date) + missedSentence(missed[0]) },
    ...{ next_date, enrollments, missed },
    refusals: streams
      .flatMap(({ events }) => events.flatMap((one) => refusalIn(one.event)))
      .slice(-MAX_SHOWN)
      .reverse(),
  };
}

const refusalIn = ({ type, data }: JourneyEntryEvent) =>
  type === 'JourneyEntryRefused' ? [{ reason: data.reason, at: data.at, trigger: data.trigger.type, event_id: data.trigger.event_id }] : [];

interface EarlierEnrollments {
  readonly admitted: Parameters<typeof reentryRefusalOf>[1];
  readonly active: ReadonlySet<string>;
  readonly at: string;
}

async function refusedAt(
  stores: Stores,
  account: string,
  journey: KnownJourney,
  { root: { id: contact }, unified }: Pick<FoundContact, 'root' | 'unified'>,
  { admitted, active, at }: EarlierEnrollments,
): Promise<string | null> {
  if (journey.status !== 'live' || !journey.published) return 'journey_inactive';
  if (unified.members.every(({ basis }) => isUnconfirmed(basis)) && triggerOf(journey.published).on.type !== 'api') return 'unconfirmed';
  const { filter } = triggerOf(journey.published);
  if (filter && !(await journeyFactsReader(stores).holds(account, contact, [filter]))[0]) return 'filter';
  const { reentry } = journey.published.definition.settings;
  // Which key the next event has is not known: with a key only what it says about the same one is shown.
  return reentry.key === null ? reentryRefusalOf({ reentry, active, data: { key: null, at } }, admitted) : null;
}

async function triggerText(log: EventLog, account: string, version: JourneyVersion): Promise<string> {
  return describeNode(triggerOf(version), await loadJourneyNames(log, account, version.definition));
}

const triggerOf = ({ definition: { nodes, start } }: JourneyVersion) => nodes.find(({ id }) => id === start) as TriggerNode;

/** The date that is planned for the contact, by what is recorded. */
async function nextDateOf(
  stores: Stores,
  account: string,
  journey: KnownJourney,
  { root, unified }: Pick<FoundContact, 'root' | 'unified'>,
  admitted: EarlierEnrollments['admitted'],
): Promise<NextDate | null> {
  if (!journey.published) return null;
  const { on } = triggerOf(journey.published);
  if (on.type !== 'date') return null;
  const { field } = on;
  if (journey.status !== 'live' && journey.status !== 'paused') return { field, due_at: null, refused: 'journey_inactive' };
  const name = fullFieldName(field);
  if (name !== 'created_at' && typeof ownField(unified.facts.values, name)?.value !== 'string') return { field, due_at: null, refused: 'no_date' };
  const { planned } = (await loadAggregate(stores.log, contactDate, contactDateStream(journey.id, root.id))).state;
  if (!planned) return { field, due_at: null, refused: 'date_over' };
  const { due_at } = planned;
  // Who is still in it by then is not known.
  return { field, due_at, refused: await refusedAt(stores, account, journey, { root, unified }, { admitted, active: new Set(), at: due_at }) };
}

const because: Readonly<Record<string, string>> = {
  journey_inactive: 'the journey is not live',
  filter: 'the filter of the trigger does not hold for the contact',
  already_enrolled: 'the contact has been in it, and its rule of re-entry allows it no second time now',
  cooldown: 'the time between two entries is not over',
  cap: 'the contact is in it as often as it may be',
  unconfirmed: 'the contact exists only because of a double opt-in that is not confirmed',
  no_date: 'the contact has no such date',
  date_over: 'it lies in the past, or has had its turn',
};

const UNREADABLE = 'the value whose time it waits for is missing, or names no time';

function sentence(
  [latest]: ExplainedJourney<Forecast>['enrollments'],
  refused: string | null,
  { status }: KnownJourney,
  next_date: NextDate | null,
): string {
  const can = refused === null ? 'It can enter when the trigger happens.' : `It cannot enter now: ${ownField(because, refused) ?? refused}.`;
  const enter = next_date ? dateSentence(next_date) : can;
  if (!latest) return `The contact has never been in the journey, which is ${status}. ${enter}`;
  if (latest.status === 'exited') {
    const more = latest.reason === 'unreadable_time' ? `, at the node ${latest.path.at(-1)?.node}: ${UNREADABLE}` : '';
    return `The contact left at ${latest.exited_at}: ${latest.reason}${more}. ${enter}`;
  }
  return `The contact is in the journey, at the node ${latest.node ?? 'of its end'}, and waits for ${latest.next?.waits_for ?? 'its end'}.${forecastSentence(latest.forecast)} ${enter}`;
}

const whyMissed: Readonly<Record<MissedReason, string>> = {
  before_version: 'it was before this version of the journey was published',
  conditions: 'it does not meet the conditions of the trigger',
  import: 'it was part of an import, which starts no journeys unless it says so',
  late: 'a late event caused it, which starts no journeys unless it says so',
  rule_change: 'a change of the rules of the segment moved the contact',
  reread: 'the rules of the segment, which nobody changed, were read anew by a new version of the service',
  unconfirmed: 'the contact existed only because of a double opt-in that was not confirmed, and the confirmation counts instead',
};

/** With a space before it. */
const missedSentence = (missed: MissedTrigger | undefined): string =>
  missed === undefined ? '' : ` What happened at ${missed.at} (${missed.event_id}) started nothing: ${whyMissed[missed.reason]}.`;

/** With a space before it. */
function forecastSentence(forecast: Forecast | null): string {
  if (!forecast) return '';
  const [, ...steps] = forecast.path;
  const named = steps.slice(0, MAX_NAMED).map(({ node, at, gate }) => `${node} at ${at}${gate === undefined ? '' : ` (${gate})`}`);
  const further = steps.length > MAX_NAMED ? `, and ${steps.length - MAX_NAMED} more` : '';
  const then = named.length === 0 ? '' : ` what follows is ${named.join(', then ')}${further};`;
  const end = forecast.ended_at === null ? 'it waits there' : `it leaves at ${forecast.ended_at}: ${forecast.ended}`;
  return ` If nothing else happens,${then} ${end}.`;
}
const MAX_NAMED = 5;

function dateSentence({ field, due_at, refused }: NextDate): string {
  const why = refused === null ? null : (ownField(because, refused) ?? refused);
  if (due_at === null) return `Its date \`${field}\` does not start the journey: ${why}.`;
  return why === null
    ? `Its date \`${field}\` starts the journey at ${due_at}.`
    : `Its date \`${field}\` comes at ${due_at}, but as things stand it cannot enter then: ${why}.`;
}
