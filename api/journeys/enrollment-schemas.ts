import Type from 'typebox';
import { testMode } from '../../commands/journeys/test-enroll.js';
import { exitReasons, startedBy } from '../../domain/journeys/enrollment.js';
import { refusalReasons } from '../../domain/journeys/entry.js';
import { nodeKinds } from '../../domain/journeys/nodes.js';
import { annotate, flag, list, mapOf, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { missedReasons } from '../../projections/journeys/missed.js';

const count = Type.Integer({ minimum: 0 });

export const enrollmentStatus = named('EnrollmentStatus', oneOf('active', 'exited'));
const reason = named('EnrollmentExitReason', oneOf(...exitReasons));

const summaryFields = {
  id: text,
  journey_id: text,
  contact_id: text,
  version: annotate(count, { description: 'Of the journey, which it follows.' }),
  status: enrollmentStatus,
  reason: annotate(nullable(reason), { description: 'Why it ended.' }),
  node: annotate(nullable(text), { description: 'Where it is, or what it is about to enter.' }),
  due_at: annotate(nullable(time), { description: 'When its timer is due.' }),
  waits_for_resume: annotate(flag, { description: 'It would have gone on, but its journey is paused.' }),
  test: flag,
  started_at: time,
  exited_at: nullable(time),
  goal_at: nullable(time),
};
export const enrollmentSummary = named('EnrollmentSummary', record({ ...summaryFields, trigger: text }));

const pathStep = named(
  'EnrollmentStep',
  record({
    node: text,
    entered_at: time,
    left_at: nullable(time),
    outcome: annotate(nullable(text), {
      description:
        'The exit that was taken (`next`, `branch:<id>`, `else`, `timeout`, `held`), `sent`, `skipped:<reason>` or `exited:<reason>`; null while it is there.',
    }),
    because: annotate(text, { description: 'The event by which it left, or entered where it is still there.' }),
    due_at: nullable(time),
    message_id: nullable(text),
  }),
);
const nextStep = named(
  'EnrollmentNext',
  record({
    node: text,
    kind: named('JourneyNodeKind', oneOf(...nodeKinds)),
    at: nullable(time),
    waits_for: annotate(text, { description: 'In English.' }),
  }),
);

export const enrollmentResource = named(
  'Enrollment',
  record({
    ...summaryFields,
    detail: annotate(nullable(text), { description: 'The reason of the exit node, or what failed.' }),
    trigger: named('EnrollmentTrigger', startedBy),
    expires_at: nullable(time),
    path: list(pathStep),
    next: nullable(nextStep),
  }),
);

const nextDate = named(
  'JourneyNextDate',
  record({
    field: text,
    due_at: nullable(time),
    refused: annotate(nullable(text), {
      description: 'Why it does not: `no_date`, `date_over`, `journey_inactive`; or, at that time, `filter`, `already_enrolled`, `cooldown`.',
    }),
  }),
);

const dryStep = named(
  'JourneyTestStep',
  record({
    node: text,
    at: annotate(time, { description: 'When it is entered.' }),
    action: annotate(text, { description: 'The kind of the node.' }),
    outcome: annotate(nullable(text), { description: 'As in the path of an enrollment. Webhooks are not called: `not_called`.' }),
    left_at: annotate(nullable(time), { description: 'Null where it waits for something that is not supposed.' }),
    because: annotate(optional(text), { description: 'The supposed event by which it left: `events[0]`.' }),
    until: annotate(optional(time), { description: 'The end of a delay or wait, or of the quiet hours for which a message waits.' }),
    rendered: optional(mapOf(text)),
    gate: annotate(optional(text), { description: '`would_send`, or why not: `suppressed:no_consent`.' }),
    message_id: annotate(optional(text), { description: 'Of a live test: the message that was sent.' }),
  }),
);
const forecast = named(
  'EnrollmentForecast',
  record({
    path: annotate(list(dryStep), { description: 'From the node in which it is.' }),
    ended: annotate(nullable(text), { description: 'Why it ends; null where it waits for something else.' }),
    ended_at: nullable(time),
  }),
);
const explainedEnrollment = named(
  'ExplainedEnrollment',
  record({
    ...enrollmentResource.properties,
    forecast: annotate(nullable(forecast), {
      description: 'How it goes on if nothing else happens, with the messages. Null where it does not: it has ended, or its journey is not live.',
    }),
  }),
);

export const journeyExplanationResource = named(
  'JourneyExplanation',
  record({
    journey_id: text,
    contact_id: text,
    merged_into: nullable(text),
    trigger: annotate(nullable(text), { description: 'What starts the journey, in English; null before it is published.' }),
    can_enter: annotate(flag, { description: 'If its trigger happened now.' }),
    refused: annotate(nullable(text), { description: 'Why it cannot enter now.' }),
    explanation: annotate(text, { description: 'In English.' }),
    next_date: annotate(nullable(nextDate), { description: 'When its date starts the journey next; null where no date starts it.' }),
    enrollments: annotate(list(explainedEnrollment), { description: 'The latest first.' }),
    missed: annotate(
      list(
        named(
          'JourneyMissedTrigger',
          record({ event_id: text, trigger: text, at: time, reason: named('JourneyMissedReason', oneOf(...missedReasons)) }),
        ),
      ),
      {
        description:
          'What happened to the contact and started nothing, though the trigger names it: `before_version`, the version in force was published later; `conditions`, it does not meet those of the trigger; `import` and `rule_change`, which start only journeys that ask for it; `reread`, rules that nobody changed were read anew by a new version of the service.',
      },
    ),
    refusals: list(
      named(
        'JourneyRefusal',
        record({ reason: named('JourneyRefusalReason', oneOf(...refusalReasons)), at: time, trigger: text, event_id: nullable(text) }),
      ),
    ),
  }),
);

/** The numbers of a journey, of a real or a simulated one. */
export const numbersFields = {
  active: count,
  exited: annotate(mapOf(count), { description: 'By reason.' }),
  refused: annotate(mapOf(count), { description: 'Starts that were refused, by reason.' }),
  goals: count,
  nodes: annotate(
    mapOf(
      named(
        'JourneyNodeStats',
        record({
          entered: count,
          left: count,
          waiting: count,
          sent: optional(count),
          skipped: annotate(optional(mapOf(count)), { description: 'Messages that were not sent, by reason.' }),
        }),
      ),
    ),
    { description: 'By node.' },
  ),
  edges: annotate(mapOf(count), { description: 'By `<node>/<exit>`.' }),
};

export const journeyStatsResource = named(
  'JourneyStats',
  record({
    started: count,
    ...numbersFields,
    conversion: annotate(nullable(Type.Number({ minimum: 0 })), { description: 'Goals by starts; null where nobody has started.' }),
  }),
);

export const journeyTestResult = named(
  'JourneyTestResult',
  record({
    enrollment_id: annotate(nullable(text), { description: 'Of a live test.' }),
    mode: testMode,
    version: count,
    filter: annotate(nullable(flag), { description: 'Whether the filter of the trigger holds; null without one.' }),
    path: annotate(list(dryStep), { description: 'Of a live test: as far as it is now. Read its enrollment for what follows.' }),
    ended: annotate(nullable(text), { description: 'Why it ended; null where it waits for something that was not supposed.' }),
    ended_at: nullable(time),
  }),
);
