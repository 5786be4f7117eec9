import { record, text } from '../../domain/kernel/schema.js';
import { parkedStream, parkedWork } from '../../domain/parked/parked-work.js';
import { command } from '../runtime/command.js';

/** Gives a parked to-do up: its process ends what it is about. Throws `not_found`, `invalid_state` for one that was retried, or `work_required` for an erasure. */
export const dropWork = command({
  name: 'DropWork',
  input: record({ parked_id: text }),

  async handle({ parked_id }, context): Promise<void> {
    await context.decide(parkedWork, parkedStream(parked_id), { type: 'Drop', parked_id, now: context.now });
  },
});
