import { advanceEnrollment } from '../../commands/journeys/advance-enrollment.js';
import { planContactDate, reachContactDate } from '../../commands/journeys/contact-dates.js';
import { moveEnrollment } from '../../commands/journeys/end-enrollments.js';
import { enrollContact } from '../../commands/journeys/enroll-contact.js';
import { type Checkpoint, isAfter, type ReadModels } from '../../domain/kernel/ports.js';
import type { PerformContext, PerformOutcome, ProcessManager } from '../runtime/process-manager.js';
import { openedTodos, TODOS, todoList } from '../runtime/todo-list.js';
import { type ContactTodo, type DateTimer, enrollmentDue, type ListedEnrollment, type PendingPlan, type PendingStart } from './contact-todo.js';
import { type EnrollmentFinder, performOther } from './other-todos.js';
import { reactNotes, reactToJourneyInput } from './reactions.js';
import { type AnyTodo, furtherJourneyReads, type JourneyInputEvent, journeyInputTypes, journeyReads } from './reads.js';

/** Large, so that a wait for the list serves many. */
const BATCH = 200;
/** When a timer is looked at again for which the list is behind the log, in milliseconds. */
const TRY_AGAIN_MS = 50;

/**
 * Leads contacts through journeys: its list has one document a contact, with what may start a journey for it and its enrollments. What
 * happens to a contact is matched as the list is made; what is due is done by commands, and from the events that they record it comes back
 * to the list. Before a timer fires, the list has everything that is in the log: so what happened first counts first.
 */
export function keepEnrollments(parts: {
  readonly views: () => ReadModels;
  readonly find: EnrollmentFinder;
}): ProcessManager<JourneyInputEvent, AnyTodo> {
  const process: ProcessManager<JourneyInputEvent, AnyTodo> = {
    name: 'journeys/enrollments',
    version: 6,
    handles: journeyInputTypes,
    list: (plain) =>
      openedTodos(
        { ...plain, isUrgent: true },
        {
          types: ['CustomEventRecorded', 'CustomEventTried'],
          furtherSubjects: (todo: AnyTodo) => (todo.kind === 'contact' ? [todo.contact, ...todo.parts] : []),
        },
      ),
    reads: journeyReads,
    readsMore: furtherJourneyReads,
    reactNotes,
    react: reactToJourneyInput,
    concurrency: { lane: 8, total: 32 },
    batch: { max: BATCH },
    perform: (todos, performing) => perform(process, parts, todos, performing),
  };
  return process;
}

async function perform(
  process: ProcessManager<JourneyInputEvent, AnyTodo>,
  { views, find }: { readonly views: () => ReadModels; readonly find: EnrollmentFinder },
  todos: readonly AnyTodo[],
  performing: PerformContext,
): Promise<readonly PerformOutcome[]> {
  const timed = todos.flatMap((todo) => (todo.kind === 'contact' && hasOnlyTimers(todo) ? [todo.id] : []));
  // Timers wait for the list, the others of the batch do not.
  const timers = timed.length === 0 ? null : latestOf(timed, process, views(), performing);
  const one = async (todo: AnyTodo): Promise<PerformOutcome> => {
    if (todo.kind !== 'contact') return performOther(todo, performing, find);
    if (!hasOnlyTimers(todo)) return performContact(todo, performing);
    const latest = await timers;
    return latest ? performContact(latest.get(todo.id) ?? todo, performing) : { retry_at: performing.clock.now() + TRY_AGAIN_MS };
  };
  return Promise.all(todos.map((todo) => one(todo).catch((e: unknown) => (e instanceof Error ? e : new Error(String(e))))));
}

/** These documents once the list has what is in the log; null while it is behind. */
async function latestOf(
  ids: readonly string[],
  process: ProcessManager<JourneyInputEvent, AnyTodo>,
  views: ReadModels,
  { caughtUp }: PerformContext,
) {
  if (!(await caughtUp())) return null;
  const found = await views.docs<ContactTodo>(todoList(process), TODOS).getMany(ids);
  return new Map(ids.map((id, i) => [id, found[i]] as const));
}

/** A step, with its place among the others of the contact. */
interface Step {
  readonly order: string;
  readonly run: () => Promise<Checkpoint>;
}

/**
 * Does what is due for a contact: starts its journeys, and leads its enrollments on, in the order of the log. Resolves with the position of
 * what was recorded. One that fails does not stop the others; the first error is thrown at the end.
 */
