import type { JobProblem } from '../../domain/jobs/job.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { delivery, deliveryStream } from '../../domain/webhooks/delivery.js';
import type { Endpoint } from '../../domain/webhooks/endpoint.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { loadEndpoints } from '../../log/aggregates/webhooks/load-endpoints.js';
import type { JobKind, JobStep, StepResult } from '../jobs/kind.js';
import type { Context } from '../runtime/command.js';
import type { ReplayedEvent } from './ports.js';

/** A stored name. */
export const WEBHOOK_REPLAY = 'webhook_replay';
/** Deliveries of a replay that are requested and not made, unless a setting says otherwise. */
export const REPLAY_PENDING = 20;
/** How often a chunk looks whether they are made before it is tried again later. */
const LOOKS = 10;

export interface ReplayParams {
  readonly endpoint_id: string;
  /** Included; RFC 3339, in UTC. */
  readonly from: string;
  /** Not included. */
  readonly to: string;
  /** Null for those that the endpoint is subscribed to. */
  readonly events: readonly string[] | null;
  readonly only_failed: boolean;
}

/** A requested delivery: its id, and the number of the attempt. */
type OpenDelivery = readonly [delivery_id: string, number: number];

/** Where a replay is: how far the log is read, and which of the requested deliveries are not made yet. */
interface ReplayProgress {
  readonly after: string | null;
  /** Nothing is left to read. */
  readonly read: boolean;
  readonly open: readonly OpenDelivery[];
}

interface SettledReplay {
  readonly delivered: number;
  readonly failed: number;
  readonly open: readonly OpenDelivery[];
}

/**
 * Sends past events to a webhook endpoint again, in the order of the log: each with the ids of its first delivery, and one attempt
 * that has a number of its own. At most `pending` of them wait for their attempt at a time.
 */
export const webhookReplay = (pending = REPLAY_PENDING): JobKind<ReplayParams> => ({
  kind: WEBHOOK_REPLAY,
  lane: WEBHOOK_REPLAY,
  priority: 2,
  cancelable: true,
  keepMs: 0,

  async work(context, step) {
    const place: ReplayProgress = step.from === null ? { after: null, read: false, open: [] } : (JSON.parse(step.from) as ReplayProgress);
    const settled = await settle(context, place.open, place.read ? 0 : Math.floor(pending / 2));
    const done = settled.open.length < place.open.length;
    if (settled.open.length > (place.read ? 0 : pending / 2)) return done ? resultOf(settled, { ...place, open: settled.open }) : 'waiting';
    if (place.read) return resultOf(settled, null);
    return requestMore(context, step, { place: { ...place, open: settled.open }, settled, limit: pending - settled.open.length });
  },
});

/** Which of the deliveries are made. Waits a moment until no more than `most` are not. */
async function settle(context: Context, open: readonly OpenDelivery[], most: number): Promise<SettledReplay> {
  let settled = await look(context, { delivered: 0, failed: 0, open });
  for (let looks = 1; looks < LOOKS && settled.open.length > most; looks++) {
    await context.ports.webhooks.pastEvents.pause();
    settled = await look(context, settled);
  }
  return settled;
}

async function look({ log }: Context, before: SettledReplay): Promise<SettledReplay> {
  let { delivered, failed } = before;
  const open: OpenDelivery[] = [];
  for (const [id, number] of before.open) {
    const { redeliveries } = (await loadAggregate(log, delivery, deliveryStream(id), { sealed: true })).state;
    if (redeliveries.succeeded.includes(number)) delivered += 1;
    else if (redeliveries.made.includes(number)) failed += 1;
    else open.push([id, number]);
  }
  return { delivered, failed, open };
}

/** The result of a chunk; `done` are the attempts that were made. */
function resultOf({ delivered, failed }: SettledReplay, next: ReplayProgress | null, errors: readonly JobProblem[] = []): StepResult {
  return { done: delivered + failed, counts: { delivered, failed }, errors, next: next && JSON.stringify(next) };
}

interface ReplayRound {
  readonly place: ReplayProgress;
  readonly settled: SettledReplay;
  readonly limit: number;
}

async function requestMore(context: Context, step: JobStep<ReplayParams>, { place, settled, limit }: ReplayRound): Promise<StepResult | 'waiting'> {
  const { log, cause } = context;
  const { endpoint_id, from, to } = step.params;
  const endpoint = (await loadEndpoints(log, cause.account)).byId.get(endpoint_id);
  if (endpoint?.status !== 'enabled') return resultOf(settled, ending({ ...place, read: true }), [gone(endpoint, step, settled)]);
  const events = step.params.events ?? endpoint.events;
  const page = await context.ports.webhooks.pastEvents.page(
    cause.account,
    { endpoint_id, from, to, events },
    { after: place.after, since: step.accepted, limit },
  );
  if (!page) return settled.delivered + settled.failed > 0 ? resultOf(settled, place) : 'waiting';
  const open = [...place.open];
  for (const past of page.events) {
    const number = await request(context, step, endpoint, past);
    if (number !== undefined) open.push([past.delivery_id, number]);
  }
  return resultOf(settled, ending({ after: page.next, read: page.next === null, open }));
}

const ending = (place: ReplayProgress): ReplayProgress | null => (place.read && place.open.length === 0 ? null : place);

/** The number of the attempt; undefined where none is requested. A repeat finds what was requested before. */
async function request(
  context: Context,
  { job_id, params }: JobStep<ReplayParams>,
  endpoint: Endpoint,
  past: ReplayedEvent,
): Promise<number | undefined> {
  const { delivery_id, ...source } = past;
  const about = { endpoint_id: endpoint.id, ...source, lane: endpoint.lane };
  const replay = { type: 'RequestReplay', replay: job_id, only_failed: params.only_failed, ...about, now: context.now } as const;
  const { state } = await context.decide(delivery, deliveryStream(delivery_id), replay, { sealed: true });
  return ownField(state.redeliveries.replays, job_id);
}

function gone(endpoint: Endpoint | undefined, { counts }: JobStep<ReplayParams>, settled: SettledReplay): JobProblem {
  const row = (counts.delivered ?? 0) + (counts.failed ?? 0) + settled.delivered + settled.failed + 1;
  if (endpoint) return { row, field: 'endpoint', code: 'invalid_state', message: 'The endpoint was disabled. What was left was not sent.' };
  return { row, field: 'endpoint', code: 'not_found', message: 'The endpoint was deleted. What was left was not sent.' };
}
