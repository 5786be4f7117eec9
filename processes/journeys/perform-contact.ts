/** Does what is due for a contact: starts its journeys, and leads its enrollments on, in the order of the log. */
import { advanceEnrollment } from '../../commands/journeys/advance-enrollment.js';
import { planContactDate, reachContactDate } from '../../commands/journeys/contact-dates.js';
import { moveEnrollment } from '../../commands/journeys/end-enrollments.js';
import { enrollContact } from '../../commands/journeys/enroll-contact.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { isAfter } from '../../domain/kernel/ports.js';
import type { PerformContext } from '../runtime/process-manager.js';
import { type ContactTodo, type DateTimer, enrollmentDue, type ListedEnrollment, type PendingPlan, type PendingStart } from './contact-todo.js';

/** A step, with its place among the others of the contact. */
interface Step {
  readonly order: string;
  readonly run: () => Promise<Checkpoint>;
}

/** Resolves with the position of what was recorded. One that fails does not stop the others; the first error is thrown at the end. */
export async function performContact(todo: ContactTodo, performing: PerformContext): Promise<Checkpoint> {
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
export const hasOnlyTimers = ({ starts, plans, enrollments }: ContactTodo): boolean =>
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
