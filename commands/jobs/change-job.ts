import Type from 'typebox';
import { job, jobStream } from '../../domain/jobs/job.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { oneOf, text } from '../../domain/kernel/schema.js';
import { findJob, loadJobProgress, totalsOf } from '../../log/aggregates/jobs/load-job.js';
import { command } from '../runtime/command.js';
import { kindOf } from './kind.js';

/**
 * Cancels a job after its current chunk. A repeat changes nothing. Throws `not_found`, and `invalid_state` if the job is over or
 * cannot be canceled.
 */
export const cancelJob = command({
  name: 'CancelJob',
  input: Type.Object({ job_id: text }),

  async handle({ job_id }, context): Promise<void> {
    const { kind, status } = await findJob(context.log, context.cause.account, job_id);
    if (!kindOf(context.ports.jobs.kinds, kind).cancelable)
      throw new DomainError('invalid_state', `A job of the kind '${kind}' cannot be canceled.`, { current: status, allowed: [] });
    await context.decide(job, jobStream(job_id), { type: 'Cancel', now: context.now });
  },
});

/** Abandons a job whose input did not all arrive, or records that its content can no longer be read. */
export const settleJob = command({
  name: 'SettleJob',
  input: Type.Object({ job_id: text, change: oneOf('Abandon', 'Forget') }),

  async handle({ job_id, change }, context): Promise<void> {
    await context.decide(job, jobStream(job_id), { type: change, now: context.now });
  },
});

/** Ends a job that cannot be done, with a reason from a fixed list. What its chunks have done stays. */
export const failJob = command({
  name: 'FailJob',
  input: Type.Object({ job_id: text, reason: oneOf('dropped') }),

  async handle({ job_id, reason }, context): Promise<void> {
    const totals = totalsOf(await loadJobProgress(context.log, job_id));
    await context.decide(job, jobStream(job_id), { type: 'Fail', reason, ...totals, now: context.now });
  },
});
