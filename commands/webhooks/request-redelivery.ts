import { count, nullable, record, text } from '../../domain/kernel/schema.js';
import { delivery, deliveryStream } from '../../domain/webhooks/delivery.js';
import { command } from '../runtime/command.js';

/**
 * Sends a delivery once more, independently of its retry schedule. `source_stream` and `revision` name the event that is delivered.
 * Returns the number of this attempt among the manual ones.
 */
export const requestRedelivery = command({
  name: 'RequestRedelivery',
  input: record({
    delivery_id: text,
    endpoint_id: nullable(text),
    source_stream: text,
    revision: count,
    event_id: nullable(text),
    event: nullable(text),
    lane: text,
  }),

  async handle({ delivery_id, ...source }, context): Promise<{ number: number }> {
    const request = { type: 'RequestRedelivery', ...source, now: context.now } as const;
    const { state } = await context.decide(delivery, deliveryStream(delivery_id), request);
    return { number: state.redeliveries.requested };
  },
});
