import { record, text } from '../../domain/kernel/schema.js';
import { parkedStream, parkedWork } from '../../domain/parked/parked-work.js';
import { command } from '../runtime/command.js';

/** Makes a parked to-do due again. Throws `not_found`, or `invalid_state` for one that was dropped. */
export const retryWork = command({
  name: 'RetryWork',
  input: record({ parked_id: text }),

  async handle({ parked_id }, context): Promise<void> {
    await context.decide(parkedWork, parkedStream(parked_id), { type: 'Retry', parked_id, now: context.now });
  },
});
