/** The times of journeys that start by a schedule. */
import { Cron } from 'croner';
import { type JourneyScheduleEvent, journeySchedule, journeyScheduleStream } from '../../domain/journeys/schedule.js';
import type { TriggerOf } from '../../domain/journeys/triggers.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { hashId } from '../../log/runtime/ids.js';
import { LATE_MS } from '../events/lateness.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { triggerOf } from './enroll-contact.js';
import { loadJourneyContext } from './journey-context.js';

type ScheduleTrigger = TriggerOf<'schedule'>;

/**
 * The first time after another one (milliseconds since 1970), null if there is none. An hour that clocks skip counts at its end; one that
 * they repeat counts once.
 */
export function nextOccurrence({ at, cron }: Pick<ScheduleTrigger, 'at' | 'cron'>, after: number, timezone: string): string | null {
  if (at !== undefined) return Date.parse(at) > after ? new Date(at).toISOString() : null;
  return cron === undefined ? null : (new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.toISOString() ?? null);
}

interface JourneySchedule {
  readonly version: number;
  readonly trigger: ScheduleTrigger;
  readonly timezone: string;
}

/** The schedule of a journey that is live; null otherwise. */
async function scheduleOf(context: Context, journey_id: string, version: number): Promise<JourneySchedule | null> {
  const about = await loadJourneyContext(context, journey_id, version);
  const trigger = triggerOf(about).on;
  if (about.journey.status !== 'live' || about.journey.published?.version !== version || trigger.type !== 'schedule') return null;
  const given =
    about.version.definition.settings.timezone_fallback ?? (await context.ports.messages.marketingRules(context.cause.account))?.timezone ?? 'UTC';
  return { version, trigger, timezone: utcOffsetsOf(given) ? given : 'UTC' };
}

/** Plans when a journey starts next. What was missed while it was not live is not made up for. */
export const planOccurrence = internalCommand({
  name: 'PlanJourneyOccurrence',
  async handle({ journey_id, version }: { readonly journey_id: string; readonly version: number }, context): Promise<void> {
    const { now } = context;
    const scheduled = await scheduleOf(context, journey_id, version);
    const stream = journeyScheduleStream(journey_id);
    const { started } = (await loadAggregate<typeof journeySchedule.initial, JourneyScheduleEvent>(context.log, journeySchedule, stream)).state;
    const after = Math.max(Date.parse(now), started === null ? 0 : Date.parse(started));
    const next = scheduled ? nextOccurrence(scheduled.trigger, after, scheduled.timezone) : null;
    await context.decide(journeySchedule, stream, { type: 'Plan', journey_id, version, next, now });
  },
});

/** Starts what was planned, and plans the next one. One that is late by more than a day is left out. */
export const startOccurrence = internalCommand({
  name: 'StartJourneyOccurrence',
  async handle(
    { journey_id, version, due_at }: { readonly journey_id: string; readonly version: number; readonly due_at: string },
    context,
  ): Promise<void> {
    const { now } = context;
    const scheduled = await scheduleOf(context, journey_id, version);
    const after = Math.max(Date.parse(now), Date.parse(due_at));
    const next = scheduled ? nextOccurrence(scheduled.trigger, after, scheduled.timezone) : null;
    const stream = journeyScheduleStream(journey_id);
    if (!scheduled || Date.parse(due_at) < Date.parse(now) - LATE_MS) {
      await context.decide(journeySchedule, stream, { type: 'Plan', journey_id, version, next, now });
      return;
    }
    const { segment_id } = scheduled.trigger;
    const occurrence_id = hashId('evt', 'occurrence', journey_id, due_at);
    await context.decide(journeySchedule, stream, { type: 'Start', journey_id, version, occurrence_id, segment_id, due_at, next, now });
  },
});
