import { optional, record, text } from '../../domain/kernel/schema.js';
import { endpointIn, endpoints, endpointsStream } from '../../domain/webhooks/endpoint.js';
import { type EndpointWithSecret, toEndpointResource } from '../../domain/webhooks/endpoint-resource.js';
import { formatWebhookSecret } from '../../formats/accounts/secrets.js';
import { command } from '../runtime/command.js';
import { overlapSeconds } from './endpoint-input.js';

const DAY = 86_400;

/** Gives a webhook endpoint a new secret, which only this answer shows. During the overlap both sign. Throws `not_found`. */
export const rotateEndpointSecret = command({
  name: 'RotateEndpointSecret',
  input: record({ endpoint_id: text, overlap_seconds: optional(overlapSeconds) }),

  async handle({ endpoint_id, overlap_seconds = DAY }, context): Promise<EndpointWithSecret> {
    const { account } = context.cause;
    const secret = formatWebhookSecret(context.newSecret('endpoint-secret'));
    const previous_until = overlap_seconds === 0 ? null : new Date(Date.parse(context.now) + overlap_seconds * 1_000).toISOString();
    const rotate = { type: 'RotateSecret', account_id: account, endpoint_id, secret, previous_until, now: context.now } as const;
    const { state } = await context.decide(endpoints, endpointsStream(account), rotate);
    const endpoint = endpointIn(state, endpoint_id);
    return { ...toEndpointResource(endpoint), secret: endpoint.secret.current };
  },
});
