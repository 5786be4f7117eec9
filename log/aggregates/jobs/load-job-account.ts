import { importStream } from '../../../domain/contacts/legacy-import.js';
import { jobStream } from '../../../domain/jobs/job.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { EventLog } from '../../runtime/event-log.js';

/** The account of a job, or of an import that was accepted before imports were jobs. Throws `not_found`. */
export async function loadJobAccount(log: EventLog, id: string): Promise<string> {
  for (const stream of [jobStream(id), importStream(id)]) {
    const [first] = (await log.readSealed(stream, { limit: 1 })) ?? [];
    if (first) return first.meta.account;
  }
  throw notFound('job', id);
}
