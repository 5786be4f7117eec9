import { count, record, text } from '../../domain/kernel/schema.js';
import { delivery, deliveryStream } from '../../domain/webhooks/delivery.js';
import { command } from '../kernel.js';

/**
 * Sends a delivery once more, independently of its retry schedule. `revision`: of the event in the message's stream. Returns
 * the number of this attempt among the manual ones.
 */
export const requestRedelivery = command({
  name: 'RequestRedelivery',
  input: record({ delivery_id: text, message_id: text, revision: count, url: text }),

  async handle({ delivery_id, ...request }, context): Promise<{ number: number }> {
    const { state } = await context.decide(delivery, deliveryStream(delivery_id), { type: 'RequestRedelivery', ...request, now: context.now });
    return { number: state.redeliveries.requested };
  },
});
