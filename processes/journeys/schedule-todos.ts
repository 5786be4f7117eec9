/** The timers of journeys that start by a schedule: one row a journey. */
import { planOccurrence, startOccurrence } from '../../commands/journeys/occurrences.js';
import type { SealedJourneyEvent } from '../../domain/journeys/journey.js';
import type { JourneyScheduleEvent } from '../../domain/journeys/schedule.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention, PerformContext, PerformOutcome, Todo } from '../runtime/process-manager.js';
import type { ListedJourney } from './listening.js';

export interface ScheduleTodo extends Todo {
  readonly kind: 'schedule';
  readonly correlation: string;
  readonly journey_id: string;
  readonly version: number;
  /** Null: the next time is to be planned. */
  readonly occurrence: string | null;
}

export const scheduleTodoId = (journey: string): string => `schedule/${journey}`;

const todoOf = ({ meta }: LogEvent, about: Pick<ScheduleTodo, 'journey_id' | 'version' | 'occurrence' | 'due_at'>): Intention => ({
  do: 'schedule',
  todo: {
    ...{ ...about, id: scheduleTodoId(about.journey_id), kind: 'schedule', correlation: meta.$correlationId, account: meta.account },
    ...{ priority: 1, lane: 'journeys' },
  } satisfies ScheduleTodo,
});

/** A journey goes live, or stops to be so. `after`: the journeys as they are then. */
export function scheduleAfter(stored: LogEvent<SealedJourneyEvent>, after: readonly ListedJourney[]): Intention[] {
  const { journey_id, at } = stored.event.data;
  const known = after.find(({ id }) => id === journey_id);
  if (known?.status !== 'live' || known.trigger.type !== 'schedule') return [{ do: 'cancel', id: scheduleTodoId(journey_id) }];
  return [todoOf(stored, { journey_id, version: known.version, occurrence: null, due_at: Date.parse(at) })];
}

/** A time was planned, or there is no further one. */
export function afterPlan(stored: LogEvent<JourneyScheduleEvent>): Intention[] {
  const { event } = stored;
  if (event.type !== 'JourneyOccurrencePlanned') return [];
  const { journey_id, version, due_at } = event.data;
  if (due_at === null) return [{ do: 'cancel', id: scheduleTodoId(journey_id) }];
  return [todoOf(stored, { journey_id, version, occurrence: due_at, due_at: Date.parse(due_at) })];
}

export async function performSchedule(todo: ScheduleTodo, { execute, clock }: PerformContext): Promise<PerformOutcome> {
  const { account, correlation, journey_id, version, occurrence } = todo;
  const cause = { account, correlation, about: `${todo.id}/${version}/${occurrence ?? `plan/${todo.due_at}`}` };
  if (occurrence === null) return (await execute(planOccurrence, { journey_id, version }, cause)).position;
  if (Date.parse(occurrence) > clock.now()) return { retry_at: Date.parse(occurrence) };
  return (await execute(startOccurrence, { journey_id, version, due_at: occurrence }, cause)).position;
}
