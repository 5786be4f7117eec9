import { ERASED } from '../../../domain/kernel/erased.js';
import { UNDIVIDED } from '../../../domain/kernel/ports.js';
import {
  deliveriesOf,
  type EndpointDelivery,
  type EndpointSet,
  endpointSetAfter,
  endpointSetId,
  isOfEndpoint,
} from '../../../domain/webhooks/delivery-rules.js';
import { deliveryIds } from '../../../log/aggregates/webhooks/deliveries.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { bodyOf, nameOf, pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';
import type { RecordedAttempt } from '../world/outside.js';
import { isOfReplay } from './replays.js';
import { byDelivery, type Expected, problemsOf, recordedAt } from './webhooks.js';

/** Hosts of their own, so that messages and endpoints do not share lanes. */
const HOST = 'https://endpoints.example/hooks';
const CHOICES: readonly (readonly string[])[] = [
  [],
  ['contact.created', 'contact.updated'],
  ['message.failed', 'contact.bounced'],
  ['form.submitted'],
];

/** Endpoints are created, disabled, enabled and deleted: every platform event is delivered to those that want it, and nothing else is. */
export const endpoints: Capability = {
  name: 'endpoints',
  begin(run) {
    const random = run.world.random('endpoints');
    const ids: string[] = [];
    let nth = 0;
    const create = async (events: readonly string[]): Promise<void> => {
      const number = ++nth;
      const body = { url: `${HOST}/${number}`, events, description: nameOf(run) };
      const exchange = await run.caller.send('POST', '/v1/webhook-endpoints', body, `endpoint-${number}`);
      if (exchange.response?.status === 201) ids.push(bodyOf(exchange).id);
    };
    for (const events of CHOICES) void create(events);
    const change = async (status: 'enabled' | 'disabled'): Promise<void> => {
      const id = pickOrNull(random, ids);
      if (id) await run.caller.send('PATCH', `/v1/webhook-endpoints/${id}`, { status });
    };
    return {
      actions: [
        { name: 'create an endpoint', weight: 0.2, act: () => create(random.pick(CHOICES)) },
        { name: 'enable an endpoint', weight: 0.5, act: () => change('enabled') },
        { name: 'disable an endpoint', weight: 0.2, act: () => change('disabled') },
        {
          name: 'delete an endpoint',
          weight: 0.05,
          act: async () => {
            const id = pickOrNull(random, ids);
            if (id) await run.caller.send('DELETE', `/v1/webhook-endpoints/${id}`);
          },
        },
      ],
      check: (final) => problemsAt(final, run),
    };
  },
};

function problemsAt(final: Final, run: Run): string[] {
  const expected = expectedDeliveries(final);
  const attempts = byDelivery(run.outside.attempts.filter((attempt) => attempt.headers['webhook-id'] !== undefined && !isOfReplay(attempt)));
  const stopped = stoppedDeliveries(final);
  const unexpected = [...attempts.keys()].filter((id) => !expected.has(id)).map((id) => `the delivery ${id} to an endpoint was made for nothing`);
  return [
    ...unexpected,
    ...[...expected.values()].flatMap((delivery) => {
      const made = attempts.get(delivery.delivery_id) ?? [];
      return [...(stopped.has(delivery.delivery_id) ? [] : problemsOf(delivery, made, run)), ...identityProblems(delivery, made)];
    }),
  ];
}

/** By the events alone, in the order of the log. */
function expectedDeliveries({ events }: Final): ReadonlyMap<string, Expected<EndpointDelivery>> {
  const sets = new Map<string, EndpointSet>();
  const expected = new Map<string, Expected<EndpointDelivery>>();
  for (const stored of events) {
    const id = endpointSetId(stored.meta.account, UNDIVIDED);
    if (isOfEndpoint(stored)) sets.set(id, endpointSetAfter(sets.get(id), id, stored));
    else
      for (const delivery of deliveriesOf(stored, { subscription: undefined, endpoints: sets.get(id) }, deliveryIds).toEndpoints)
        expected.set(delivery.delivery_id, { ...delivery, since: recordedAt(stored) });
  }
  return expected;
}

/** Deliveries that ended because their endpoint was disabled or deleted. */
const stoppedDeliveries = (final: Final): ReadonlySet<string> =>
  new Set([...streamsOf(final, 'delivery-')].filter(([, events]) => events.some(({ event }) => event.type === 'DeliveryStopped')).map(([id]) => id));

/** All attempts have one event id, and one body until an erasure. */
function identityProblems({ delivery_id, event_id, event }: EndpointDelivery, attempts: readonly RecordedAttempt[]): string[] {
  const bodies = new Set(attempts.filter(({ body }) => !body.includes(JSON.stringify(ERASED))).map(({ body }) => body));
  const foreign = attempts.filter(({ headers, body }) => headers['webhook-id'] !== event_id || JSON.parse(body).event_id !== event_id);
  return [
    ...(bodies.size > 1 ? [`${event} was sent with ${bodies.size} bodies (${delivery_id})`] : []),
    ...(foreign.length > 0 ? [`${event} was sent with another event id (${delivery_id})`] : []),
  ];
}