async function performContact(todo: ContactTodo, performing: PerformContext): Promise<Checkpoint> {
  const steps = stepsOf(todo, performing).sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  let last: Checkpoint = 'start';
  const errors: unknown[] = [];
  for (const { run } of steps) {
    try {
      const position = await run();
      if (position !== 'start' && (last === 'start' || isAfter(position, last))) last = position;
    } catch (e) {
      errors.push(e);
    }
  }
  if (errors.length > 0) throw errors[0];
  return last;
}

/** Whether a timer is due, and nothing else: what is in the log before it comes first. */
const hasOnlyTimers = ({ starts, plans, enrollments }: ContactTodo): boolean =>
  starts.length === 0 && plans.length === 0 && enrollments.every(({ hits, merge_id }) => hits.length === 0 && merge_id === null);

const FIRST = '';
/** After every position. */
const LAST = '~';

function stepsOf(todo: ContactTodo, performing: PerformContext): Step[] {
  const now = performing.clock.now();
  return [
    ...todo.starts.map((one) => startStep(todo, one, performing)),
    ...todo.enrollments.flatMap((one) => stepsOfOne(todo, one, now, performing)),
    ...todo.plans.map((one) => planStep(todo, one, performing)),
    ...todo.dates
      .filter(({ due, journey_id }) => due <= now && !todo.plans.some((plan) => plan.journey_id === journey_id))
      .map((one) => dateStep(todo, one, performing)),
  ];
}

function stepsOfOne(todo: ContactTodo, one: ListedEnrollment, now: number, performing: PerformContext): Step[] {
  if (one.merge_id !== null) return [moveStep(todo, one, one.merge_id, performing)];
  const [first] = one.hits;
  if (first) {
    // Of several looks the last one sees all.
    const { wake, position } = first.wake.by === 'look' ? (one.hits.findLast((hit) => hit.wake.by === 'look') ?? first) : first;
    return [{ order: position, run: () => advance(todo, one, wake, `${one.id}/${position}`, performing) }];
  }
  const due = enrollmentDue(one);
  return due > now ? [] : [{ order: `${LAST}${due}`, run: () => advance(todo, one, { by: 'time' }, `${one.id}/${due}/${now}`, performing) }];
}

async function advance(
  { account, correlation }: ContactTodo,
  { id, test }: ListedEnrollment,
  wake: Parameters<typeof advanceEnrollment.handle>[0]['wake'],
  about: string,
  { execute }: PerformContext,
): Promise<Checkpoint> {
  const cause = { account, correlation, about, ...(test && { test: true as const }) };
  return (await execute(advanceEnrollment, { enrollment_id: id, wake }, cause)).position;
}

function startStep({ account, correlation }: ContactTodo, start: PendingStart, { execute }: PerformContext): Step {
  const { journey_id, version, contact_id, trigger, trigger_id, occurred_at, position, hits, test, enrollment_id } = start;
  const wake = hits[0]?.wake;
  const entering = {
    journey_id,
    version,
    contact_id,
    trigger,
    trigger_id,
    occurred_at,
    properties: trigger.type === 'event' ? null : {},
    ...(wake && { wake }),
  };
  const cause = { account, correlation, about: enrollment_id, ...(test && { test: true as const }) };
  return { order: position, run: async () => (await execute(enrollContact, entering, cause)).position };
}

function planStep({ account, correlation, contact: contact_id }: ContactTodo, plan: PendingPlan, { execute }: PerformContext): Step {
  const { journey_id, event_id, since, position } = plan;
  const cause = { account, correlation, about: `${contact_id}/date/${journey_id}/${event_id}` };
  return { order: position, run: async () => (await execute(planContactDate, { journey_id, contact_id, since, event_id }, cause)).position };
}

function dateStep({ account, correlation, contact: contact_id }: ContactTodo, timer: DateTimer, { execute }: PerformContext): Step {
  const { journey_id, occurrence, due } = timer;
  const cause = { account, correlation, about: `${contact_id}/date/${journey_id}/${occurrence}/${due}` };
  return { order: `${LAST}${due}`, run: async () => (await execute(reachContactDate, { journey_id, contact_id, occurrence }, cause)).position };
}

function moveStep(todo: ContactTodo, one: ListedEnrollment, merge_id: string, { execute }: PerformContext): Step {
  const { account, correlation, contact, enrollments } = todo;
  const isRival = (other: ListedEnrollment) =>
    other.id !== one.id && other.contact_id === contact && other.journey_id === one.journey_id && other.key === one.key;
  const rivals = enrollments.filter(isRival).map(({ id }) => id);
  const input = { id: one.id, into: contact, merge_id, rivals };
  const run = async () => (await execute(moveEnrollment, input, { account, correlation, about: `${one.id}/move/${merge_id}/${contact}` })).position;
  return { order: FIRST, run };
}
