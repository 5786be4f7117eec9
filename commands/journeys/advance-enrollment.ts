import {
  type Enrollment,
  type EnrollmentEvent,
  enrollment,
  enrollmentStream,
  exited,
  type KnownEnrollment,
} from '../../domain/journeys/enrollment.js';
import { interpret, type Resume } from '../../domain/journeys/interpreter.js';
import type { JourneyStatus } from '../../domain/journeys/journey.js';
import { type LoadedAggregate, loadAggregate, loadOwn } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { toExpected } from '../runtime/append.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { answerAsk, type InterpreterContext } from './answers.js';
import { findLivingContact, loadJourneyContext } from './journey-context.js';

/** An enrollment with its stream. */
export const loadEnrollment = (log: EventLog, id: string): Promise<LoadedAggregate<Enrollment, EnrollmentEvent>> =>
  loadAggregate(log, enrollment, enrollmentStream(id));

/** Journeys in which nobody is any more. */
const over: ReadonlySet<JourneyStatus | 'deleted'> = new Set(['stopped', 'archived', 'deleted']);

/** Lets an enrollment go on from where it stands, as far as it can. A repetition finds what is recorded and does nothing twice. */
export const advanceEnrollment = internalCommand({
  name: 'AdvanceEnrollment',
  handle: ({ enrollment_id, wake }: { readonly enrollment_id: string; readonly wake: Resume }, context): Promise<void> =>
    proceed(context, enrollment_id, wake),
});

/** What is known of an enrollment that was just recorded. */
export interface KnownProgress {
  readonly state: KnownEnrollment;
  readonly revision: number;
}

/**
 * What an enrollment does that a test key caused, or whose journey a test key published, is of a test key too. `known`: taken for
 * its stream, unless that has changed. Throws `not_found`.
 */
export async function proceed(context: Context, id: string, wake: Resume, known: KnownProgress | null = null): Promise<void> {
  await context.attempt(
    async (round) => {
      if (known && round === 1) return { revision: known.revision, events: await followingEvents(context, known.state, wake) };
      const { state, revision } = await loadOwn(context.log, enrollment, context.cause.account, id);
      return { revision, events: await followingEvents(context, state, wake) };
    },
    ({ revision, events }) => ({
      appends: events.length === 0 ? [] : [{ stream: enrollmentStream(id), expected: toExpected(revision), events }],
      result: undefined,
    }),
  );
}

async function followingEvents(given: Context, state: KnownEnrollment, wake: Resume): Promise<readonly EnrollmentEvent[]> {
  if (state.status === 'exited') return [];
  const about = await loadJourneyContext(given, state.journey_id, state.version);
  const context = given.ofTestKey(state.test_key || about.journey.test);
  const { now } = context;
  if (over.has(about.journey.status)) return [exited(state, { reason: 'stopped', now })];
  const contact = await findLivingContact(context, state.contact_id);
  if (!contact) return [exited(state, { reason: 'contact_deleted', now })];
  return (await answered({ ...about, enrollment: state, contact }, wake, context)) ?? [];
}

/**
 * What follows for an enrollment; null where something would have to be sent or done for it, and it must not be: before it is on record,
 * for example.
 */
export async function answered(
  about: InterpreterContext,
  wake: Resume,
  context: Context,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Promise<readonly EnrollmentEvent[] | null> {
  const interpretation = interpret(about.graph, about.enrollment, wake, context.now, { paused: about.journey.status === 'paused' });
  for (let step = interpretation.next(); ; ) {
    if (step.done) return step.value;
    if (isQuiet && (step.value.ask === 'send' || step.value.ask === 'act')) return null;
    step = interpretation.next(await answerAsk(step.value, about, context));
  }
}
