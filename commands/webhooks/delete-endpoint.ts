import { record, text } from '../../domain/kernel/schema.js';
import { endpoints, endpointsStream } from '../../domain/webhooks/endpoint.js';
import { command } from '../runtime/command.js';

/** Deletes a webhook endpoint; its pending deliveries are stopped. Repeating it changes nothing. Throws `not_found`. */
export const deleteEndpoint = command({
  name: 'DeleteEndpoint',
  input: record({ endpoint_id: text }),

  async handle({ endpoint_id }, context): Promise<void> {
    await context.decide(endpoints, endpointsStream(context.cause.account), { type: 'Delete', endpoint_id, now: context.now });
  },
});
