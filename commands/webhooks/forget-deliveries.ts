import { forgottenDeliveries, forgottenDeliveriesStream } from '../../domain/webhooks/forgotten-deliveries.js';
import { internalCommand } from '../runtime/command.js';

export interface ForgottenBatch {
  readonly batch_id: string;
  readonly deliveries: readonly string[];
  readonly endpoint_deliveries: readonly string[];
  /** RFC 3339. */
  readonly next_at: string | null;
}

/** Records that the documents of these deliveries are removed. A repeat of the same batch changes nothing. */
export const forgetDeliveries = internalCommand({
  name: 'ForgetDeliveries',

  async handle({ batch_id, ...batch }: ForgottenBatch, context): Promise<void> {
    await context.decide(forgottenDeliveries, forgottenDeliveriesStream(batch_id), { ...batch, now: context.now }, { assumeNew: true });
  },
});
