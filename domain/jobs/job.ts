/**
 * Work on many items: an import, an export. It is done in chunks, each counted once, and goes on after a crash. The job's own
 * stream holds its status. Input, results and output have streams of their own. Input and results have one event per chunk, at
 * the revision that is the chunk's number.
 */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { anyRecord, boundedText, count, list, mapOf, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';

// Events

/** A problem of one item. Items count from 1. */
const problem = record({ row: count, field: boundedText({}), code: text, message: text });
/** By names that each kind of job chooses. */
const counts = mapOf(count);

/** The subject is the job itself. Its key is destroyed once input and output are no longer needed. */
const personal = { subject: 'job_id' } as const;

export const JobBegun = eventType('JobBegun', record({ job_id: text, kind: text, params: anyRecord, at: time }), {
  personal: { ...personal, fields: ['params'] },
});
/** The input is stored. A job without this event never does anything. */
export const JobAccepted = eventType(
  'JobAccepted',
  record({
    job_id: text,
    kind: text,
    /** Items; null if their number is not known before the end. */
    total: nullable(count),
    /** Chunks of the input; null for a job without input. */
    chunks: nullable(count),
    /** Who is expected to do it: the request, which waits for the result, or a process manager. */
    by: oneOf('request', 'process'),
    at: time,
  }),
);
/**
 * Its first chunk begins; recorded of jobs that can be reverted. Without it a cancellation could not tell a job that
 * waits for its turn from one that was interrupted in a chunk whose result was not recorded.
 */
export const JobStarted = eventType('JobStarted', record({ job_id: text, at: time }));
export const JobCancelRequested = eventType('JobCancelRequested', record({ job_id: text, at: time }));
/** `abandoned`: not all of its input arrived. */
export const JobFinished = eventType(
  'JobFinished',
  record({
    job_id: text,
    kind: text,
    status: oneOf('completed', 'canceled', 'failed', 'abandoned'),
    /** Chunks and items that were processed. */
    chunks: count,
    done: count,
    counts,
    errors: count,
    /** Why it failed. */
    reason: nullable(text),
    /** Until when its output can be read. */
    keep_until: time,
    at: time,
  }),
);
/** The key of parameters, input and output is destroyed: they can no longer be read. */
export const JobContentForgotten = eventType('JobContentForgotten', record({ job_id: text, at: time }));

export const JobInputStored = eventType('JobInputStored', record({ job_id: text, chunk: count, items: list(anyRecord) }), {
  personal: { ...personal, fields: ['items'] },
});
/** Texts that together are the output, each sealed under the key of its own subject, in the order in which they are read. */
export const JobOutputStored = eventType('JobOutputStored', record({ job_id: text, chunk: count, boxes: list(text) }), {
  personal: { ...personal, fields: ['boxes'] },
});
/** A chunk is processed. `done`, `counts` and `errors_so_far` include all chunks up to this one. */
export const JobChunkDone = eventType(
  'JobChunkDone',
  record({
    job_id: text,
    chunk: count,
    done: count,
    counts,
    errors: list(problem),
    errors_so_far: count,
    /** What a caller should know of items that are no problems; absent before version 2. */
    warnings: optional(list(anyRecord)),
    /** Ids of what the chunk changed, for a later job that reverts it. */
    resources: list(text),
    /** First and last revision of its output. */
    output: nullable(record({ from: count, to: count })),
    /** Where the next chunk of a job without input begins; null after the last one. */
    next: nullable(text),
    at: time,
  }),
  { version: 2 },
);

export const jobEvents = [
  JobBegun,
  JobAccepted,
  JobStarted,
  JobCancelRequested,
  JobFinished,
  JobContentForgotten,
  JobInputStored,
  JobOutputStored,
  JobChunkDone,
] as const;
export type JobInputEvent = EventOf<typeof JobInputStored>;
export type JobOutputEvent = EventOf<typeof JobOutputStored>;
export type JobResultEvent = EventOf<typeof JobChunkDone>;
export type JobEvent = Exclude<EventOf<(typeof jobEvents)[number]>, JobInputEvent | JobOutputEvent | JobResultEvent>;
export type JobProblem = JobResultEvent['data']['errors'][number];
export type JobCounts = JobResultEvent['data']['counts'];

// State

interface BegunBase {
  readonly id: string;
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}
interface AcceptedBase extends BegunBase {
  readonly total: number | null;
  readonly chunks: number | null;
  readonly started: boolean;
}
interface FinishedBase extends AcceptedBase {
  readonly done: number;
  readonly counts: JobCounts;
  /** Number of problems. */
  readonly errors: number;
  readonly reason: string | null;
  readonly finished_at: string;
  readonly keep_until: string;
  readonly forgotten: boolean;
}

export type Job =
  | { readonly status: 'new' }
  | (BegunBase & { readonly status: 'receiving' })
  | (BegunBase & { readonly status: 'abandoned'; readonly forgotten: boolean })
  | (AcceptedBase & { readonly status: 'accepted' })
  | (AcceptedBase & { readonly status: 'canceling' })
  | (FinishedBase & { readonly status: 'completed' | 'canceled' | 'failed' });
type BegunJob = Exclude<Job, { status: 'new' }>;
/** A job whose input is stored. */
export type AcceptedJob = Extract<Job, AcceptedBase>;

export function evolve(job: Job, event: JobEvent): Job {
  switch (event.type) {
    case 'JobBegun': {
      const { job_id: id, at: created_at, kind, params } = event.data;
      return { status: 'receiving', id, kind, params, created_at };
    }
    case 'JobAccepted':
      return job.status === 'receiving' ? { ...job, status: 'accepted', total: event.data.total, chunks: event.data.chunks, started: false } : job;
    case 'JobStarted':
      return 'started' in job ? { ...job, started: true } : job;
    case 'JobCancelRequested':
      return job.status === 'accepted' ? { ...job, status: 'canceling' } : job;
    case 'JobFinished': {
      const { status, done, counts, errors, reason, keep_until, at: finished_at } = event.data;
      if (status === 'abandoned') return job.status === 'receiving' ? { ...job, status, forgotten: false } : job;
      if (job.status !== 'accepted' && job.status !== 'canceling') return job;
      return { ...job, status, done, counts, errors, reason, finished_at, keep_until, forgotten: false };
    }
    case 'JobContentForgotten':
      return 'forgotten' in job ? { ...job, forgotten: true } : job;
    default:
      return event satisfies never;
  }
}

// Commands

/** What was done when a job ended. */
export interface JobTotals {
  readonly chunks: number;
  readonly done: number;
  readonly counts: JobCounts;
  readonly errors: number;
}

export type JobCommand =
  | { type: 'Begin'; job_id: string; kind: string; params: Readonly<Record<string, unknown>>; now: string }
  | { type: 'Accept'; total: number | null; chunks: number | null; by: 'request' | 'process'; now: string }
  | { type: 'Abandon'; now: string }
  | { type: 'Start'; now: string }
  | { type: 'Cancel'; now: string }
  /** Nothing is left to do, or it stops because of its cancellation. */
  | ({ type: 'Finish'; outcome: 'completed' | 'canceled'; keep_until: string; now: string } & JobTotals)
  /** It cannot be done. */
  | ({ type: 'Fail'; reason: string; now: string } & JobTotals)
  | { type: 'Forget'; now: string };

type Of<T extends JobCommand['type']> = Extract<JobCommand, { type: T }>;

export function decide(command: JobCommand, job: Job): readonly JobEvent[] {
  if (command.type === 'Begin') return begin(command, job);
  if (job.status === 'new') return [];
  const { now: at } = command;
  switch (command.type) {
    case 'Accept':
      return accept(command, job);
    case 'Abandon':
      return job.status === 'receiving' ? [finished(job, { status: 'abandoned', ...nothingDone, reason: null, keep_until: at, at })] : [];
    case 'Start':
      return 'started' in job && isOpen(job) && !job.started ? [{ type: 'JobStarted', data: { job_id: job.id, at } }] : [];
    case 'Cancel':
      return cancel(job, at);
    case 'Finish': {
      const { type: _, now: __, outcome: status, ...totals } = command;
      return isOpen(job) ? [finished(job, { status, ...totals, reason: null, at })] : [];
    }
    case 'Fail': {
      const { type: _, now: __, ...totals } = command;
      return isOpen(job) ? [finished(job, { status: 'failed', ...totals, keep_until: at, at })] : [];
    }
    case 'Forget':
      return 'forgotten' in job && !job.forgotten ? [{ type: 'JobContentForgotten', data: { job_id: job.id, at } }] : [];
    default:
      return command satisfies never;
  }
}

const nothingDone: JobTotals = { chunks: 0, done: 0, counts: {}, errors: 0 };
const isOpen = ({ status }: Job): boolean => status === 'accepted' || status === 'canceling';

const finished = ({ id: job_id, kind }: BegunJob, end: Omit<EventOf<typeof JobFinished>['data'], 'job_id' | 'kind'>): JobEvent => ({
  type: 'JobFinished',
  data: { job_id, kind, ...end },
});

function begin({ job_id, kind, params, now: at }: Of<'Begin'>, job: Job): readonly JobEvent[] {
  return job.status === 'new' ? [{ type: 'JobBegun', data: { job_id, kind, params: { ...params }, at } }] : [];
}

function accept({ total, chunks, by, now: at }: Of<'Accept'>, job: BegunJob): readonly JobEvent[] {
  if (job.status === 'abandoned') throw new DomainError('conflict', 'This job was given up because its input did not arrive in time. Send it again.');
  const { id: job_id, kind } = job;
  return job.status === 'receiving' ? [{ type: 'JobAccepted', data: { job_id, kind, total, chunks, by, at } }] : [];
}

function cancel(job: BegunJob, at: string): readonly JobEvent[] {
  if (job.status === 'accepted') return [{ type: 'JobCancelRequested', data: { job_id: job.id, at } }];
  if (job.status === 'canceling' || job.status === 'canceled') return [];
  throw new DomainError('invalid_state', `The job is ${job.status}. Only a job that is not over can be canceled.`, {
    current: job.status,
    allowed: ['queued', 'running'],
  });
}

// Streams

export const jobStream = (id: string): string => `job-${id}`;

export const job: OwnedAggregate<Job, JobCommand, JobEvent> = {
  resource: 'job',
  stream: jobStream,
  events: jobEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};

export const jobInputStream = (id: string): string => `jobInput-${id}`;
export const jobResultsStream = (id: string): string => `jobResults-${id}`;
export const jobOutputStream = (id: string): string => `jobOutput-${id}`;
