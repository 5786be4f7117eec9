import { journey, journeyStream, type KnownJourney } from '../../domain/journeys/journey.js';
import { oneOf, record, text } from '../../domain/kernel/schema.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { command } from '../runtime/command.js';

/** Pauses, resumes, stops, archives or deletes a journey. Repeats change nothing. Throws `not_found` and `invalid_state`. */
export const changeJourneyStatus = command({
  name: 'ChangeJourneyStatus',
  input: record({ journey_id: text, change: oneOf('Pause', 'Resume', 'Stop', 'Archive', 'Delete') }),

  async handle({ journey_id, change }, context): Promise<KnownJourney> {
    await loadJourney(context.log, context.cause.account, journey_id, { includeDeleted: change === 'Delete' });
    const { state } = await context.decide(journey, journeyStream(journey_id), { type: change, journey_id, now: context.now });
    return state as KnownJourney;
  },
});
