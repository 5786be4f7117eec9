import { count, nullable, record, text } from '../../domain/kernel/schema.js';
import { type EndpointChange, endpointIn, endpoints, endpointsStream } from '../../domain/webhooks/endpoint.js';
import { type EndpointResource, toEndpointResource } from '../../domain/webhooks/endpoint-resource.js';
import { laneText } from '../../formats/webhooks/lanes.js';
import { command } from '../runtime/command.js';
import { endpointChange, normalizedEvents, requireValidTarget } from './endpoint-input.js';

/** Changes a webhook endpoint, enables it or disables it. Throws `not_found`, `version_conflict`, `invalid_url`, `unknown_event_type`. */
export const changeEndpoint = command({
  name: 'ChangeEndpoint',
  input: record({ endpoint_id: text, change: endpointChange, expected: nullable(count) }),

  async handle({ endpoint_id, change: given, expected }, context): Promise<EndpointResource> {
    requireValidTarget(given, context);
    const { url, events, ...rest } = given;
    const { account } = context.cause;
    const change: EndpointChange = {
      ...rest,
      ...(url !== undefined && { url, lane: context.addresses.key(account, laneText(url)) }),
      ...(events && { events: normalizedEvents(events) }),
    };
    const command = { type: 'Change', account_id: account, endpoint_id, change, expected, now: context.now } as const;
    const { state } = await context.decide(endpoints, endpointsStream(account), command);
    return toEndpointResource(endpointIn(state, endpoint_id));
  },
});
