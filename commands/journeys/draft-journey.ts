import { type JourneyDefinitionInput, journeyDefinitionSchema } from '../../domain/journeys/definition.js';
import { journey, journeyStream, type KnownJourney } from '../../domain/journeys/journey.js';
import { type Context, command } from '../runtime/command.js';
import { type CompleteDefinition, requireDefinition } from './definition-input.js';

/** Makes a journey: the draft of its version 1. Throws `validation_error` with every problem. */
export const draftJourney = command({
  name: 'DraftJourney',
  input: journeyDefinitionSchema,

  async handle(given, context): Promise<KnownJourney> {
    const journey_id = context.newId('jrn');
    const draft = { type: 'Draft', journey_id, account_id: context.cause.account, ...(await definitionOf(journey_id, given, context)) } as const;
    const { state } = await context.decide(journey, journeyStream(journey_id), { ...draft, now: context.now }, { assumeNew: true });
    return state as KnownJourney;
  },
});

/** A repeat under the same idempotency key gives the journey of the first run, whatever has changed since. */
async function definitionOf(id: string, given: JourneyDefinitionInput, context: Context): Promise<CompleteDefinition> {
  const stored = context.cause.key === undefined ? null : await context.log.read(journeyStream(id), { limit: 1 });
  const first = stored?.[0]?.event.data as CompleteDefinition | undefined;
  return first ?? (await requireDefinition(given, context));
}
