import type { SealedConsentEvent } from '../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent } from '../../domain/journeys/entry.js';
import type { SealedJourneyEvent } from '../../domain/journeys/journey.js';
import type { JourneySweepEvent } from '../../domain/journeys/sweep.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { SealedMembershipEvent } from '../../domain/lists/membership.js';
import { hashId } from '../../log/ids.js';
import { type HappeningEvent, happeningsOf, happeningTypes } from '../../log/journeys/happenings.js';
import type { LogEvent } from '../../log/log-event.js';
import type { Intention, LoadedState, Outcome, PerformContext, ProcessManager, Reads } from '../kernel.js';
import { TODOS, todoList } from '../todo-list.js';
import { ContactChange } from './contact-change.js';
import { type ContactTodo, contactTodoId } from './contact-todo.js';
import { type JourneysNote, journeysAfter, journeysNoteId, type VersionNote, versionNote, versionNoteId } from './listening.js';
import { afterExit, type EnrollmentFinder, endTodo, endTodoId, type OtherTodo, performOther, sweepIntentions, sweepTodoId } from './other-todos.js';
import { isTimeOnly, performContact } from './perform-contact.js';

type Change =
  | Extract<SealedContactEvent, { type: 'ContactUpdated' }>
  | SealedConsentEvent
  | Extract<SealedMembershipEvent, { type: 'ListUnsubscribed' | 'ListCleaned' }>;
type Link = Extract<SealedContactEvent, { type: 'ContactMerged' | 'ContactUnmerged' | 'ContactDeleted' | 'ContactErased' }>;
type OfContact = HappeningEvent | Change | Link | JourneyEntryEvent | SealedEnrollmentEvent;
type Handled = OfContact | SealedJourneyEvent | JourneySweepEvent;
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

const isSweep = (stored: LogEvent<Handled>): stored is LogEvent<JourneySweepEvent> => stored.event.type === 'JourneySweepCompleted';

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
    version: 2,
    handles: [
      ...journeyTypes,
      ...happeningTypes,
      ...changeTypes,
      ...(['ContactMerged', 'ContactUnmerged', 'ContactDeleted', 'ContactErased'] as const),
      'JourneyEntryRefused',
      'JourneySweepCompleted',
      ...enrollmentTypes,
    ],
    opens: ['CustomEventRecorded'],
    furtherSubjects: (todo) => (todo.kind === 'contact' ? [todo.contact, ...todo.parts] : []),
    reads,
    readsMore,
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
  if (isSweep(stored)) return { todos: [sweepTodoId(stored.event.data)] };
  const notes = [journeysNoteId(stored.meta.account)];
  if (isOfJourney(stored)) {
    const { event, id } = stored;
    const version = event.type === 'JourneyPublished' ? [versionNoteId(event.data.journey_id, event.data.version)] : [];
    return { notes: [...notes, ...version], todos: [sweepTodoId({ sweep_id: id })] };
  }
  const event = stored.event as OfContact;
  return {
    notes,
    todos: [...contactsOf(event).map(contactTodoId), ...(endTypes.has(event.type) ? [endTodoId(event.data.contact_id)] : [])],
  };
}

function readsMore(stored: LogEvent<Handled>, memory: Memory): Reads {
  if (isSweep(stored) || isOfJourney(stored)) return {};
  const event = stored.event as OfContact;
  const docs = contactsOf(event).flatMap((id) => contactTodo(memory, id) ?? []);
  const further = docs.flatMap(({ holder, parts }) => [...(holder === null ? [] : [holder]), ...(event.type === 'ContactMerged' ? parts : [])]);
  if (!isHappening(stored) && !ofChanges.has(event.type)) return { todos: further.map(contactTodoId) };
  const journeys = memory.note<JourneysNote>(journeysNoteId(stored.meta.account))?.journeys ?? [];
  // The enrollments of the holder are not loaded yet.
  const own = docs.flatMap(({ starts, enrollments }) => [...starts, ...enrollments].map((one) => versionNoteId(one.journey_id, one.version)));
  const current = further.length > 0 ? journeys.flatMap(({ id, versions }) => versions.map((version) => versionNoteId(id, version))) : [];
  return { todos: further.map(contactTodoId), notes: [...new Set([...own, ...current])] };
}

function contactTodo(memory: Memory, contact: string): ContactTodo | undefined {
  const id = contactTodoId(contact);
  return memory.isLoaded(id) ? (memory.todo(id) as ContactTodo | undefined) : undefined;
}

function react(stored: LogEvent<Handled>, memory: Memory): readonly Intention[] {
  if (isSweep(stored)) return [{ do: 'cancel', id: sweepTodoId(stored.event.data) }];
  const journeysId = journeysNoteId(stored.meta.account);
  const journeys = memory.note<JourneysNote>(journeysId)?.journeys ?? [];
  if (isOfJourney(stored)) {
    const { event } = stored;
    const next = journeysAfter(journeys, event);
    const version: Intention[] =
      event.type === 'JourneyPublished'
        ? [{ do: 'store-note', note: versionNote(event.data.journey_id, event.data.version, event.data.definition) }]
        : [];
    return [{ do: 'store-note', note: { id: journeysId, journeys: next } }, ...version, ...sweepIntentions(stored, journeys)];
  }
  const docs = { isLoaded: (id: string) => memory.isLoaded(id), todo: (id: string) => memory.todo(id) as ContactTodo | undefined };
  const version = (journey: string, number: number): VersionNote | undefined => {
    try {
      return memory.note<VersionNote>(versionNoteId(journey, number));
    } catch {
      return undefined;
    }
  };
  const change = new ContactChange(stored, docs, { journeys, version });
  if (isHappening(stored)) {
    for (const happening of happeningsOf(stored)) change.happened(happening);
    return ignoreNone(change.intentions());
  }
  return ignoreNone(ofContact(stored as LogEvent<Exclude<OfContact, HappeningEvent>>, change, memory));
}

const ignoreNone = (intentions: readonly Intention[]): readonly Intention[] =>
  intentions.length > 0 ? intentions : [{ do: 'ignore', reason: 'no_journey_is_concerned' }];

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
