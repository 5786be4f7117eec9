import { CONTACT_IMPORT } from '../../../domain/contacts/import.js';
import type { AcceptedLegacyImport } from '../../../domain/contacts/legacy-import.js';
import type { AcceptedJob, Job } from '../../../domain/jobs/job.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { EventLog } from '../../runtime/event-log.js';
import { hashId } from '../../runtime/ids.js';
import { loadJob, loadOwnJob } from '../jobs/load-job.js';
import { loadOwnLegacyImport } from './load-legacy-import.js';

/** An import: a job, or one that was accepted before imports were jobs. */
export type FoundImport = { readonly is: 'job'; readonly job: AcceptedJob } | { readonly is: 'legacy'; readonly job: AcceptedLegacyImport };

/** An import of an account. Throws `not_found`, also if not all of its rows arrived. */
export async function findImport(log: EventLog, account: string, id: string): Promise<FoundImport> {
  const job = await loadOwnJob(log, account, id);
  if (job?.kind === CONTACT_IMPORT) return { is: 'job', job };
  const legacy = await loadOwnLegacyImport(log, account, id);
  if (!legacy) throw notFound('import', id);
  return { is: 'legacy', job: legacy };
}

/** The id of the job that reverts an import, after `nth` that failed. */
export const revertJobId = (import_id: string, nth: number): string => hashId('job', 'revert', import_id, nth);

/** The job that reverts an import: the first that did not fail. Its status is `new` if there is none. */
export async function loadRevert(log: EventLog, import_id: string): Promise<{ readonly job_id: string; readonly state: Job }> {
  for (let nth = 0; ; nth++) {
    const job_id = revertJobId(import_id, nth);
    const { state } = await loadJob(log, job_id);
    if (state.status !== 'failed') return { job_id, state };
  }
}
