import {
  type AcceptedJob,
  type Job,
  type JobInputEvent,
  type JobResultEvent,
  type JobTotals,
  job,
  jobInputStream,
  jobResultsStream,
  jobStream,
} from '../../../domain/jobs/job.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { Checkpoint, Position } from '../../../domain/kernel/ports.js';
import type { EventLog } from '../../runtime/event-log.js';
import { isOwn, loadHistory } from '../load-aggregate.js';

export interface LoadedJob {
  readonly state: Job;
  /** Null if there is no such job. */
  readonly account: string | null;
  readonly revision: number;
  /** Where it was accepted. */
  readonly acceptedAt: Position | null;
  /** Where its cancellation was requested. */
  readonly canceledAt: Position | null;
  /** Of a test key. */
  readonly test: boolean;
}

export async function loadJob(log: EventLog, id: string): Promise<LoadedJob> {
  const { state, account, revision, events } = await loadHistory(log, job, jobStream(id));
  const accepted = events.find(({ event }) => event.type === 'JobAccepted');
  const canceledAt = events.find(({ event }) => event.type === 'JobCancelRequested')?.position ?? null;
  return { state, account, revision, acceptedAt: accepted?.position ?? null, canceledAt, test: accepted?.meta.test ?? false };
}

/** Whether the input is stored, so that callers can see the job. */
export const isAcceptedJob = (state: Job): state is AcceptedJob => 'total' in state;

/** A job of an account; null also if not all of its input arrived. */
export async function loadOwnJob(log: EventLog, account: string, id: string): Promise<AcceptedJob | null> {
  const found = await loadJob(log, id);
  return isOwn(found, account) && isAcceptedJob(found.state) ? found.state : null;
}

/** The same. Throws `not_found`. */
export async function findJob(log: EventLog, account: string, id: string): Promise<AcceptedJob> {
  const found = await loadOwnJob(log, account, id);
  if (!found) throw notFound(job.resource, id);
  return found;
}

/** The last recorded result of a job's chunks. */
export interface JobProgress {
  /** Revision of the result stream; -1 if no chunk is done. */
  readonly revision: number;
  readonly position: Checkpoint;
  readonly last: JobResultEvent['data'] | null;
}

export async function loadJobProgress(log: EventLog, id: string): Promise<JobProgress> {
  const [last] = (await log.read<JobResultEvent>(jobResultsStream(id), { backwards: true, limit: 1 })) ?? [];
  return { revision: last?.revision ?? -1, position: last?.position ?? 'start', last: last?.event.data ?? null };
}

/** What all chunks so far have done. */
export const totalsOf = ({ revision, last }: JobProgress): JobTotals => ({
  chunks: revision + 1,
  done: last?.done ?? 0,
  counts: last?.counts ?? {},
  errors: last?.errors_so_far ?? 0,
});

/** The input of a chunk; null if there is none or if it can no longer be read. */
export async function loadJobInput(log: EventLog, id: string, chunk: number): Promise<JobInputEvent['data']['items'] | null> {
  const [stored] = (await log.read<JobInputEvent>(jobInputStream(id), { from: chunk, limit: 1 })) ?? [];
  return stored && stored.event.data.items.length > 0 ? stored.event.data.items : null;
}
