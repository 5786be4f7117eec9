import type { SealedConsentEvent } from '../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent } from '../../domain/journeys/entry.js';
import type { SealedJourneyEvent } from '../../domain/journeys/journey.js';
import type { JourneyScheduleEvent } from '../../domain/journeys/schedule.js';
import type { JourneySweepEvent } from '../../domain/journeys/sweep.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { SealedMembershipEvent } from '../../domain/lists/membership.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { reportingEvents, reportOf } from '../../domain/segments/message-reports.js';
import { hashId } from '../../log/ids.js';
import { type HappeningEvent, happeningsOf, happeningTypes } from '../../log/journeys/happenings.js';
import type { LogEvent } from '../../log/log-event.js';
import type { Intention, LoadedState, Outcome, PerformContext, ProcessManager, Reads } from '../kernel.js';
import { TODOS, todoList } from '../todo-list.js';
import {
  type AwaitedNote,
  awaitedIntentions,
  awaitedNoteId,
  awaitedReads,
  concernsMessages,
  furtherAwaited,
  type MessageNote,
  messageNoteId,
} from './awaited-messages.js';
import { ContactChange } from './contact-change.js';
import { type ContactTodo, contactTodoId } from './contact-todo.js';
import { type JourneysNote, journeysAfter, journeysNoteId, type ListedJourney, type VersionNote, versionNote, versionNoteId } from './listening.js';
import {
  afterExit,
  type EnrollmentFinder,
  endTodo,
  endTodoId,
  existingIntentions,
  existingSweepId,
  type OtherTodo,
  occurrenceIntentions,
  performOther,
  sweepIntentions,
  sweepTodoId,
} from './other-todos.js';
import { isTimeOnly, performContact } from './perform-contact.js';
import { afterPlan, scheduleAfter, scheduleTodoId } from './schedule-todos.js';

type Change =
  | Extract<SealedContactEvent, { type: 'ContactUpdated' }>
  | SealedConsentEvent
  | Extract<SealedMembershipEvent, { type: 'ListUnsubscribed' | 'ListCleaned' }>;
type Link = Extract<SealedContactEvent, { type: 'ContactMerged' | 'ContactUnmerged' | 'ContactDeleted' | 'ContactErased' }>;
type OfContact = HappeningEvent | Change | Link | JourneyEntryEvent | SealedEnrollmentEvent;
type Report = Extract<SealedMessageEvent, { type: (typeof reportingEvents)[number] }>;
type Handled = OfContact | SealedJourneyEvent | JourneySweepEvent | JourneyScheduleEvent | Report;
type AnyTodo = ContactTodo | OtherTodo;
type Memory = LoadedState<AnyTodo>;

const journeyTypes = [
  'JourneyPublished',
  'JourneyPaused',
  'JourneyResumed',
  'JourneyStopped',
  'JourneyArchived',
  'JourneyDeleted',
] as const satisfies readonly SealedJourneyEvent['type'][];
const ofJourneys: ReadonlySet<string> = new Set(journeyTypes);
const ofHappenings: ReadonlySet<string> = new Set(happeningTypes);
const changeTypes = ['ContactUpdated', 'ConsentGranted', 'ConsentWithdrawn', 'ConsentRequested', 'ListUnsubscribed', 'ListCleaned'] as const;
const ofChanges: ReadonlySet<string> = new Set(changeTypes);

const isOfJourney = (stored: LogEvent<Handled>): stored is LogEvent<SealedJourneyEvent> => ofJourneys.has(stored.event.type);
const isHappening = (stored: LogEvent<Handled>): stored is LogEvent<HappeningEvent> => ofHappenings.has(stored.event.type);

const scheduleTypes = ['JourneyOccurrencePlanned', 'JourneyOccurrenceStarted'] as const;
const isSchedule = (stored: LogEvent<Handled>): stored is LogEvent<JourneyScheduleEvent> =>
  (scheduleTypes as readonly string[]).includes(stored.event.type);
const isSweep = (stored: LogEvent<Handled>): stored is LogEvent<JourneySweepEvent> => stored.event.type === 'JourneySweepCompleted';

const ofReports: ReadonlySet<string> = new Set(reportingEvents);
const isReport = (stored: LogEvent<Handled>): stored is LogEvent<Report> => ofReports.has(stored.event.type);
const noteOf = ({ stream }: LogEvent): string => messageNoteId(messageIdOf(stream));

const BATCH = 50;
/** How long a timer waits for the list to have what the log has, in milliseconds. */
const CATCH_UP_MS = 2_000;
const TRY_AGAIN_MS = 50;

/**
 * Leads contacts through journeys: its list has one document a contact, with what may start a journey for it and its enrollments. What
 * happens to a contact is matched as the list is made; what is due is done by commands, and from the events that they record it comes back
 * to the list. Before a timer fires, the list has everything that is in the log: so what happened first counts first.
 */
