import Type, { type Static } from 'typebox';
import { flatNumbers, JOURNEY_SIMULATION } from '../../domain/journeys/numbers.js';
import type { PastRange } from '../../domain/journeys/past.js';
import { type FieldProblem, invalid, notFound } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { annotate, flag, integer, named, optional, text, time, unionOf } from '../../domain/kernel/schema.js';
import { loadJourney, loadJourneyVersion } from '../../log/aggregates/journeys/load-journey.js';
import type { JobKind, OutputText } from '../jobs/kind.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';
import { type JourneyContext, loadJourneyContext } from './journey-context.js';
import { type SimulatedEnrollment, simulateContact } from './simulate-contact.js';
import { latestVersion } from './test-enroll.js';

const MAX_SAMPLE = 100;
const DEFAULT_SAMPLE = 10;
const DEFAULT_DAYS_MS = 30 * 86_400_000;
/** Contacts of a chunk. */
const CONTACTS = 50;
/** Chunks that are simulated at once: 500 contacts. */
const AT_ONCE = 10;
/** How often the read models are awaited, for two seconds each. */
const CATCH_UP_TRIES = 5;
/** How long the result of a job can be read. */
const KEPT_MS = 86_400_000;

const simulateFields = Type.Object(
  {
    from: optional(annotate(time, { description: 'What happened since then. Default: 30 days before `to`.' })),
    to: optional(annotate(time, { description: 'Default: now.' })),
    version: optional(annotate(unionOf(integer({ minimum: 1 }), latestVersion), { description: 'Default: the draft, or else what is published.' })),
    sample: optional(
      annotate(integer({ minimum: 0, maximum: MAX_SAMPLE }), {
        default: DEFAULT_SAMPLE,
        description: 'Enrollments that are shown with their paths.',
      }),
    ),
    as_job: optional(annotate(flag, { default: false, description: 'Also where the account has few contacts.' })),
  },
  { additionalProperties: false },
);

const rangeRule: ValidationRule<Static<typeof simulateFields>> = ({ from, to }) =>
  from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)
    ? [{ field: 'to', code: 'invalid_range', message: 'Use a time after `from`.' } satisfies FieldProblem]
    : [];

export const simulateRequest = named('JourneySimulationRequest', withRule(simulateFields, rangeRule));
type SimulateRequest = Static<typeof simulateRequest>;

/** Of the job. */
export interface SimulationParams extends PastRange {
  readonly journey_id: string;
  readonly version: number;
  readonly sample: number;
}
/** Numbers by their paths (see `flatNumbers`), `contacts` and `shown` among them. */
interface Part {
  readonly contacts: number;
  readonly counts: Record<string, number>;
  readonly shown: readonly SimulatedEnrollment[];
  readonly next: string | null;
}

export type SimulationResult =
  | {
      readonly job: null;
      readonly params: SimulationParams;
      readonly counts: Record<string, number>;
      readonly sample: readonly SimulatedEnrollment[];
    }
  | { readonly job: StoredJob };

/**
 * Goes through what really happened with a version of a journey, as if it had been live all the time: at once where the account has few
 * contacts, otherwise as a job. Nothing is recorded of contacts, and nothing is sent. Throws `not_found` and `validation_error`.
 */
export const simulateJourney = command({
  name: 'SimulateJourney',
  input: Type.Object({ journey_id: text, request: simulateRequest }),

  async handle({ journey_id, request }, context): Promise<SimulationResult> {
    const job_id = context.newId('job');
    const earlier = await findStoredJob(context, job_id);
    if (earlier) return { job: earlier };
    const { version, params } = await prepare(context, journey_id, request);
    const result = request.as_job ? null : await atOnce(context, version, params);
    if (result) return { job: null, params, ...result };
    return { job: (await storeJob(context, { job_id, kind: journeySimulation.kind, params: { ...params }, chunks: null })) as StoredJob };
  },
});

