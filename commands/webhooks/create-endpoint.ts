import { endpointIn, endpoints, endpointsStream } from '../../domain/webhooks/endpoint.js';
import { type EndpointWithSecret, toEndpointResource } from '../../domain/webhooks/endpoint-resource.js';
import { formatWebhookSecret } from '../../formats/accounts/secrets.js';
import { laneText } from '../../formats/webhooks/lanes.js';
import { command } from '../runtime/command.js';
import { newEndpoint, normalizedEvents, requireValidTarget } from './endpoint-input.js';

/** Registers a webhook endpoint. Its secret is shown by this answer and never again. Throws `conflict` above the limit, `invalid_url`, `unknown_event_type`. */
export const createEndpoint = command({
  name: 'CreateEndpoint',
  input: newEndpoint,

  async handle(given, context): Promise<EndpointWithSecret> {
    requireValidTarget(given, context);
    const { url, events = [], description = null, headers = {} } = given;
    const { account } = context.cause;
    const stream = endpointsStream(account);
    const endpoint_id = context.newId('whe');
    const secret = formatWebhookSecret(context.newSecret('endpoint-secret'));
    const target = { url, lane: context.addresses.key(account, laneText(url)), events: normalizedEvents(events), description, headers };
    const create = { type: 'Create', account_id: account, endpoint_id, target, secret, now: context.now } as const;
    const { state } = await context.exclusively([stream], () => context.decide(endpoints, stream, create));
    const endpoint = endpointIn(state, endpoint_id);
    return { ...toEndpointResource(endpoint), secret: endpoint.secret.current };
  },
});
