import Type, { type Static } from 'typebox';
import { type ActiveEnrollment, enrollment } from '../../domain/journeys/enrollment.js';
import { exitsOf } from '../../domain/journeys/graph.js';
import type { TriggerNode } from '../../domain/journeys/nodes/trigger.js';
import { journeyDuration } from '../../domain/journeys/triggers.js';
import { type DomainError, type FieldProblem, invalid, isDomainError, notFound } from '../../domain/kernel/errors.js';
import { annotate, anyRecord, boundedText, flag, integer, list, mapOf, named, oneOf, optional, text, unionOf } from '../../domain/kernel/schema.js';
import { ruleDurationProblem } from '../../domain/segments/durations.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadJourney, loadJourneyVersion } from '../../log/aggregates/journeys/load-journey.js';
import { hashId } from '../../log/runtime/ids.js';
import { contactInput } from '../contacts/contact-input.js';
import { upsertContact } from '../contacts/upsert-contact.js';
import { propertiesProblems } from '../events/parse-event.js';
import { type Context, command } from '../runtime/command.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';
import { loadEnrollment } from './advance-enrollment.js';
import { dryRun, type JourneyDryRunResult, realPath } from './dry-run.js';
import { triggerInput, whoProblems } from './enroll-by-request.js';
import { enter, keyOf, startedEvent } from './enroll-contact.js';
import { type JourneyContext, loadJourneyContext } from './journey-context.js';

const supposedEvent = named(
  'JourneySupposedEvent',
  Type.Object(
    {
      event: boundedText({ minLength: 1, maxLength: 128 }),
      after: annotate(journeyDuration, { description: 'Since the start: `PT1H`.' }),
      properties: optional(anyRecord),
    },
    { additionalProperties: false },
  ),
);

export const testMode = named('JourneyTestMode', oneOf('dry_run', 'live'));
export const latestVersion = named('JourneyLatestVersion', oneOf('draft', 'published'));

/** Fields as in an upsert. */
const testContact = named('JourneyTestContact', contactInput);

const testFields = Type.Object(
  {
    contact_id: optional(boundedText({ minLength: 1, maxLength: 64 })),
    contact: optional(testContact),
    mode: optional(annotate(testMode, { default: 'dry_run', description: '`live` really sends, whatever the rules of re-entry say.' })),
    skip_delays: optional(annotate(flag, { description: 'Of `live`: delays and waits end at once.' })),
    version: optional(annotate(unionOf(integer({ minimum: 1 }), latestVersion), { description: 'Default: the draft, or else what is published.' })),
    events: optional(annotate(list(supposedEvent, { maxItems: 100 }), { description: 'Of a dry run: custom events that would happen.' })),
    force_branches: optional(annotate(mapOf(text), { description: 'By node: the id of the branch that is taken.' })),
    trigger: optional(triggerInput),
  },
  { additionalProperties: false },
);
type TestRequest = Static<typeof testFields>;

const testRule: ValidationRule<TestRequest> = ({ contact_id, contact, mode, events, trigger }, { isMalformed }) => {
  const problems = whoProblems(contact_id, contact, isMalformed);
  problems.push(...propertiesProblems(trigger?.properties).map((problem) => ({ ...problem, field: `trigger.${problem.field}` })));
  for (const [i, one] of (events ?? []).entries()) {
    problems.push(...propertiesProblems(one?.properties).map((problem) => ({ ...problem, field: `events[${i}].${problem.field}` })));
    const message = one?.after === undefined ? null : ruleDurationProblem(one.after);
    if (message) problems.push({ field: `events[${i}].after`, code: 'invalid_duration', message });
  }
  if (mode === 'live' && events && events.length > 0)
    problems.push({ field: 'events', code: 'not_allowed', message: 'Events can be supposed in a dry run only. Record them instead.' });
  return problems;
};

export const testEnrollRequest = named('JourneyTestRequest', withRule(testFields, testRule));

export interface TestEnrolled extends JourneyDryRunResult {
  readonly enrollment_id: string | null;
  readonly mode: 'dry_run' | 'live';
  readonly version: number;
  /** Whether the filter of the trigger holds; null without one. A test goes on either way. */
  readonly filter: boolean | null;
}

/**
 * Tries a journey with one contact, who need not exist for a dry run: nothing is recorded then. A live one is an enrollment like others,
 * but counts nowhere. Throws `not_found`, `validation_error`, `contact_erased`.
 */
export const testEnroll = command({
  name: 'TestEnroll',
  input: Type.Object({ journey_id: text, request: testEnrollRequest }),

  async handle({ journey_id, request }, context): Promise<TestEnrolled> {
    const about = await loadVersion(context, journey_id, request.version);
    const rules = await testRule(request, { context, isMalformed: () => false, params: {} });
    const problems = [...rules, ...problemsOf(request, about)];
    if (problems.length > 0) throw invalid(problems);
    return request.mode === 'live' ? live(context, about, request) : dry(context, about, request);
  },
});

