/** How the list of enrollments follows the log. */
import type { SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import { messageReportOf } from '../../domain/segments/message-reports.js';
import type { SignalEvent } from '../../log/aggregates/journeys/contact-signals.js';
import { confirmedSignalOf, contactSignalsOf } from '../../log/aggregates/journeys/contact-signals.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention } from '../runtime/process-manager.js';
import { type AwaitedMessageNote, type AwaitedNote, awaitedIntentions, awaitedNoteId, concernsMessages } from './awaited-messages.js';
import { JourneyContactChange } from './contact-change.js';
import { type ContactTodo, contactTodoId } from './contact-todo.js';
import { dateSweepIntentions, settingsIntentions } from './date-timers.js';
import { type JourneysNote, journeysAfter, journeysNoteId, type ListedJourney, type VersionNote, versionNote, versionNoteId } from './listening.js';
import {
  afterExit,
  endTodo,
  endTodoId,
  existingIntentions,
  type OtherTodo,
  occurrenceIntentions,
  sweepIntentions,
  sweepTodoId,
} from './other-todos.js';
import {
  isOfJourney,
  isOfSettings,
  isReport,
  isSchedule,
  isSignal,
  isSweep,
  type JourneyInputEvent,
  type Memory,
  type MessageReportEvent,
  noteOf,
  type OfContact,
} from './reads.js';
import { afterPlan, scheduleAfter } from './schedule-todos.js';

/** The notes of the versions of the journey of an enrollment. */
const notesOf = (journeys: readonly ListedJourney[], { data }: SealedEnrollmentEvent, noteOf: (id: string, n: number) => VersionNote | undefined) =>
  journeys
    .filter(({ id }) => id === data.journey_id)
    .flatMap(({ versions }) =>
      versions.flatMap((version) => {
        const note = noteOf(data.journey_id, version);
        return note ? [[version, note] as const] : [];
      }),
    );

/** Undefined where it was not loaded, too. */
function versionIn(memory: Pick<Memory, 'isLoaded' | 'note'>, journey: string, number: number): VersionNote | undefined {
  const id = versionNoteId(journey, number);
  return memory.isLoaded('note', id) ? memory.note<VersionNote>(id) : undefined;
}

/** The messages that waits wait for. */
export function reactNotes(stored: LogEvent<JourneyInputEvent>, memory: Pick<Memory, 'isLoaded' | 'note'>): readonly Intention[] {
  if (!concernsMessages(stored.event.type)) return [];
  const event = stored.event as SealedEnrollmentEvent;
  const journeys = memory.note<JourneysNote>(journeysNoteId(stored.meta.account))?.journeys ?? [];
  const versions = notesOf(journeys, event, (journey, number) => versionIn(memory, journey, number));
  return awaitedIntentions(event, memory.note<AwaitedNote>(awaitedNoteId(event.data.enrollment_id)), versions);
}

/** The changes of to-dos and notes. */
export function reactToJourneyInput(stored: LogEvent<JourneyInputEvent>, memory: Memory): readonly Intention[] {
  if (isSweep(stored)) return [{ do: 'cancel', id: sweepTodoId(stored.event.data) }];
  if (isReport(stored)) return ofReport(stored, memory);
  if (isSchedule(stored)) return [...afterPlan(stored), ...occurrenceIntentions(stored)];
  const journeysId = journeysNoteId(stored.meta.account);
  const journeys = memory.note<JourneysNote>(journeysId)?.journeys ?? [];
  if (isOfSettings(stored)) return ignoreNone(settingsIntentions(stored, journeys));
  if (isOfJourney(stored)) {
    const { event } = stored;
    const next = journeysAfter(journeys, event);
    const version: Intention[] =
      event.type === 'JourneyPublished'
        ? [{ do: 'store-note', note: versionNote(event.data.journey_id, event.data.version, event.data.definition) }]
        : [];
    return [
      { do: 'store-note', note: { id: journeysId, journeys: next } },
      ...version,
      ...sweepIntentions(stored, journeys),
      ...existingIntentions(stored),
      ...dateSweepIntentions(stored, journeys, next),
      ...scheduleAfter(stored, next),
    ];
  }
  const docs = { isLoaded: (id: string) => memory.isLoaded('todo', id), todo: (id: string) => memory.todo(id) as ContactTodo | undefined };
  const version = (journey: string, number: number) => versionIn(memory, journey, number);
  const change = new JourneyContactChange(stored, docs, { journeys, version });
  if (isSignal(stored)) {
    for (const contactSignal of contactSignalsOf(stored)) change.happened(contactSignal);
    if (stored.event.type === 'ContactCreated') change.dates(stored.event);
    return ignoreNone(change.intentions());
  }
  return ignoreNone(ofContact(stored as LogEvent<Exclude<OfContact, SignalEvent>>, change, memory));
}

const ignoreNone = (intentions: readonly Intention[]): readonly Intention[] =>
  intentions.length > 0 ? intentions : [{ do: 'ignore', reason: 'no_journey_is_concerned' }];

/** What became of a message, for the wait that waits for it. What programs opened or clicked does not count. */
function ofReport(stored: LogEvent<MessageReportEvent>, memory: Memory): readonly Intention[] {
  const note = memory.note<AwaitedMessageNote>(noteOf(stored));
  const report = messageReportOf(stored.event);
  if (!note || !report || report.machine) return ignoreNone([]);
  const docs = { isLoaded: (id: string) => memory.isLoaded('todo', id), todo: (id: string) => memory.todo(id) as ContactTodo | undefined };
  // While its contact is merged, the wait looks at the message when the enrollment has moved.
  if ((docs.todo(contactTodoId(note.contact_id))?.holder ?? null) !== null) return ignoreNone([]);
  const version = (journey: string, number: number): VersionNote | undefined =>
    journey === note.journey_id && note.versions.includes(number) ? memory.note<VersionNote>(versionNoteId(journey, number)) : undefined;
  const change = new JourneyContactChange(stored, docs, { journeys: [], version });
  const event_id = hashId('evt', stored.id);
  change.happened({
    ...{ contact_id: note.contact_id, enrollment_id: note.enrollment_id, trigger_id: stored.id, occurred_at: report.occurred_at },
    ...{ target: note.node, origin: 'direct', meets: () => false, keyAt: () => null },
    started_by: { type: 'message', name: report.action, event_id },
  });
  return ignoreNone(change.intentions());
}

function ofContact(stored: LogEvent<Exclude<OfContact, SignalEvent>>, change: JourneyContactChange, memory: Memory): readonly Intention[] {
  const { event } = stored;
  switch (event.type) {
    case 'JourneyEntryRefused':
      change.refused(event);
      return change.intentions();
    case 'JourneyEntryAdmitted':
      return [];
    case 'ContactMerged':
      change.merge(event.data);
      return change.intentions();
    case 'ContactUnmerged':
      change.unmerge(event.data);
      return change.intentions();
    case 'ContactDeleted':
    case 'ContactErased': {
      const ended = change.end(event.data.contact_id);
      return [
        ...change.intentions(),
        ...endTodo(
          stored,
          event.data,
          ended.map(({ id }) => id),
        ),
      ];
    }
    case 'ContactUpdated': {
      const confirmed = confirmedSignalOf({ ...stored, event });
      if (confirmed) change.happened(confirmed);
      change.dates(event);
      change.changed(event.data.contact_id, hashId('evt', stored.id));
      return change.intentions();
    }
    case 'JourneyDatePlanned':
      change.datePlanned(event);
      return change.intentions();
    case 'JourneyDateReached':
      return [];
    case 'ConsentGranted':
    case 'ConsentWithdrawn':
    case 'ConsentRequested':
    case 'ListUnsubscribed':
    case 'ListCleaned':
      change.changed(event.data.contact_id, hashId('evt', stored.id));
      return change.intentions();
    default: {
      change.enrollment(event);
      const ending = event.type === 'EnrollmentExited' ? (memory.todo(endTodoId(event.data.contact_id)) as OtherTodo | undefined) : undefined;
      return [...change.intentions(), ...(ending ? afterExit(ending, event.data.enrollment_id) : [])];
    }
  }
}