export function keepEnrollments(parts: { readonly views: () => ReadModels; readonly find: EnrollmentFinder }): ProcessManager<Handled, AnyTodo> {
  const process: ProcessManager<Handled, AnyTodo> = {
    name: 'journeys/enrollments',
    version: 4,
    handles: [
      ...journeyTypes,
      ...happeningTypes,
      ...changeTypes,
      ...(['ContactMerged', 'ContactUnmerged', 'ContactDeleted', 'ContactErased'] as const),
      'JourneyEntryRefused',
      'JourneySweepCompleted',
      ...scheduleTypes,
      ...reportingEvents,
      ...enrollmentTypes,
    ],
    opens: ['CustomEventRecorded'],
    furtherSubjects: (todo) => (todo.kind === 'contact' ? [todo.contact, ...todo.parts] : []),
    reads,
    readsMore,
    reactNotes,
    react,
    concurrency: { lane: 8, total: 32 },
    batch: { max: BATCH },
    perform: (todos, performing) => perform(process, parts, todos, performing),
  };
  return process;
}

const enrollmentTypes = [
  'EnrollmentStarted',
  'EnrollmentNodeEntered',
  'EnrollmentTimerSet',
  'EnrollmentTimerFired',
  'EnrollmentTimerHeld',
  'EnrollmentTimerReleased',
  'EnrollmentBranchTaken',
  'EnrollmentWaitChecked',
  'EnrollmentEventCollected',
  'EnrollmentSendRequested',
  'EnrollmentSendSkipped',
  'EnrollmentActionTaken',
  'EnrollmentGoalReached',
  'EnrollmentMigrated',
  'EnrollmentMoved',
  'EnrollmentExited',
] as const satisfies readonly SealedEnrollmentEvent['type'][];

const endTypes: ReadonlySet<string> = new Set(['EnrollmentExited', 'ContactDeleted', 'ContactErased']);

/** The contacts that an event names. */
function contactsOf({ type, data }: OfContact): string[] {
  if (type === 'ContactMerged' || type === 'EnrollmentMoved') return [data.contact_id, data.into];
  return type === 'ContactUnmerged' ? [data.contact_id, data.from] : [data.contact_id];
}

function reads(stored: LogEvent<Handled>): Reads {
  if (isReport(stored)) return { notes: [noteOf(stored)] };
  if (isSchedule(stored)) return scheduleReads(stored);
  if (isSweep(stored)) return { todos: [sweepTodoId(stored.event.data)] };
  const notes = [journeysNoteId(stored.meta.account)];
  if (isOfJourney(stored)) {
    const { event, id } = stored;
    const version = event.type === 'JourneyPublished' ? [versionNoteId(event.data.journey_id, event.data.version)] : [];
    const sweeps = [id, existingSweepId(id)].map((sweep_id) => sweepTodoId({ sweep_id }));
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

function readsMore(stored: LogEvent<Handled>, memory: Memory): Reads {
  if (isSweep(stored) || isOfJourney(stored) || isSchedule(stored)) return {};
  if (isReport(stored)) return readsOfReport(memory.note<MessageNote>(noteOf(stored)));
  const event = stored.event as OfContact;
  const docs = contactsOf(event).flatMap((id) => contactTodo(memory, id) ?? []);
  const further = docs.flatMap(({ holder, parts }) => [...(holder === null ? [] : [holder]), ...(event.type === 'ContactMerged' ? parts : [])]);
  const journeys = memory.note<JourneysNote>(journeysNoteId(stored.meta.account))?.journeys ?? [];
  if (ofMessages(event.type)) {
    const [awaited] = awaitedReads(event);
    const known = awaited === undefined ? undefined : memory.note<AwaitedNote>(awaited);
    return {
      todos: further.map(contactTodoId),
      notes: [...versionsOf(journeys, event as SealedEnrollmentEvent), ...furtherAwaited(event.type, known)],
    };
  }
  if (!isHappening(stored) && !ofChanges.has(event.type)) return { todos: further.map(contactTodoId) };
  // The enrollments of the holder are not loaded yet.
  const own = docs.flatMap(({ starts, enrollments }) => [...starts, ...enrollments].map((one) => versionNoteId(one.journey_id, one.version)));
  const current = further.length > 0 ? journeys.flatMap(({ id, versions }) => versions.map((version) => versionNoteId(id, version))) : [];
  return { todos: further.map(contactTodoId), notes: [...new Set([...own, ...current])] };
}

/** Events after which the waits of the enrollment matter. */
const ofMessages = (type: string): boolean => type === 'EnrollmentNodeEntered' || concernsMessages(type);
const versionsOf = (journeys: readonly ListedJourney[], { data }: SealedEnrollmentEvent): string[] =>
  journeys.flatMap(({ id, versions }) => (id === data.journey_id ? versions.map((version) => versionNoteId(id, version)) : []));

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

const readsOfReport = (note: MessageNote | undefined): Reads =>
  note ? { todos: [contactTodoId(note.contact_id)], notes: note.versions.map((version) => versionNoteId(note.journey_id, version)) } : {};

function contactTodo(memory: Memory, contact: string): ContactTodo | undefined {
  const id = contactTodoId(contact);
  return memory.isLoaded(id) ? (memory.todo(id) as ContactTodo | undefined) : undefined;
}

const versionIn = (memory: Pick<Memory, 'note'>, journey: string, number: number): VersionNote | undefined => {
  try {
    return memory.note<VersionNote>(versionNoteId(journey, number));
  } catch {
    return undefined;
  }
};

/** The messages that waits wait for. */
function reactNotes(stored: LogEvent<Handled>, memory: Pick<Memory, 'note'>): readonly Intention[] {
  if (!concernsMessages(stored.event.type)) return [];
  const event = stored.event as SealedEnrollmentEvent;
  const journeys = memory.note<JourneysNote>(journeysNoteId(stored.meta.account))?.journeys ?? [];
  const versions = notesOf(journeys, event, (journey, number) => versionIn(memory, journey, number));
  return awaitedIntentions(event, memory.note<AwaitedNote>(awaitedNoteId(event.data.enrollment_id)), versions);
}

function react(stored: LogEvent<Handled>, memory: Memory): readonly Intention[] {
  if (isSweep(stored)) return [{ do: 'cancel', id: sweepTodoId(stored.event.data) }];
  if (isReport(stored)) return ofReport(stored, memory);
  if (isSchedule(stored)) return [...afterPlan(stored), ...occurrenceIntentions(stored)];
  const journeysId = journeysNoteId(stored.meta.account);
  const journeys = memory.note<JourneysNote>(journeysId)?.journeys ?? [];
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
      ...scheduleAfter(stored, next),
    ];
  }
  const docs = { isLoaded: (id: string) => memory.isLoaded(id), todo: (id: string) => memory.todo(id) as ContactTodo | undefined };
  const version = (journey: string, number: number) => versionIn(memory, journey, number);
  const change = new ContactChange(stored, docs, { journeys, version });
  if (isHappening(stored)) {
    for (const happening of happeningsOf(stored)) change.happened(happening);
    return ignoreNone(change.intentions());
  }
  return ignoreNone(ofContact(stored as LogEvent<Exclude<OfContact, HappeningEvent>>, change, memory));
}

