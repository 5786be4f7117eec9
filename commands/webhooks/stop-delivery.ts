import { delivery, deliveryStream } from '../../domain/webhooks/delivery.js';
import { internalCommand } from '../runtime/command.js';

export interface StopRequest {
  readonly delivery_id: string;
  readonly reason: 'disabled' | 'deleted';
}

/** Ends the schedule of a delivery whose endpoint no longer takes it. A repeat changes nothing. */
export const stopDelivery = internalCommand({
  name: 'StopDelivery',

  async handle({ delivery_id, reason }: StopRequest, context): Promise<void> {
    await context.decide(delivery, deliveryStream(delivery_id), { type: 'Stop', reason, now: context.now });
  },
});
