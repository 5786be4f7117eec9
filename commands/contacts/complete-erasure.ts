import { erasure, erasureStream } from '../../domain/contacts/erasure.js';
import { notFound } from '../../domain/kernel/errors.js';
import { list, record, text } from '../../domain/kernel/schema.js';
import { loadErasure } from '../../log/aggregates/contacts/load-erasure.js';
import { command } from '../runtime/command.js';
import { type ErasureSubjects, prepareErasure } from './erasing.js';

/** All steps of an erasure before keys are destroyed. Repeatable. Throws `not_found` for an erasure that was not requested. */
export const beginErasure = command({
  name: 'BeginErasure',
  input: record({ erasure_id: text }),

  async handle({ erasure_id }, context): Promise<ErasureSubjects> {
    const state = await loadErasure(context.log, erasure_id);
    if (state.status === 'none') throw notFound('erasure', erasure_id);
    return prepareErasure(context, { erasure_id, ...state });
  },
});

/** Records that all keys of an erasure are destroyed. Caches of keys drop them then. */
export const recordErasure = command({
  name: 'RecordErasure',
  input: record({ erasure_id: text, contact_ids: list(text), address_keys: list(text) }),

  async handle({ erasure_id, ...subjects }, context): Promise<void> {
    await context.decide(erasure, erasureStream(erasure_id), { type: 'Complete', erasure_id, ...subjects, now: context.now });
  },
});

/** Records that the keys of contacts were destroyed again. */
export const recordSweep = command({
  name: 'RecordSweep',
  input: record({ erasure_id: text, contact_ids: list(text) }),

  async handle(swept, context): Promise<void> {
    await context.decide(erasure, erasureStream(swept.erasure_id), { type: 'Sweep', ...swept, now: context.now });
  },
});
