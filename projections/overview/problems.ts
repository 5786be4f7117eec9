/** What is wrong, as read models and the log show it: of one account, and of the installation. */
import type { ReadModels } from '../../domain/kernel/ports.js';
import { isSuccessStatus } from '../../domain/webhooks/delivery.js';
import type { Endpoint } from '../../domain/webhooks/endpoint.js';
import { loadEndpoints } from '../../log/aggregates/webhooks/load-endpoints.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type StoredMessage, wholeMessage } from '../messages/message-doc.js';
import { messages } from '../messages/projection.js';
import { parkedQueries } from '../parked/queries.js';
import type { ProjectionStatus } from '../runtime/status.js';
import type { EndpointDeliveryDoc } from '../webhooks/projection.js';
import { endpointDeliveryQueries } from '../webhooks/queries.js';

export const problemKinds = ['carrier', 'projection', 'parked', 'endpoint', 'sending_domain'] as const;

export interface Problem {
  readonly kind: (typeof problemKinds)[number];
  /** `error`: something does not happen; `warning`: it may not, or is late. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly resource: { readonly kind: string; readonly id: string; readonly name: string };
  /** Null where nobody knows. */
  readonly since: string | null;
}

interface Sources {
  readonly log: EventLog;
  readonly views: ReadModels;
}

/** Rows that are looked at. */
const MOST_WAITING = 200;
const MOST_PARKED = 200;
const MOST_DELIVERIES = 20;

/** Carriers that refuse their settings: messages of the account wait for them. */
export async function carrierProblems({ views }: Sources, account: string): Promise<Problem[]> {
  const waiting = await views.docs<StoredMessage>(messages, 'messages').find({
    where: { account_id: account, status_reason: 'carrier_misconfigured' },
    order: { field: 'seq' },
    limit: MOST_WAITING,
  });
  const since = new Map<string, string>();
  for (const { carrier, created_at } of waiting.map(wholeMessage)) if (carrier && !since.has(carrier.name)) since.set(carrier.name, created_at);
  return [...since].map(([name, at]) => misconfiguredCarrier(name, at));
}

/** A carrier that refuses its settings. */
export const misconfiguredCarrier = (name: string, since: string | null): Problem => ({
  kind: 'carrier',
  severity: 'error',
  message: `The carrier ${name} refuses its settings: messages wait until they are corrected.`,
  resource: { kind: 'carrier', id: name, name },
  since,
});

/** Work that failed too often and waits for the operator, by process: of one account, or of all. */
export async function parkedProblems({ views }: Pick<Sources, 'views'>, account: string | null): Promise<Problem[]> {
  const range = { after: null, descending: false, limit: MOST_PARKED };
  const rows = (await parkedQueries(views).list(account === null ? {} : { account }, range)).map(({ item }) => item);
  const byProcess = new Map<string, typeof rows>();
  for (const row of rows) byProcess.set(row.process, [...(byProcess.get(row.process) ?? []), row]);
  return [...byProcess].map(([name, found]): Problem => {
    const [first] = found;
    const count = found.length;
    const many = `${count}${rows.length === MOST_PARKED ? ' or more' : ''} pieces of work failed too often and wait`;
    return {
      kind: 'parked',
      severity: 'error',
      message: `${count === 1 ? 'A piece of work failed too often and waits' : many} to be retried by the operator (${name}).`,
      resource: { kind: 'parked_work', id: first?.id ?? '', name },
      since: first?.parked_at ?? null,
    };
  });
}

/** Webhook endpoints whose last attempt has failed. One that is disabled is none: somebody has decided that. */
export async function endpointProblems(sources: Sources, account: string): Promise<Problem[]> {
  const { byId } = await loadEndpoints(sources.log, account);
  const deliveries = endpointDeliveryQueries(sources);
  const enabled = [...byId.values()].filter(({ status }) => status === 'enabled');
  const found = await Promise.all(
    enabled.map(async (endpoint) => {
      const latest = await deliveries.list({ endpoint_id: endpoint.id }, { after: null, descending: true, limit: MOST_DELIVERIES });
      return failing(endpoint, latest) ?? [];
    }),
  );
  return found.flat();
}

function failing({ id, url, description }: Endpoint, deliveries: readonly EndpointDeliveryDoc[]): Problem | null {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts).sort((a, b) => (a.at < b.at ? -1 : 1));
  const lastSuccess = attempts.findLastIndex(({ status_code }) => status_code !== null && isSuccessStatus(status_code));
  const [first, ...others] = attempts.slice(lastSuccess + 1);
  if (!first) return null;
  const last = others.at(-1) ?? first;
  const answer = last.status_code === null ? 'did not answer' : `answered ${last.status_code}`;
  const isLost = deliveries.some(({ status, attempts: own }) => status === 'failed' && (own.at(-1)?.at ?? '') >= first.at);
  return {
    kind: 'endpoint',
    severity: isLost ? 'error' : 'warning',
    message: `The webhook endpoint ${answer} at the last attempt.${isLost ? ' Deliveries have failed for good.' : ''}`,
    resource: { kind: 'webhook_endpoint', id, name: description ?? url },
    since: first.at,
  };
}

/** Projections that are halted, or further behind the log than `maxLagMs`. `now`: milliseconds since 1970. */
export const projectionProblems = (statuses: readonly ProjectionStatus[], maxLagMs: number, now: number): Problem[] =>
  statuses
    .filter(({ status, lag_ms }) => status === 'halted' || lag_ms > maxLagMs)
    .map(({ name, status, lag_ms, reason }) => ({
      kind: 'projection',
      severity: status === 'halted' ? 'error' : 'warning',
      message:
        status === 'halted' ? `The projection ${name} is halted: ${reason}` : `The projection ${name} is ${Math.round(lag_ms / 1_000)} s behind.`,
      resource: { kind: 'projection', id: name, name },
      since: new Date(now - lag_ms).toISOString(),
    }));
