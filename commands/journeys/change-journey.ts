import {
  changeSchema,
  type DefinitionChange,
  type JourneyDefinitionInput,
  shownDefinition,
  withKeptArithmetic,
  withKeptHeaders,
} from '../../domain/journeys/definition.js';
import { type JourneyVersion, journey, journeyStream, type KnownJourney, latestOf } from '../../domain/journeys/journey.js';
import { count, nullable, record, text } from '../../domain/kernel/schema.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { command } from '../runtime/command.js';
import { type ChangedContents, changedContents } from '../templates/changed-contents.js';
import { requireDefinition } from './definition-input.js';

/**
 * Changes the draft of a journey, or begins the draft of its next version. Throws `not_found`, `invalid_state`, `version_conflict` and
 * `validation_error`.
 */
export const changeJourney = command({
  name: 'ChangeJourney',
  input: record({ journey_id: text, change: changeSchema, expected: nullable(count) }),

  async handle({ journey_id, change, expected }, context): Promise<ChangedContents<KnownJourney>> {
    const known = await loadJourney(context.log, context.cause.account, journey_id);
    const before = latestOf(known);
    const { definition, receivers } = await requireDefinition(changedDefinition(before, change), context);
    const about = {
      ...{ journey_id, account_id: context.cause.account, expected },
      ...{ definition: withKeptArithmetic(definition, before.definition), receivers: withKeptHeaders(receivers, before.receivers) },
    };
    const stream = journeyStream(journey_id);
    const decided = await context.decide(journey, stream, { type: 'ChangeDraft', ...about, now: context.now });
    const contentsOf = (state: KnownJourney) => latestOf(state).definition;
    return changedContents(context, { aggregate: journey, stream, before: known, contentsOf }, decided);
  },
});

/** What a definition is after a change. The start of other nodes is their trigger, unless the change names it. */
export function changedDefinition({ definition, receivers }: JourneyVersion, change: DefinitionChange): JourneyDefinitionInput {
  const { start, ...before } = shownDefinition(definition, receivers);
  return { ...before, ...(change.nodes === undefined && { start }), ...change };
}
