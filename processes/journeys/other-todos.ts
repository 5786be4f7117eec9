/** Work on many enrollments: what follows from a change of a journey, and the end of a contact. */
import { completeSweep } from '../../commands/journeys/complete-sweep.js';
import { planContactDate } from '../../commands/journeys/contact-dates.js';
import { exitEnrollments, releaseEnrollments } from '../../commands/journeys/end-enrollments.js';
import { enrollContact } from '../../commands/journeys/enroll-contact.js';
import { migrateEnrollment } from '../../commands/journeys/migrate-enrollment.js';
import type { StartedBy } from '../../domain/journeys/enrollment.js';
import type { SealedJourneyEvent } from '../../domain/journeys/journey.js';
import type { JourneyScheduleEvent } from '../../domain/journeys/schedule.js';
import type { SweepKind } from '../../domain/journeys/sweep.js';
import { type Checkpoint, isAfter } from '../../domain/kernel/ports.js';
import { fullFieldName } from '../../domain/segments/fields.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention, PerformContext, PerformOutcome, Todo } from '../runtime/process-manager.js';
import type { ListedJourney } from './listening.js';
import { performSchedule, type ScheduleTodo } from './schedule-todos.js';

interface SweepTodo extends Todo {
  readonly kind: 'sweep';
  readonly correlation: string;
  readonly journey_id: string;
  readonly sweep_id: string;
  readonly change: SweepKind;
  /** Of a migration: where to; of entries: with which one. */
  readonly version: number;
  /** Of entries: whose contacts enter, and by what. */
  /** Of dates: the field that contacts have, and from when on it counts. */
  readonly dates?: { readonly field: string; readonly since: string };
  readonly entries?: { readonly segment_id: string; readonly trigger: StartedBy; readonly occurred_at: string };
}
interface EndTodo extends Todo {
  readonly kind: 'end';
  readonly correlation: string;
  readonly contact: string;
  readonly ids: readonly string[];
}
export type OtherTodo = SweepTodo | EndTodo | ScheduleTodo;

/** Enrollments of a journey that have not ended, by the read model. */
export interface EnrollmentFinder {
  /** Whether it has everything that is in the log now; waits for a moment. */
  upToDate(): Promise<boolean>;
  /** Contacts of a segment in the order of their ids, after one of them. */
  members(log: EventLog, segment: string, after: string | null): Promise<{ readonly ids: readonly string[]; readonly next: string | null }>;
  /** Contacts that have a field, in the order of their creation, after a cursor. */
  contacts(
    log: EventLog,
    account: string,
    field: string,
    after: string | null,
  ): Promise<{ readonly ids: readonly string[]; readonly next: string | null }>;
  /** In the order of their start, after a cursor. */
  page(
    account: string,
    journey: string,
    filter: { readonly held?: true; readonly below?: number },
    after: string | null,
  ): Promise<{ readonly ids: readonly string[]; readonly next: string | null }>;
}

/** Held enrollments of a journey that go on in one second after it is resumed. */
const RESUMED_PER_SECOND = 100;
const TRY_AGAIN_MS = 200;
/** Contacts whose dates are planned at a time. */
const AT_ONCE = 20;

export const sweepTodoId = ({ sweep_id }: { readonly sweep_id: string }): string => `sweep/${sweep_id}`;
/** Does not begin with the id of the contact: it goes on when what is known of the contact is erased. */
export const endTodoId = (contact: string): string => `end/${contact}`;

/** What a change of a journey has to do with those who are in it. */
export function sweepIntentions({ event, meta, id }: LogEvent<SealedJourneyEvent>, before: readonly ListedJourney[]): Intention[] {
  const { journey_id, at } = event.data;
  const change = changeOf(
    event,
    before.find((one) => one.id === journey_id),
  );
  if (change === null) return [];
  const todo: SweepTodo = {
    ...{ id: sweepTodoId({ sweep_id: id }), kind: 'sweep', journey_id, sweep_id: id, change, correlation: meta.$correlationId },
    ...{ account: meta.account, due_at: Date.parse(at), priority: 2, lane: `sweep/${journey_id}` },
    version: event.type === 'JourneyPublished' ? event.data.version : 0,
  };
  return [{ do: 'schedule', todo }];
}

