import Type from 'typebox';
import { CONTACT_IMPORT_REVERT } from '../../domain/contacts/import.js';
import { type AcceptedJob, job, jobStream } from '../../domain/jobs/job.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { oneOf, text } from '../../domain/kernel/schema.js';
import { findImport, loadRevert } from '../../log/aggregates/contacts/load-import.js';
import { storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { changeLegacyImport } from './change-legacy-import.js';

/**
 * Cancels an import after its current chunk, or begins the job that reverts one that is over. A repeat changes nothing. Throws
 * `not_found`, and `invalid_state` if the import is over or not yet over.
 */
export const changeImport = command({
  name: 'ChangeImport',
  input: Type.Object({ import_id: text, change: oneOf('Cancel', 'Revert') }),

  async handle({ import_id, change }, context): Promise<{ readonly import_id: string }> {
    const found = await findImport(context.log, context.cause.account, import_id);
    if (found.is === 'legacy') await changeLegacyImport(context, import_id, change);
    else if (change === 'Cancel') await context.decide(job, jobStream(import_id), { type: 'Cancel', now: context.now });
    else await revert(context, found.job);
    return { import_id };
  },
});

async function revert(context: Context, { id: import_id, status }: AcceptedJob): Promise<void> {
  if (status === 'accepted' || status === 'canceling') {
    const current = status === 'accepted' ? 'running' : status;
    const message = `The import is ${current}. Only one that is over can be reverted.`;
    throw new DomainError('invalid_state', message, { current, allowed: ['completed', 'canceled', 'failed'] });
  }
  const { job_id } = await loadRevert(context.log, import_id);
  await storeJob(context, { job_id, kind: CONTACT_IMPORT_REVERT, params: { import_id }, chunks: null });
}
