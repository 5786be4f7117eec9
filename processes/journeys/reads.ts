/** The events that the list of enrollments is made from, and which documents of the list a reaction to them needs. */

import type { SettingsChangedEvent } from '../../domain/accounts/account.js';
import type { SealedConsentEvent } from '../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { ContactDateEvent } from '../../domain/journeys/contact-date.js';
import { enrollmentEvents, type SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent } from '../../domain/journeys/entry.js';
import type { SealedJourneyEvent } from '../../domain/journeys/journey.js';
import type { JourneyScheduleEvent } from '../../domain/journeys/schedule.js';
import type { JourneySweepEvent } from '../../domain/journeys/sweep.js';
import type { SealedMembershipEvent } from '../../domain/lists/membership.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { reportingEvents } from '../../domain/segments/message-reports.js';
import { type SignalEvent, signalTypes } from '../../log/aggregates/journeys/contact-signals.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { ReactionMemory, Reads } from '../runtime/process-manager.js';
import {
  type AwaitedMessageNote,
  type AwaitedNote,
  awaitedMessageNoteId,
  awaitedReads,
  concernsMessages,
  furtherAwaited,
} from './awaited-messages.js';
import { type ContactTodo, contactTodoId } from './contact-todo.js';
import { dateSweepId, dateSweepsOf } from './date-timers.js';
import { type JourneysNote, journeysNoteId, type ListedJourney, versionNoteId } from './listening.js';
import { endTodoId, existingSweepId, type OtherTodo, sweepTodoId } from './other-todos.js';
import { scheduleTodoId } from './schedule-todos.js';

type Change =
  | Extract<SealedContactEvent, { type: 'ContactUpdated' }>
  | SealedConsentEvent
  | Extract<SealedMembershipEvent, { type: 'ListUnsubscribed' | 'ListCleaned' }>;
type Link = Extract<SealedContactEvent, { type: 'ContactMerged' | 'ContactUnmerged' | 'ContactDeleted' | 'ContactErased' }>;
export type OfContact = SignalEvent | Change | Link | JourneyEntryEvent | SealedEnrollmentEvent | ContactDateEvent;
export type MessageReportEvent = Extract<SealedMessageEvent, { type: (typeof reportingEvents)[number] }>;
export type JourneyInputEvent = OfContact | SealedJourneyEvent | JourneySweepEvent | JourneyScheduleEvent | MessageReportEvent | SettingsChangedEvent;
export type AnyTodo = ContactTodo | OtherTodo;
export type Memory = ReactionMemory<AnyTodo>;

const journeyTypes = [
  'JourneyPublished',
  'JourneyPaused',
  'JourneyResumed',
  'JourneyStopped',
  'JourneyArchived',
  'JourneyDeleted',
] as const satisfies readonly SealedJourneyEvent['type'][];
const changeTypes = ['ContactUpdated', 'ConsentGranted', 'ConsentWithdrawn', 'ConsentRequested', 'ListUnsubscribed', 'ListCleaned'] as const;
const scheduleTypes = ['JourneyOccurrencePlanned', 'JourneyOccurrenceStarted'] as const;
const enrollmentTypes = enrollmentEvents.map(({ name }) => name);

export const journeyInputTypes = [
  ...journeyTypes,
  ...signalTypes,
  ...changeTypes,
  ...(['ContactMerged', 'ContactUnmerged', 'ContactDeleted', 'ContactErased'] as const),
  'JourneyEntryRefused',
  'JourneySweepCompleted',
  ...scheduleTypes,
  'JourneyDatePlanned',
  'SettingsChanged',
  ...reportingEvents,
  ...enrollmentTypes,
] as const satisfies readonly JourneyInputEvent['type'][];

const ofJourneys: ReadonlySet<string> = new Set(journeyTypes);
const ofSignals: ReadonlySet<string> = new Set(signalTypes);
const ofChanges: ReadonlySet<string> = new Set(changeTypes);
const ofReports: ReadonlySet<string> = new Set(reportingEvents);

export const isOfJourney = (stored: LogEvent<JourneyInputEvent>): stored is LogEvent<SealedJourneyEvent> => ofJourneys.has(stored.event.type);
export const isSignal = (stored: LogEvent<JourneyInputEvent>): stored is LogEvent<SignalEvent> => ofSignals.has(stored.event.type);
export const isSchedule = (stored: LogEvent<JourneyInputEvent>): stored is LogEvent<JourneyScheduleEvent> =>
  (scheduleTypes as readonly string[]).includes(stored.event.type);
export const isSweep = (stored: LogEvent<JourneyInputEvent>): stored is LogEvent<JourneySweepEvent> => stored.event.type === 'JourneySweepCompleted';
export const isReport = (stored: LogEvent<JourneyInputEvent>): stored is LogEvent<MessageReportEvent> => ofReports.has(stored.event.type);
export const isOfSettings = (stored: LogEvent<JourneyInputEvent>): stored is LogEvent<SettingsChangedEvent> =>
  stored.event.type === 'SettingsChanged';