/** Those who are in the segment when the journey is published enter it, where its trigger says so. */
export function existingIntentions({ event, meta, id }: LogEvent<SealedJourneyEvent>): Intention[] {
  if (event.type !== 'JourneyPublished') return [];
  const { journey_id, version, definition, at } = event.data;
  const trigger = definition.nodes.find((node) => node.id === definition.start);
  if (trigger?.kind !== 'trigger' || trigger.on.type !== 'segment_entered' || trigger.on.include_existing !== true) return [];
  const started = { type: 'segment_entered', name: null, event_id: null };
  const entries = { segment_id: trigger.on.segment_id, trigger: started, occurred_at: at };
  return [entryTodo(meta, { journey_id, version, sweep_id: existingSweepId(id), at, entries })];
}
export const existingSweepId = (published: string): string => `${published}/existing`;

/** The contacts of the segment of a schedule enter when it is time. */
export function occurrenceIntentions({ event, meta }: LogEvent<JourneyScheduleEvent>): Intention[] {
  if (event.type !== 'JourneyOccurrenceStarted') return [];
  const { journey_id, version, occurrence_id, segment_id, at } = event.data;
  const trigger = { type: 'schedule', name: null, event_id: occurrence_id };
  return [entryTodo(meta, { journey_id, version, sweep_id: occurrence_id, at, entries: { segment_id, trigger, occurred_at: at } })];
}

type SweepEntries = Pick<Required<SweepTodo>, 'journey_id' | 'version' | 'sweep_id' | 'entries'> & { readonly at: string };
const entryTodo = (meta: LogEvent['meta'], { at, ...about }: SweepEntries): Intention => ({
  do: 'schedule',
  todo: {
    ...{ ...about, id: sweepTodoId(about), kind: 'sweep', change: 'enroll', correlation: meta.$correlationId, account: meta.account },
    ...{ due_at: Date.parse(at), priority: 2, lane: `sweep/${about.journey_id}` },
  } satisfies SweepTodo,
});

/** The dates of all contacts that have the field of a journey are planned. */
export const dateSweep = ({ meta }: LogEvent, sweep_id: string, { id: journey_id, version, trigger }: ListedJourney, since: string): Intention => ({
  do: 'schedule',
  todo: {
    ...{ id: sweepTodoId({ sweep_id }), kind: 'sweep', change: 'dates', journey_id, version, sweep_id, correlation: meta.$correlationId },
    ...{ account: meta.account, due_at: Date.parse(since), priority: 2, lane: `sweep/${journey_id}` },
    dates: { field: fullFieldName(trigger.type === 'date' ? trigger.field : ''), since },
  } satisfies SweepTodo,
});

function changeOf(event: SealedJourneyEvent, before: ListedJourney | undefined): SweepKind | null {
  if (event.type === 'JourneyPublished') return before && event.data.in_flight === 'migrate' ? 'migrate' : null;
  if (event.type === 'JourneyResumed') return 'resume';
  return event.type === 'JourneyStopped' || event.type === 'JourneyArchived' || event.type === 'JourneyDeleted' ? 'stop' : null;
}

/** The enrollments of a contact that is deleted or erased. */
export function endTodo({ meta }: LogEvent, { contact_id: contact, at }: { contact_id: string; at: string }, ids: readonly string[]): Intention[] {
  if (ids.length === 0) return [];
  const about = { account: meta.account, correlation: meta.$correlationId, due_at: Date.parse(at), priority: 1, lane: 'journeys' } as const;
  return [{ do: 'schedule', todo: { id: endTodoId(contact), kind: 'end', contact, ids, ...about } satisfies EndTodo }];
}

