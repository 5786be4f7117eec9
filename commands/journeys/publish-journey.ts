import { shownDefinition } from '../../domain/journeys/definition.js';
import { inFlightSchema, journey, journeyStream, type KnownJourney } from '../../domain/journeys/journey.js';
import { record, text } from '../../domain/kernel/schema.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { command } from '../runtime/command.js';
import { requireDefinition } from './definition-input.js';

/**
 * Puts the draft of a journey in force. Without a draft nothing changes, but one that was stopped starts again. Throws `not_found`,
 * `invalid_state`, and `validation_error` where something that it refers to is gone.
 */
export const publishJourney = command({
  name: 'PublishJourney',
  input: record({ journey_id: text, in_flight: inFlightSchema }),

  async handle({ journey_id, in_flight }, context): Promise<KnownJourney> {
    const { draft, status } = await loadJourney(context.log, context.cause.account, journey_id);
    if (draft && status !== 'archived') await requireDefinition(shownDefinition(draft.definition, draft.receivers), context);
    const about = { journey_id, account_id: context.cause.account, in_flight, test: context.cause.test ?? false };
    const { state } = await context.decide(journey, journeyStream(journey_id), { type: 'Publish', ...about, now: context.now });
    return state as KnownJourney;
  },
});
