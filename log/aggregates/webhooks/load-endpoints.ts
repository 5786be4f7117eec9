import { type Endpoint, type Endpoints, endpointIn, endpoints, endpointsStream } from '../../../domain/webhooks/endpoint.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadAggregate } from '../load-aggregate.js';

/** The webhook endpoints of an account. There are at most 20. */
export async function loadEndpoints(log: EventLog, account: string): Promise<Endpoints> {
  const { state } = await loadAggregate(log, endpoints, endpointsStream(account));
  return state;
}

/** Throws `not_found`. */
export const loadEndpoint = async (log: EventLog, account: string, id: string): Promise<Endpoint> =>
  endpointIn(await loadEndpoints(log, account), id);