async function loadVersion(context: Context, id: string, version: TestRequest['version']): Promise<JourneyContext> {
  const journey = await loadJourney(context.log, context.cause.account, id);
  const wanted = version ?? (journey.draft ? 'draft' : 'published');
  if (wanted === 'draft' && !journey.draft) throw notFound('version', `${id}/draft`);
  return loadJourneyContext(context, id, (await loadJourneyVersion(context.log, journey, wanted)).version);
}

function problemsOf(request: TestRequest, { graph }: JourneyContext): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const [node, branch] of Object.entries(request.force_branches ?? {})) {
    const known = graph.nodes.get(node);
    const names = known ? exitsOf(known).map(({ key }) => key.replace(/^branch:/, '')) : [];
    if (!names.includes(branch))
      problems.push({
        field: `force_branches.${node}`,
        code: 'not_found',
        message: known ? `The node has no such branch.${names.length > 0 ? ` Use one of: ${names.join(', ')}.` : ''}` : 'There is no such node.',
      });
  }
  return problems;
}

const branchesOf = ({ force_branches = {} }: TestRequest) => Object.entries(force_branches).map(([node_id, branch]) => ({ node_id, branch }));

async function contactOf(context: Context, { contact_id, contact }: TestRequest): Promise<string> {
  if (contact_id !== undefined) return contact_id;
  try {
    return (await upsertContact.handle({ contact: contact ?? {}, source: 'api' }, context)).contact_id;
  } catch (e) {
    throw isDomainError(e) && e.code === 'validation_error' ? withinContact(e) : e;
  }
}

/** The problems of a contact with their paths in the request. */
const withinContact = ({ details }: DomainError): DomainError =>
  invalid((details.errors as readonly FieldProblem[]).map((problem) => ({ ...problem, field: `contact.${problem.field}` })));

async function filterHolds(context: Context, { graph }: JourneyContext, contact: string): Promise<boolean | null> {
  const { filter } = graph.node(graph.start) as TriggerNode;
  if (!filter) return null;
  const supposed = { log: context.log, now: Date.parse(context.now), events: [] };
  return (await context.ports.journeys.facts.holds(context.cause.account, contact, [filter], supposed))[0] ?? false;
}

async function dry(context: Context, about: JourneyContext, request: TestRequest): Promise<TestEnrolled> {
  const trial = context.contextOfPart(`${context.cause.invocation}/dry-run`, context.log.overlay());
  const contact = await findContact(trial.log, context.cause.account, await contactOf(trial, request));
  const { id: contact_id } = contact.root;
  const properties = request.trigger?.properties ?? {};
  const started = startedEvent(context.now, about, {
    ...{ journey_id: about.journey.id, version: about.version.version, contact_id, trigger_id: 'test', occurred_at: context.now },
    key: keyOf(context, about, properties),
    enrollment_id: hashId('enr', about.journey.id, contact_id, context.cause.invocation),
    trigger: { type: 'test', name: null, event_id: null },
    properties,
    test: { skip_delays: false, branches: branchesOf(request) },
    test_key: context.cause.test ?? false,
  });
  const state = enrollment.evolve(enrollment.initial, started) as ActiveEnrollment;
  const run = await dryRun({ ...about, contact, enrollment: state, events: request.events ?? [] }, trial);
  const filter = await filterHolds(trial, about, contact_id);
  return { enrollment_id: null, mode: 'dry_run', version: about.version.version, filter, ...run };
}

async function live(context: Context, about: JourneyContext, request: TestRequest): Promise<TestEnrolled> {
  const { version, journey } = about;
  const contact_id = await contactOf(context.contextOfPart(`${context.cause.invocation}/contact`), request);
  await findContact(context.log, context.cause.account, contact_id);
  const { enrollment_id } = await enter(context, {
    ...{ journey_id: journey.id, version: version.version, contact_id, occurred_at: context.now },
    trigger: { type: 'test', name: null, event_id: null },
    trigger_id: context.cause.key ?? context.cause.invocation,
    properties: request.trigger?.properties ?? {},
    test: { skip_delays: request.skip_delays ?? false, branches: branchesOf(request) },
  });
  const filter = await filterHolds(context, about, contact_id);
  const common = { enrollment_id, mode: 'live', version: version.version, filter } as const;
  const loaded = enrollment_id === null ? null : await loadEnrollment(context.log, enrollment_id);
  // Its contact is gone since it was found.
  if (!loaded || loaded.state.status === 'new') return { ...common, path: [], ended: null, ended_at: null };
  const { state } = loaded;
  const events = await loaded.events();
  const path = realPath(
    about.graph,
    state,
    events.map(({ event }) => event),
  );
  const { reason: ended, exited_at: ended_at } = state.status === 'exited' ? state : { reason: null, exited_at: null };
  return { ...common, path, ended, ended_at };
}
