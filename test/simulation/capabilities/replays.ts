import { REPLAY_PENDING } from '../../../commands/webhooks/replay-kind.js';
import type { JobEvent } from '../../../domain/jobs/job.js';
import type { SealedDeliveryEvent } from '../../../domain/webhooks/delivery.js';
import { platformEventsOf } from '../../../domain/webhooks/platform-events.js';
import { deliveryIds } from '../../../log/aggregates/webhooks/deliveries.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { bodyOf, pickOrNull } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import type { RecordedAttempt } from '../world/outside.js';

const URL = 'https://replays.example/hooks';
/** What the endpoint of replays gets besides; it is never replayed. */
const SUBSCRIBED = 'campaign.sent';
const EVENTS = ['contact.created', 'contact.updated', 'contact.bounced', 'message.failed', 'form.submitted'] as const;
const MINUTE_MS = 60_000;

/** Past events are sent again: those of the range and no others, under their first ids, each once for a replay. Some replays are canceled. */
export const replays: Capability = {
  name: 'replays',
  begin(run) {
    const random = run.world.random('replays');
    const asked: Exchange[] = [];
    let id = '';
    let nth = 0;
    const created = run.caller.send('POST', '/v1/webhook-endpoints', { url: URL, events: [SUBSCRIBED] }, 'replays');
    void created.then(({ response }) => {
      if (response?.status === 201) id = response.body.id;
    });
    const path = () => `/v1/webhook-endpoints/${id}/replay`;
    return {
      actions: [
        {
          name: 'replay past events',
          weight: 0.4,
          act: async () => {
            if (id === '') return;
            const to = run.world.now - random.fraction() * 10 * MINUTE_MS;
            const range = { from: timeOf(to - random.fraction() * 30 * MINUTE_MS), to: timeOf(to), events: EVENTS.filter(() => random.chance(0.6)) };
            if (range.events.length > 0) asked.push(await run.caller.send('POST', path(), range, `replay-${++nth}`));
          },
        },
        {
          name: 'cancel a replay',
          weight: 0.2,
          act: async () => {
            const one = pickOrNull(random, asked);
            if (one?.response?.status === 202) await run.caller.send('POST', `/v1/jobs/${bodyOf(one).id}/cancel`, {});
          },
        },
      ],
      check(final) {
        const requested = requestsOf(final);
        const problems = asked.filter(({ response }) => response?.status === 202).flatMap((one) => replayProblems(final, one, id, requested));
        return [...problems, ...attemptProblems(final, requested)];
      },
    };
  },
};

/** Whether an attempt was made for a replay, and not because its endpoint is subscribed. */
export const isOfReplay = ({ url, body }: Pick<RecordedAttempt, 'url' | 'body'>): boolean => url === URL && JSON.parse(body).event !== SUBSCRIBED;

const timeOf = (ms: number): string => new Date(Math.floor(ms)).toISOString();

interface Requested {
  readonly delivery_id: string;
  readonly stored: LogEvent<Extract<SealedDeliveryEvent, { type: 'RedeliveryRequested' }>>;
}

/** What replays have requested, in the order of the log, by their jobs. */
function requestsOf(final: Final): ReadonlyMap<string, readonly Requested[]> {
  const byJob = new Map<string, Requested[]>();
  for (const [delivery_id, events] of streamsOf(final, 'delivery-'))
    for (const stored of events as Requested['stored'][]) {
      if (stored.event.type !== 'RedeliveryRequested' || stored.event.data.replay === undefined) continue;
      byJob.set(stored.event.data.replay, [...(byJob.get(stored.event.data.replay) ?? []), { delivery_id, stored }]);
    }
  return byJob;
}

function replayProblems(final: Final, { request, response }: Exchange, endpoint: string, requests: ReturnType<typeof requestsOf>): string[] {
  const job: string = response?.body.id;
  const stream = (final.byStream.get(`job-${job}`) ?? []) as readonly LogEvent<JobEvent>[];
  const accepted = stream.find(({ event }) => event.type === 'JobAccepted');
  const end = stream.find(({ event }) => event.type === 'JobFinished');
  if (!accepted || end?.event.type !== 'JobFinished') return [`the replay ${job} does not end`];
  const requested = requests.get(job) ?? [];
  const { all, certain } = pastDeliveries(final, request.body as Range, endpoint, accepted.position);
  const ids = new Set(requested.map(({ delivery_id }) => delivery_id));
  const problems = requested.filter(({ delivery_id, stored }) => all.get(delivery_id) !== stored.event.data.event_id).map(outOfRange(job));
  if (ids.size < requested.length) problems.push(`the replay ${job} has requested a delivery twice`);
  const late = requested.filter(({ stored }) => stored.position > end.position).length;
  if (late > REPLAY_PENDING) problems.push(`the replay ${job} went on after its end with ${late} deliveries`);
  const { status, done } = end.event.data;
  if (status !== 'completed') return problems;
  for (const id of certain) if (!ids.has(id)) problems.push(`the replay ${job} has left out the delivery ${id}`);
  if (done !== requested.length) problems.push(`the replay ${job} has done ${done} and requested ${requested.length} deliveries`);
  return problems;
}

const outOfRange =
  (job: string) =>
  ({ delivery_id, stored }: Requested): string =>
    `the replay ${job} has requested ${delivery_id} of ${stored.event.data.event} (${stored.event.data.source_stream}), which is out of its range or has another id`;

interface Range {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
}

/** The deliveries of the events of a range, with their event ids; `certain` are those that were on record before the replay was. */
function pastDeliveries({ events }: Final, { from, to, events: wanted }: Range, endpoint: string, acceptedAt: string) {
  const all = new Map<string, string>();
  const certain: string[] = [];
  for (const stored of events) {
    const { id, position, meta } = stored;
    if (meta.occurredAt < from || meta.occurredAt >= to) continue;
    for (const event of platformEventsOf(stored).filter((name) => wanted.includes(name))) {
      const delivery = deliveryIds.endpointDelivery(endpoint, id, event);
      all.set(delivery, deliveryIds.platformEvent(id, event));
      if (position < acceptedAt) certain.push(delivery);
    }
  }
  return { all, certain };
}

/** Each requested delivery reaches the receiver under its ids, and nothing else does. */
function attemptProblems({ run }: Final, requests: ReturnType<typeof requestsOf>): string[] {
  const requested = new Map([...requests.values()].flat().map(({ delivery_id, stored }) => [delivery_id, stored.event.data.event_id]));
  const attempts = run.outside.attempts.filter(isOfReplay);
  const idOf = (headers: Readonly<Record<string, string>>): string => headers['X-Service-Delivery'] ?? '';
  const arrived = new Set(attempts.map(({ headers }) => idOf(headers)));
  return [
    ...[...requested.keys()].filter((id) => !arrived.has(id)).map((id) => `the delivery ${id} of a replay was not made`),
    ...attempts
      .filter(({ headers, body }) => requested.get(idOf(headers)) !== headers['webhook-id'] || JSON.parse(body).event_id !== headers['webhook-id'])
      .map(({ headers }) => `the delivery ${idOf(headers)} of a replay was made for nothing, or with another id`),
  ];
}
