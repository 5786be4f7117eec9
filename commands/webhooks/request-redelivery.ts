import Type from 'typebox';
import { delivery, deliveryStream } from '../../domain/webhooks/delivery.js';
import { command } from '../kernel.js';

export interface RedeliveryRequest {
  readonly delivery_id: string;
  readonly message_id: string;
  /** Of the event that is told, in the message's stream. */
  readonly revision: number;
  readonly url: string;
}

/** Has a delivery sent once more, whatever its schedule does. Gives the number of this attempt among those by hand. */
export const requestRedelivery = command({
  name: 'RequestRedelivery',
  input: Type.Unsafe<RedeliveryRequest>(Type.Object({})),

  async handle({ delivery_id, ...request }, context): Promise<{ number: number }> {
    const { state } = await context.decide(delivery, deliveryStream(delivery_id), { type: 'RequestRedelivery', ...request, now: context.now });
    return { number: state.redeliveries.requested };
  },
});
