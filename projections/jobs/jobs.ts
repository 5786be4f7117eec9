import { CONTACT_IMPORT } from '../../domain/contacts/import.js';
import type { AcceptedLegacyImport } from '../../domain/contacts/legacy-import.js';
import type { AcceptedJob } from '../../domain/jobs/job.js';
import { notFound } from '../../domain/kernel/errors.js';
import { countsOf, loadImportProgress, loadOwnLegacyImport } from '../../log/aggregates/contacts/load-legacy-import.js';
import { type JobProgress, loadJobProgress, loadOwnJob, totalsOf } from '../../log/aggregates/jobs/load-job.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadImportProblems, loadJobProblems, type ProblemWithCursor } from './problems.js';
import { type JobResource, jobResult, rowsOf } from './projection.js';

type FoundJob = { readonly kind: 'job'; readonly job: AcceptedJob } | { readonly kind: 'import'; readonly job: AcceptedLegacyImport };

/** A job of an account, or an import that was accepted before imports were jobs. Throws `not_found`. */
export async function findAnyJob(log: EventLog, account: string, id: string): Promise<FoundJob> {
  const job = await loadOwnJob(log, account, id);
  if (job) return { kind: 'job', job };
  const legacy = await loadOwnLegacyImport(log, account, id);
  if (!legacy) throw notFound('job', id);
  return { kind: 'import', job: legacy };
}

/** A job as it is now, from the log. Throws `not_found`. */
export async function readJob(log: EventLog, account: string, id: string): Promise<JobResource> {
  const found = await findAnyJob(log, account, id);
  return found.kind === 'job' ? jobResourceOf(found.job, await loadJobProgress(log, id)) : importAsJob(log, found.job);
}

function jobResourceOf(job: AcceptedJob, progress: JobProgress): JobResource {
  const { id, kind, total, created_at, status } = job;
  if (!('finished_at' in job)) {
    const { done, errors } = totalsOf(progress);
    const shown = status === 'accepted' ? (progress.last ? 'running' : 'queued') : 'canceling';
    return { id, kind, status: shown, done, total, errors, created_at, finished_at: null, result: null };
  }
  const { done, errors, finished_at } = job;
  const result = jobResult({ ...job, at: finished_at });
  return { id, kind, status: job.status, done, total: total ?? done, errors, created_at, finished_at, result };
}

/** What an import does after its end, reverting, is no work of this job. */
async function importAsJob(log: EventLog, job: AcceptedLegacyImport): Promise<JobResource> {
  const { id, total, created_at } = job;
  const about = { id, kind: CONTACT_IMPORT, total, created_at };
  if ('outcome' in job) {
    const { outcome, counts, errors, finished_at } = job;
    return { ...about, status: outcome, done: rowsOf(counts), errors, finished_at, result: counts };
  }
  const { counts, errors } = countsOf(await loadImportProgress(log, id));
  const done = rowsOf(counts);
  const status = job.status === 'running' && done === 0 ? 'queued' : (job.status as 'running' | 'canceling');
  return { ...about, status, done, errors, finished_at: null, result: null };
}

/** The problems of a job's items, in order. Throws `not_found`. */
export async function readJobProblems(
  log: EventLog,
  account: string,
  id: string,
  after: Pick<ProblemWithCursor, 'chunk' | 'nth'> | null,
  limit: number,
): Promise<ProblemWithCursor[]> {
  const { kind } = await findAnyJob(log, account, id);
  return kind === 'job' ? loadJobProblems(log, id, after, limit) : loadImportProblems(log, id, after, limit);
}
