import { nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import {
  type Suppression,
  type SuppressionReason,
  suppression,
  suppressionChannels,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import { command } from '../kernel.js';
import { suppressionId } from './suppress-address.js';

/**
 * Takes an address off the do-not-contact list on one channel, with the reason and what shows that the person wants it;
 * the log keeps both. An opt-in keyword lifts only what a STOP put there. `changed` is false where nothing stood there.
 */
export const liftSuppression = command({
  name: 'LiftSuppression',
  input: record({
    address_key: text,
    channel: oneOf(...suppressionChannels),
    by: oneOf('request', 'keyword', 'page'),
    because: text,
    proof: nullable(text),
    keyword: optional(text),
    inbound_id: optional(text),
  }),

  async handle(
    { address_key, channel, ...given },
    context,
  ): Promise<{ id: string; changed: boolean; lifted: readonly SuppressionReason[]; state: Suppression }> {
    const suppression_id = suppressionId(context.cause.account, address_key, channel);
    const lift = { type: 'Lift', suppression_id, address_key, channel, ...given, now: context.now } as const;
    let lifted: readonly SuppressionReason[] = [];
    const noting = {
      ...suppression,
      decide(asked: typeof lift, state: Suppression) {
        const events = suppression.decide(asked, state);
        lifted = events.flatMap(({ data }) => ('reasons' in data ? data.reasons : []));
        return events;
      },
    };
    const { position, state } = await context.decide(noting, suppressionStream(address_key), lift);
    return { id: suppression_id, changed: position !== null, lifted, state };
  },
});
