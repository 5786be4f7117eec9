import { type ParkedFields, parkedStream, parkedWork } from '../../domain/parked/parked-work.js';
import { internalCommand } from '../runtime/command.js';

/** Sets a to-do aside that failed too often. Parking it again changes nothing. */
export const parkWork = internalCommand({
  name: 'ParkWork',

  async handle(fields: ParkedFields, context): Promise<void> {
    await context.decide(parkedWork, parkedStream(fields.parked_id), { type: 'Park', ...fields, now: context.now });
  },
});