/** Something after which rules may hold. */
const isChange = (type: string): boolean => ofChanges.has(type);

/** The note of the message that a report is about. */
export const noteOf = ({ stream }: LogEvent): string => awaitedMessageNoteId(messageIdOf(stream));

/** Events after which other contacts get another holder, too. */
const takesParts: ReadonlySet<string> = new Set(['ContactMerged', 'ContactUnmerged']);
const endTypes: ReadonlySet<string> = new Set(['EnrollmentExited', 'ContactDeleted', 'ContactErased']);

/** The contacts that an event names. */
function contactsOf({ type, data }: OfContact): string[] {
  if (type === 'ContactMerged' || type === 'EnrollmentMoved') return [data.contact_id, data.into];
  return type === 'ContactUnmerged' ? [data.contact_id, data.from] : [data.contact_id];
}

/** Ids of the to-dos and notes. */
export function journeyReads(stored: LogEvent<JourneyInputEvent>): Reads {
  if (isReport(stored)) return { notes: [noteOf(stored)] };
  if (isSchedule(stored)) return scheduleReads(stored);
  if (isSweep(stored)) return { todos: [sweepTodoId(stored.event.data)] };
  const notes = [journeysNoteId(stored.meta.account)];
  if (isOfSettings(stored)) return { notes };
  if (isOfJourney(stored)) {
    const { event, id } = stored;
    const version = event.type === 'JourneyPublished' ? [versionNoteId(event.data.journey_id, event.data.version)] : [];
    const sweeps = [id, existingSweepId(id), dateSweepId(id, event.data.journey_id)].map((sweep_id) => sweepTodoId({ sweep_id }));
    return { notes: [...notes, ...version], todos: [...sweeps, scheduleTodoId(event.data.journey_id)] };
  }
  const event = stored.event as OfContact;
  return {
    notes: [...notes, ...awaitedReads(event)],
    todos: [...contactsOf(event).map(contactTodoId), ...(endTypes.has(event.type) ? [endTodoId(event.data.contact_id)] : [])],
  };
}

const scheduleReads = ({ event }: LogEvent<JourneyScheduleEvent>): Reads => ({
  todos: [event.type === 'JourneyOccurrenceStarted' ? sweepTodoId({ sweep_id: event.data.occurrence_id }) : scheduleTodoId(event.data.journey_id)],
});

/** Those that depend on the first ones. */
export function furtherJourneyReads(stored: LogEvent<JourneyInputEvent>, memory: Memory): Reads {
  if (isSweep(stored) || isOfJourney(stored) || isSchedule(stored)) return {};
  if (isReport(stored)) return readsOfReport(memory.note<AwaitedMessageNote>(noteOf(stored)));
  const listed = memory.note<JourneysNote>(journeysNoteId(stored.meta.account))?.journeys ?? [];
  if (isOfSettings(stored)) return { todos: dateSweepsOf(stored, listed).map(sweepTodoId) };
  const event = stored.event as OfContact;
  const docs = contactsOf(event).flatMap((id) => contactTodo(memory, id) ?? []);
  const further = docs.flatMap(({ holder, parts }) => [...(holder === null ? [] : [holder]), ...(takesParts.has(event.type) ? parts : [])]);
  if (ofMessages(event.type)) {
    const [awaited] = awaitedReads(event);
    const known = awaited === undefined ? undefined : memory.note<AwaitedNote>(awaited);
    return {
      todos: further.map(contactTodoId),
      notes: [...versionsOf(listed, event as SealedEnrollmentEvent), ...furtherAwaited(event.type, known)],
    };
  }
  if (!isSignal(stored) && !isChange(event.type)) return { todos: further.map(contactTodoId) };
  // The enrollments of the holder are not loaded yet.
  const own = docs.flatMap(({ starts, enrollments }) => [...starts, ...enrollments].map((one) => versionNoteId(one.journey_id, one.version)));
  const current = further.length > 0 ? listed.flatMap(({ id, versions }) => versions.map((version) => versionNoteId(id, version))) : [];
  return { todos: further.map(contactTodoId), notes: [...new Set([...own, ...current])] };
}

/** Events after which the waits of the enrollment matter. */
const ofMessages = (type: string): boolean => type === 'EnrollmentNodeEntered' || concernsMessages(type);
const versionsOf = (journeys: readonly ListedJourney[], { data }: SealedEnrollmentEvent): string[] =>
  journeys.flatMap(({ id, versions }) => (id === data.journey_id ? versions.map((version) => versionNoteId(id, version)) : []));

const readsOfReport = (note: AwaitedMessageNote | undefined): Reads =>
  note ? { todos: [contactTodoId(note.contact_id)], notes: note.versions.map((version) => versionNoteId(note.journey_id, version)) } : {};

function contactTodo(memory: Memory, contact: string): ContactTodo | undefined {
  const id = contactTodoId(contact);
  return memory.isLoaded('todo', id) ? (memory.todo(id) as ContactTodo | undefined) : undefined;
}
