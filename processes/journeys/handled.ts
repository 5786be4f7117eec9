/** The events that the list of enrollments is made from. */
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
import type { SealedMessageEvent } from '../../domain/messages/message.js';
import { reportingEvents } from '../../domain/segments/message-reports.js';
import { type SignalEvent, signalTypes } from '../../log/aggregates/journeys/contact-signals.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { ReactionMemory } from '../runtime/process-manager.js';
import type { ContactTodo } from './contact-todo.js';
import type { OtherTodo } from './other-todos.js';

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
export const isChange = (type: string): boolean => ofChanges.has(type);