const ignoreNone = (intentions: readonly Intention[]): readonly Intention[] =>
  intentions.length > 0 ? intentions : [{ do: 'ignore', reason: 'no_journey_is_concerned' }];

/** What became of a message, for the wait that waits for it. What programs opened or clicked does not count. */
function ofReport(stored: LogEvent<Report>, memory: Memory): readonly Intention[] {
  const note = memory.note<MessageNote>(noteOf(stored));
  const report = reportOf(stored.event);
  if (!note || !report || report.machine) return ignoreNone([]);
  const docs = { isLoaded: (id: string) => memory.isLoaded(id), todo: (id: string) => memory.todo(id) as ContactTodo | undefined };
  // While its contact is merged, the wait looks at the message when the enrollment has moved.
  if ((docs.todo(contactTodoId(note.contact_id))?.holder ?? null) !== null) return ignoreNone([]);
  const version = (journey: string, number: number): VersionNote | undefined =>
    journey === note.journey_id && note.versions.includes(number) ? memory.note<VersionNote>(versionNoteId(journey, number)) : undefined;
  const change = new ContactChange(stored, docs, { journeys: [], version });
  const event_id = hashId('evt', stored.id);
  change.happened({
    ...{ contact_id: note.contact_id, enrollment_id: note.enrollment_id, trigger_id: stored.id, occurred_at: report.occurred_at },
    ...{ target: note.node, because: 'itself', meets: () => false, keyAt: () => null },
    started_by: { type: 'message', name: report.action, event_id },
  });
  return ignoreNone(change.intentions());
}

function ofContact(stored: LogEvent<Exclude<OfContact, HappeningEvent>>, change: ContactChange, memory: Memory): readonly Intention[] {
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
    case 'ContactUpdated':
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

async function perform(
  process: ProcessManager<Handled, AnyTodo>,
  { views, find }: { readonly views: () => ReadModels; readonly find: EnrollmentFinder },
  todos: readonly AnyTodo[],
  performing: PerformContext,
): Promise<readonly Outcome[]> {
  const list = todoList(process);
  const needsTime = todos.some((todo) => todo.kind === 'contact' && isTimeOnly(todo));
  const head = needsTime ? await performing.log.store.head() : 'start';
  const upToDate = head === 'start' || (await views().waitUntilReached(list, head, CATCH_UP_MS, performing.signal));
  const one = async (todo: AnyTodo): Promise<Outcome> => {
    if (todo.kind !== 'contact') return performOther(todo, performing, find);
    if (!isTimeOnly(todo)) return performContact(todo, performing);
    if (!upToDate) return { retry_at: performing.clock.now() + TRY_AGAIN_MS };
    const latest = (await views().docs<ContactTodo>(list, TODOS).get(todo.id)) ?? todo;
    return performContact(latest, performing);
  };
  return Promise.all(todos.map((todo) => one(todo).catch((e: unknown) => (e instanceof Error ? e : new Error(String(e))))));
}
