import { type Attempt, delivery, deliveryStream } from '../../domain/webhooks/delivery.js';
import { internalCommand } from '../runtime/command.js';

export interface AttemptRecord {
  readonly delivery_id: string;
  readonly attempt: Attempt;
  /** Delays after each failed scheduled attempt, in milliseconds. */
  readonly retry_delays_ms: readonly number[];
}

/** Records an attempt and when the next one is due. A repeated record changes nothing. */
export const recordAttempt = internalCommand({
  name: 'RecordWebhookAttempt',

  async handle({ delivery_id, attempt, retry_delays_ms }: AttemptRecord, context): Promise<void> {
    const assumeNew = attempt.trigger === 'schedule' && attempt.number === 1;
    await context.decide(delivery, deliveryStream(delivery_id), { type: 'RecordAttempt', attempt, retry_delays_ms }, { assumeNew });
  },
});