/** One of them has ended. */
export function afterExit(todo: OtherTodo, enrollment: string): Intention[] {
  if (todo.kind !== 'end') return [];
  const ids = todo.ids.filter((id) => id !== enrollment);
  return ids.length === 0 ? [{ do: 'cancel', id: todo.id }] : [{ do: 'schedule', todo: { ...todo, ids } as EndTodo }];
}

export async function performOther(todo: OtherTodo, performing: PerformContext, find: EnrollmentFinder): Promise<PerformOutcome> {
  const { account, correlation } = todo;
  if (todo.kind === 'sweep') return sweep(todo, performing, find);
  if (todo.kind === 'schedule') return performSchedule(todo, performing);
  const cause = { account, correlation, about: `${todo.id}/${todo.ids.join()}` };
  return (await performing.execute(exitEnrollments, { ids: todo.ids, reason: 'contact_deleted' }, cause)).position;
}

async function sweep(todo: SweepTodo, { execute, clock, signal, log }: PerformContext, find: EnrollmentFinder): Promise<PerformOutcome> {
  const { account, correlation, journey_id, sweep_id, change, version } = todo;
  if (!(await find.upToDate())) return { retry_at: clock.now() + TRY_AGAIN_MS };
  const began = clock.now();
  let enrollments = 0;
  const filter = change === 'resume' ? { held: true as const } : change === 'migrate' ? { below: version } : {};
  for (let after: string | null = null; ; ) {
    const { ids, next }: Awaited<ReturnType<EnrollmentFinder['page']>> = await pageAfter(after);
    if (signal.aborted) throw new Error('stopped before everybody was looked at');
    if (ids.length > 0) await work(ids, enrollments);
    enrollments += ids.length;
    if (next === null) break;
    after = next;
  }
  const about = { account, correlation, about: sweep_id };
  return (await execute(completeSweep, { journey_id, sweep_id, change, enrollments }, about)).position;

  function pageAfter(after: string | null) {
    if (todo.entries) return find.members(log, todo.entries.segment_id, after);
    return todo.dates ? find.contacts(log, account, todo.dates.field, after) : find.page(account, journey_id, filter, after);
  }

  async function planned(ids: readonly string[], since: string): Promise<Checkpoint> {
    const plan = async (contact_id: string) => {
      const cause = { account, correlation, about: `${sweep_id}/${contact_id}` };
      return (await execute(planContactDate, { journey_id, contact_id, since, event_id: null }, cause)).position;
    };
    let last: Checkpoint = 'start';
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const positions = await Promise.all(ids.slice(i, i + AT_ONCE).map(plan));
      last = positions.reduce((latest, one) => (one !== 'start' && (latest === 'start' || isAfter(one, latest)) ? one : latest), last);
    }
    return last;
  }

  async function work(ids: readonly string[], nth: number): Promise<Checkpoint> {
    const cause = { account, correlation, about: `${sweep_id}/${ids[0]}` };
    if (change === 'stop') return (await execute(exitEnrollments, { ids, reason: 'stopped' }, cause)).position;
    if (change === 'resume') {
      const dueOf = (i: number) => new Date(began + Math.floor(((nth + i) * 1_000) / RESUMED_PER_SECOND)).toISOString();
      return (await execute(releaseEnrollments, { releases: ids.map((id, i) => ({ id, due_at: dueOf(i) })) }, cause)).position;
    }
    if (todo.dates) return planned(ids, todo.dates.since);
    let last: Checkpoint = 'start';
    if (todo.entries) {
      const { trigger, occurred_at } = todo.entries;
      const about = { journey_id, version, trigger, trigger_id: sweep_id, occurred_at, properties: {} };
      for (const contact_id of ids)
        last = (await execute(enrollContact, { ...about, contact_id }, { ...cause, about: `${sweep_id}/${contact_id}` })).position;
      return last;
    }
    for (const id of ids) last = (await execute(migrateEnrollment, { id, version }, { ...cause, about: `${sweep_id}/${id}` })).position;
    return last;
  }
}
