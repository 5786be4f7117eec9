import { type Endpoint, type Endpoints, endpointIn, endpointsStream } from '../../../domain/webhooks/endpoint.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadState } from '../load-state.js';
import { snapshottedAggregates } from '../snapshotted-aggregates.js';

/** The webhook endpoints of an account. There are at most 20. */
export async function loadEndpoints(log: EventLog, account: string): Promise<Endpoints> {
  const { state } = await loadState(log, snapshottedAggregates.endpoints, endpointsStream(account));
  return state;
}

/** Throws `not_found`. */
export const loadEndpoint = async (log: EventLog, account: string, id: string): Promise<Endpoint> =>
  endpointIn(await loadEndpoints(log, account), id);
