import { contactStream } from '../../domain/contacts/contact.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import type { JobKind, StepResult } from '../jobs/kind.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { type BulkAction, type BulkOptions, bulkActions } from './bulk-actions.js';
import type { SelectedContacts } from './ports.js';

/** The parameters of a job. `which` is null for contacts that are named: they are its input. */
export interface BulkParams extends BulkOptions {
  readonly action: BulkAction;
  readonly which: SelectedContacts | null;
}

export interface BulkItem {
  readonly contact_id: string;
}

/** Contacts that are worked on at once. */
const IN_FLIGHT = 32;
/** Events of a stream that are looked at for what an earlier run has done. */
const LOOKED_BACK = 20;

type Result = 'changed' | 'unchanged' | { readonly code: string; readonly message: string };

/** One action for many contacts: those of a filter, page by page in the order of their creation, or those that are named. */
export const contactBulk: JobKind<BulkParams, BulkItem> = {
  kind: 'contact_bulk',
  lane: 'contact_bulk',
  priority: 2,
  cancelable: true,
  keepMs: 0,

  async work(context, { job_id, params, items, from, counts, accepted }): Promise<StepResult | 'waiting'> {
    const page =
      params.which === null
        ? { ids: items.map(({ contact_id }) => contact_id), next: null }
        : await context.ports.contacts.selectPage(context.cause.account, params.which, { after: from, since: accepted });
    if (!page) return 'waiting';
    const results = await mapConcurrent(context, page.ids, IN_FLIGHT, (id) => workOn(context.contextOfPart(`bulk/${job_id}/${id}`), id, params));
    const before = Object.values(counts).reduce((sum, one) => sum + one, 0);
    const number = (wanted: Result) => results.filter((result) => result === wanted).length;
    const errors = results.flatMap((result, i) => (typeof result === 'string' ? [] : [{ row: before + i + 1, field: 'contact_id', ...result }]));
    return {
      done: page.ids.length,
      counts: { changed: number('changed'), unchanged: number('unchanged'), failed: errors.length },
      errors,
      resources: page.ids.filter((_, i) => results[i] === 'changed'),
      next: page.next,
    };
  },
};

/** A contact that is gone, or that refuses the action, is a problem of its own and ends no job. */
async function workOn(part: Context, contact_id: string, { action, ...options }: BulkParams): Promise<Result> {
  try {
    const found = await findContact(part.log, part.cause.account, contact_id);
    const { changed, streams } = await bulkActions[action](part, found, options);
    return changed || (await hasEarlierRun(part, streams)) ? 'changed' : 'unchanged';
  } catch (error) {
    if (!isDomainError(error)) throw error;
    // What this job has deleted before a crash is deleted by it.
    if (action === 'delete' && (await hasEarlierRun(part, [contactStream(contact_id)]))) return 'changed';
    return { code: error.code, message: error.message };
  }
}

/** Whether an earlier run of the same chunk, which ended before its record, has changed one of the streams. */
async function hasEarlierRun({ log, cause }: Context, streams: readonly string[]): Promise<boolean> {
  for (const stream of streams) {
    const events = (await log.readSealed(stream, { backwards: true, limit: LOOKED_BACK })) ?? [];
    if (events.some(({ meta }) => meta.$causationId === cause.invocation)) return true;
  }
  return false;
}
