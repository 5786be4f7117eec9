import { record } from '../../domain/kernel/schema.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { CONTACT_SCORING, SCORE_FIT } from './score-kinds.js';

/** Begins a fit of the scores of an account, as a job. */
export const refitScores = command({ name: 'RefitScores', input: record({}), handle: (_, context) => begin(context, SCORE_FIT) });

/** Begins the scoring of all buyers by the model in force, as a job. */
export const scoreBuyers = command({ name: 'ScoreBuyers', input: record({}), handle: (_, context) => begin(context, CONTACT_SCORING) });

async function begin(context: Context, kind: string): Promise<StoredJob> {
  const job_id = context.newId('job');
  const earlier = await findStoredJob(context, job_id);
  return earlier ?? ((await storeJob(context, { job_id, kind, params: {}, chunks: null })) as StoredJob);
}
