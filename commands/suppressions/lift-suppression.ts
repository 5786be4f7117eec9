import { boundedText, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import type { SuppressionReason } from '../../domain/suppressions/reasons.js';
import { type Suppression, suppression, suppressionChannels, suppressionStream } from '../../domain/suppressions/suppression.js';
import { command } from '../runtime/command.js';
import { suppressionId } from './suppress-address.js';

/**
 * Lifts the suppression of an address on one channel. `because` and `proof` are stored. An opt-in keyword lifts only
 * `stop_keyword`, a page or a confirmed double opt-in only what came by a page or a link. `changed` is false if there was nothing to lift.
 */
export const liftSuppression = command({
  name: 'LiftSuppression',
  input: record({
    address_key: text,
    channel: oneOf(...suppressionChannels),
    by: oneOf('request', 'keyword', 'page', 'opt_in', 'review'),
    because: text,
    proof: nullable(boundedText({})),
    keyword: optional(text),
    inbound_id: optional(text),
    message_id: optional(text),
    list_id: optional(text),
  }),

  async handle(
    { address_key, channel, ...given },
    context,
  ): Promise<{ id: string; changed: boolean; lifted: readonly SuppressionReason[]; state: Suppression }> {
    const suppression_id = suppressionId(context.cause.account, address_key, channel);
    const lift = { type: 'Lift', suppression_id, address_key, channel, ...given, now: context.now } as const;
    let lifted: readonly SuppressionReason[] = [];
    const observed = {
      ...suppression,
      decide(command: typeof lift, state: Suppression) {
        const events = suppression.decide(command, state);
        lifted = events.flatMap(({ data }) => ('reasons' in data ? data.reasons : []));
        return events;
      },
    };
    const { position, state } = await context.decide(observed, suppressionStream(address_key), lift);
    return { id: suppression_id, changed: position !== null, lifted, state };
  },
});