async function prepare(context: Context, id: string, request: SimulateRequest): Promise<{ version: JourneyContext; params: SimulationParams }> {
  const journey = await loadJourney(context.log, context.cause.account, id);
  const wanted = request.version ?? (journey.draft ? 'draft' : 'published');
  if (wanted === 'draft' && !journey.draft) throw notFound('version', `${id}/draft`);
  const { version } = await loadJourneyVersion(context.log, journey, wanted);
  const to = request.to === undefined ? context.now : new Date(request.to).toISOString();
  if (to > context.now) throw invalid([{ field: 'to', code: 'out_of_range', message: 'Use a time that is over.' }]);
  const from = new Date(request.from ?? Date.parse(to) - DEFAULT_DAYS_MS).toISOString();
  if (from >= to) throw invalid([{ field: 'from', code: 'invalid_range', message: 'Use a time before `to`.' }]);
  const params = { journey_id: id, version, from, to, sample: request.sample ?? DEFAULT_SAMPLE };
  return { version: await loadJourneyContext(context, id, version), params };
}

/** The result; null where the account has more contacts, or the read models are behind. */
async function atOnce(context: Context, version: JourneyContext, params: SimulationParams) {
  const since = await context.log.store.head();
  const counts: Record<string, number> = {};
  const sample: SimulatedEnrollment[] = [];
  for (let chunk = 0, from: string | null = null; chunk < AT_ONCE; chunk++) {
    const place = { from, shown: sample.length, since };
    let part: Part | null = null;
    for (let tries = 0; !part && tries < CATCH_UP_TRIES; tries++) part = await simulatePart(context, version, params, place);
    if (!part) return null;
    for (const [name, n] of Object.entries({ ...part.counts, contacts: part.contacts })) setOwnField(counts, name, (ownField(counts, name) ?? 0) + n);
    sample.push(...part.shown);
    from = part.next;
    if (from === null) return { counts, sample };
  }
  return null;
}

interface SimulationCursor {
  readonly from: string | null;
  /** Enrollments that are shown already. */
  readonly shown: number;
  /** The read models must have what was recorded up to then. */
  readonly since: Checkpoint;
}

/** The contacts of one page; null while the read models are behind. */
async function simulatePart(
  context: Context,
  version: JourneyContext,
  { from, to, sample }: SimulationParams,
  place: SimulationCursor,
): Promise<Part | null> {
  const page = await context.ports.journeys.past.contacts(context.cause.account, place.from, CONTACTS, place.since);
  if (!page) return null;
  const counts: Record<string, number> = {};
  const shown: SimulatedEnrollment[] = [];
  for (const contact of page.items) {
    const { numbers, enrollments } = await simulateContact(version, contact, { from, to }, context);
    for (const [name, n] of Object.entries(flatNumbers(numbers))) setOwnField(counts, name, (ownField(counts, name) ?? 0) + n);
    shown.push(...enrollments.slice(0, Math.max(0, sample - place.shown - shown.length)));
    await context.yieldToEventLoop();
  }
  return { contacts: page.items.length, counts, shown, next: page.next };
}

/** A simulation of many contacts: each chunk is a page of them. What is shown of a contact is sealed under its own key. */
export const journeySimulation: JobKind<SimulationParams> = {
  kind: JOURNEY_SIMULATION,
  lane: 'journey_simulation',
  priority: 2,
  cancelable: true,
  keepMs: KEPT_MS,

  async work(context, { params, from, counts, accepted }) {
    const version = await loadJourneyContext(context, params.journey_id, params.version);
    const part = await simulatePart(context, version, params, { from, shown: counts.shown ?? 0, since: accepted });
    if (!part) return 'waiting';
    const output: OutputText[] = part.shown.map((one) => ({ subject: one.contact_id, text: `${JSON.stringify(one)}\n` }));
    const done = { ...part.counts, contacts: part.contacts, shown: part.shown.length };
    return { done: part.contacts, counts: done, errors: [], output, next: part.next };
  },
};
