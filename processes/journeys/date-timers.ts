/** When contacts start journeys by their dates, as the list has it: a timer of each contact and journey. */
import type { SettingsChangedEvent } from '../../domain/accounts/account.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import { quietCauseOf } from '../../domain/contacts/quiet-cause.js';
import type { ContactDateEvent } from '../../domain/journeys/contact-date.js';
import { namesField } from '../../domain/journeys/date-times.js';
import type { SealedJourneyEvent } from '../../domain/journeys/journey.js';
import { fullFieldName } from '../../domain/segments/fields.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention } from '../runtime/process-manager.js';
import type { ContactTodo, PendingPlan } from './contact-todo.js';
import type { ListedJourney } from './listening.js';
import { dateSweep } from './other-todos.js';

type PatchEvent = Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

/** The field whose date starts the journey; null where none does, or the journey is over. */
const dateFieldOf = ({ status, trigger }: ListedJourney): string | null =>
  trigger.type === 'date' && (status === 'live' || status === 'paused') ? fullFieldName(trigger.field) : null;

/** Journeys for which a change of a contact matters: of its date, or of its clocks where the date is planned. */
export function plansAfter({ type, data }: PatchEvent, { dates }: ContactTodo, journeys: readonly ListedJourney[]): string[] {
  return journeys.flatMap((one) => {
    const field = dateFieldOf(one);
    if (field === null) return [];
    const isNew = type === 'ContactCreated' && field === 'created_at';
    const isPlanned = dates.some(({ journey_id }) => journey_id === one.id);
    return isNew || namesField(data, field) || (isPlanned && namesField(data, 'timezone')) ? [one.id] : [];
  });
}

/** The document with dates that have to be planned, as of an event. */
export function withPlans(doc: ContactTodo, journeys: readonly string[], { id, position, meta }: LogEvent, since: string): ContactTodo {
  const event_id = hashId('evt', id);
  // The moment at which an import or a late event makes a contact is past.
  const from = quietCauseOf(meta) ? new Date(Date.parse(since) + 1).toISOString() : since;
  const own = journeys.map((journey_id): PendingPlan => ({ journey_id, event_id, since: from, position }));
  return { ...doc, plans: [...doc.plans.filter(({ journey_id }) => !journeys.includes(journey_id)), ...own] };
}

/** The journeys in whose plans a contact is. */
export const plannedJourneys = ({ dates, plans }: ContactTodo): string[] => [...new Set([...dates, ...plans].map(({ journey_id }) => journey_id))];

/** The document after a date was planned. A later change than the one that is considered in it is planned again. */
export function withPlanned(doc: ContactTodo, { data }: Extract<ContactDateEvent, { type: 'JourneyDatePlanned' }>): ContactTodo {
  const { journey_id, occurrence, due_at, event_id } = data;
  const others = doc.dates.filter((one) => one.journey_id !== journey_id);
  return {
    ...doc,
    plans: doc.plans.filter((one) => one.journey_id !== journey_id || one.event_id !== event_id),
    dates: occurrence === null || due_at === null ? others : [...others, { journey_id, occurrence, due: Date.parse(due_at) }],
  };
}

export const dateSweepId = (event: string, journey: string): string => `${event}/dates/${journey}`;

/** All contacts are looked at once when a journey begins to start by their dates. */
export function dateSweepIntentions(
  stored: LogEvent<SealedJourneyEvent>,
  before: readonly ListedJourney[],
  after: readonly ListedJourney[],
): Intention[] {
  const { type, data } = stored.event;
  const known = after.find(({ id }) => id === data.journey_id);
  const wasStopped = before.some(({ id, status }) => id === data.journey_id && status === 'stopped');
  const isNew = type === 'JourneyPublished' || (type === 'JourneyResumed' && wasStopped);
  if (!isNew || !known || dateFieldOf(known) === null) return [];
  return [dateSweep(stored, dateSweepId(stored.id, known.id), known, data.at)];
}

/** The journeys that are concerned where the clocks of the account change, with the ids of what follows. */
export function dateSweepsOf({ event, id }: LogEvent<SettingsChangedEvent>, journeys: readonly ListedJourney[]) {
  if (event.data.changes.timezone === undefined) return [];
  return journeys.filter((one) => dateFieldOf(one) !== null).map((journey) => ({ sweep_id: dateSweepId(id, journey.id), journey }));
}
export const settingsIntentions = (stored: LogEvent<SettingsChangedEvent>, journeys: readonly ListedJourney[]): Intention[] =>
  dateSweepsOf(stored, journeys).map(({ sweep_id, journey }) => dateSweep(stored, sweep_id, journey, stored.event.data.at));
