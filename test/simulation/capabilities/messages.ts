import { isAllowed, type Status, statuses, statusNames, type Transition, type TransitionName, transitions } from '../../../domain/messages/status.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import { statusCounts } from '../../../projections/messages/counter-queries.js';
import { MessageQueries } from '../../../projections/messages/queries.js';
import { isInOverview } from '../../../projections/messages/status-counters.js';
import type { Capability, Final } from '../capability.js';
import { anyEmail, anyPhone, nameOf } from '../recipients.js';
import type { Disturbance, Run } from '../run.js';
import type { Exchange } from '../world/caller.js';
import type { RecordedDispatch } from '../world/outside.js';
import type { Random } from '../world/random.js';
import type { LostLease } from '../world/stores.js';
import { type EmailParts, emailPartFields, letterProblems } from './email-parts.js';
import { callsWhileRefused } from './refused-writes.js';

const HOST = 'https://receiver.example';

/** Sends and cancels single messages and bulks. */
export const messages: Capability = {
  name: 'messages',
  begin(run) {
    const random = run.world.random('messages');
    const ofLetters = run.world.random('letters');
    const asked = new Map<string, EmailParts>();
    const next = () => single(random, ofLetters, run);
    const sent: { key: string; body: object; exchange: Exchange }[] = [];
    const known: string[] = [];
    const canceled: Exchange[] = [];
    const tried: Exchange[] = [];
    let nth = 0;
    const send = async (key: string, body: object) => {
      const exchange = await run.caller.send('POST', '/v1/messages/send', body, key);
      sent.push({ key, body, exchange });
      if (exchange.response?.status !== 202) return;
      known.push(exchange.response.body.id);
      asked.set(exchange.response.body.id, body);
    };
    const cancel = async (id: string) => void canceled.push(await run.caller.send('POST', `/v1/messages/${id}/cancel`, {}));
    return {
      actions: [
        { name: 'send', weight: 10, act: () => send(`send-${++nth}`, next()) },
        {
          name: 'send again under the same key',
          weight: 2,
          act: async () => {
            const earlier = sent.length > 0 ? random.pick(sent) : null;
            if (earlier) await send(earlier.key, earlier.body);
          },
        },
        {
          name: 'send a bulk',
          weight: 2,
          act: async () => {
            const items = Array.from({ length: random.integer(1, 25) }, next);
            const { response } = await run.caller.send('POST', '/v1/messages/bulk', { messages: items }, `bulk-${++nth}`);
            const ids: string[] = response?.status === 202 ? response.body.messages.map(({ id }: { id: string }) => id) : [];
            known.push(...ids);
            for (const [index, id] of ids.entries()) asked.set(id, items[index] as EmailParts);
            // While its dispatch begins.
            for (const id of ids) if (random.chance(0.1)) cancel(id);
          },
        },
        {
          name: 'try without sending',
          weight: 1,
          act: async () => void tried.push(await run.caller.send('POST', '/v1/messages/send', { ...next(), dry_run: true }, `try-${++nth}`)),
        },
        {
          name: 'cancel',
          weight: 3,
          act: async () => {
            if (known.length > 0) await cancel(random.pick(known));
          },
        },
        { name: 'read', weight: 1, act: async () => void (known.length > 0 && (await run.caller.send('GET', `/v1/messages/${random.pick(known)}`))) },
      ],
      check: async (final) => [
        ...oneAnswerForEachKey(sent),
        ...acceptedIsOnRecord(known, final),
        ...canceledIsNotDispatched(canceled, run),
        ...triedIsNotRecorded(tried, final),
        ...dispatchedOnce(run),
        ...callsWhileRefused(run),
        ...outcomesAreKnown(final),
        ...nothingIsEarly(sent, run),
        ...statusesFollowTheTable(final),
        ...everyMessageEnds(known, final),
        ...(await letterProblems(final, asked)),
        ...(await statusCounterProblems(final)),
      ],
    };
  },
};

function single(random: Random, ofLetters: Random, run: Run): object {
  const email = random.chance(0.4);
  const isMarketing = random.chance(0.4);
  const later = random.chance(isMarketing ? 0.4 : 0.2)
    ? { send_at: new Date(Math.floor(run.world.now) + random.integer(1_000, 1_200_000)).toISOString() }
    : {};
  return {
    to: email ? anyEmail(random) : anyPhone(random),
    channel: email ? 'email' : 'sms',
    message: `Hello ${nameOf(run)}`,
    ...(email && { subject: 'News', ...emailPartFields(ofLetters, run) }),
    ...(isMarketing && { category: 'marketing' }),
    ...(random.chance(0.4) && { webhook_url: `${HOST}/${random.integer(1, 3)}` }),
    ...later,
  };
}

/** A key has one effect: every answer under it that is a success names the same message. */
function oneAnswerForEachKey(sent: readonly { key: string; exchange: Exchange }[]): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { key, exchange } of sent) {
    if (exchange.response?.status !== 202) continue;
    ids.set(key, (ids.get(key) ?? new Set()).add(exchange.response.body.id));
  }
  return [...ids].filter(([, of]) => of.size > 1).map(([key, of]) => `the key ${key} has several messages: ${[...of].join(', ')}`);
}

function acceptedIsOnRecord(known: readonly string[], { byStream, events }: Final): string[] {
  const inBulks = new Set(events.flatMap(({ event }) => (event.type === 'BulkChunkAccepted' ? itemIds(event.data) : [])));
  return known.filter((id) => !byStream.has(`message-${id}`) && !inBulks.has(id)).map((id) => `${id} was accepted and is not on record`);
}

const itemIds = (data: unknown): string[] => (data as { items: { id: string }[] }).items.map(({ id }) => id);

function canceledIsNotDispatched(canceled: readonly Exchange[], { outside }: Run): string[] {
  const accepted = new Set(outside.dispatches.filter(({ outcome }) => outcome === 'accepted').map(({ message }) => message.message_id));
  return canceled
    .filter(({ response }) => response?.status === 200 && response.body.status === 'canceled' && accepted.has(response.body.id))
    .map(({ response }) => `${response?.body.id} was canceled and handed over`);
}

const triedIsNotRecorded = (tried: readonly Exchange[], { byStream }: Final): string[] =>
  tried.flatMap(({ response }) => (byStream.has(`message-${response?.body?.id}`) ? [`${response?.body.id} was only tried and is on record`] : []));

/**
 * At most once, and once more for each lost answer, for each crash of a node that had handed it over, and for each other disturbance
 * between the first call and the last dispatch, and for each lease that a node lost while it called.
 */
function dispatchedOnce({ outside, disturbances, stores }: Run): string[] {
  const byMessage = new Map<string, RecordedDispatch[]>();
  for (const dispatch of outside.dispatches) {
    if (dispatch.outcome !== 'accepted') continue;
    byMessage.set(dispatch.message.message_id, [...(byMessage.get(dispatch.message.message_id) ?? []), dispatch]);
  }
  return [...byMessage].flatMap(([id, times]) => {
    const lost = lostLeasesDuring(times, stores.lostLeases);
    const allowed = 1 + times.filter(({ answered }) => !answered).length + disturbancesDuring(times, disturbances) + lost;
    return times.length > allowed ? [`${id} was handed over ${times.length} times, at most ${allowed} are explained`] : [];
  });
}

/**
 * A message is sent only where the carrier said so, by its answer or by a report, and fails only by its answer: a call without an answer
 * is repeated, or reported as such.
 */
function outcomesAreKnown({ run, byStream }: Final): string[] {
  const last = new Map(run.outside.dispatches.map((dispatch) => [dispatch.message.message_id, dispatch]));
  const accepted = new Set(run.outside.dispatches.flatMap(({ outcome, message }) => (outcome === 'accepted' ? [message.message_id] : [])));
  return [...last].flatMap(([id, { answered, outcome }]) => {
    const events = byStream.get(`message-${id}`) ?? [];
    const at = events.findLastIndex(({ event }) => event.type === 'MessageSent' || event.type === 'MessageFailed');
    const end = events[at]?.event;
    if (!end) return [];
    if (end.type === 'MessageSent' && isReported(events, at)) return accepted.has(id) ? [] : [`${id} is sent although no carrier accepted it`];
    if (end.type === 'MessageSent')
      return answered && outcome !== 'accepted' ? [`${id} is sent although the carrier did not accept it`] : unanswered(id, answered);
    return (end.data as { reason: string }).reason === 'unknown_outcome' ? [] : unanswered(id, answered);
  });
}

/** A report that shows that a message was accepted is recorded together with that. */
function isReported(events: readonly LogEvent[], at: number): boolean {
  const [sent, next] = [events[at], events[at + 1]];
  return sent?.meta.$causationId === next?.meta.$causationId && 'receipt_key' in ((next?.event.data ?? {}) as object);
}

const unanswered = (id: string, answered: boolean): string[] => (answered ? [] : [`${id} does not know what became of its last dispatch`]);

/** By as much as clocks are wrong, a message may go out before its time. */
function nothingIsEarly(sent: readonly { body: object; exchange: Exchange }[], { outside, rates }: Run): string[] {
  const toleranceMs = 1_000 + 2 * rates.clockJumpMs;
  const first = new Map([...outside.dispatches].reverse().map(({ message, at }) => [message.message_id, at]));
  return sent.flatMap(({ body, exchange: { response } }) => {
    const { send_at } = body as { send_at?: string };
    const at = first.get(response?.body?.id);
    const early = send_at === undefined || at === undefined ? 0 : Date.parse(send_at) - at;
    return early > toleranceMs ? [`${response?.body.id} was handed over ${Math.round(early)} ms before its time`] : [];
  });
}

const disturbancesDuring = (times: readonly RecordedDispatch[], disturbances: readonly Disturbance[]): number => {
  const [first, last] = [Math.min(...times.map(({ calledAt }) => calledAt)), times.at(-1)?.at ?? 0];
  const touches = ({ at, life }: Disturbance): boolean => life === undefined || times.some((dispatch) => dispatch.life === life && dispatch.at <= at);
  return disturbances.filter((one) => (one.until ?? one.at) >= first && one.at <= last && touches(one)).length;
};

/** Of processes, which hand messages over: while a node waits for the answer to a call, another one may take its work over. */
const lostLeasesDuring = (times: readonly RecordedDispatch[], lost: readonly LostLease[]): number =>
  lost.filter(({ name, life, at }) => name.startsWith('process') && times.some((call) => call.life === life && call.calledAt <= at && at <= call.at))
    .length;

function statusesFollowTheTable({ byStream }: Final): string[] {
  return [...byStream].filter(([stream]) => stream.startsWith('message-')).flatMap(([stream, events]) => illegalTransitions(stream, events));
}

function illegalTransitions(stream: string, events: readonly LogEvent[]): string[] {
  let status: Status | 'new' = 'new';
  let unanswered = false;
  const problems: string[] = [];
  for (const { event } of events) {
    const transition = transitions[event.type as TransitionName] as Transition | undefined;
    if (!transition) continue;
    const { repeat, code, reason } = event.data as { repeat?: boolean; code?: string; reason?: string };
    if (!isAllowed(event.type as TransitionName, status, unanswered)) problems.push(`${stream}: ${event.type} after ${status}`);
    status = transition.to ?? status;
    unanswered ||= repeat === true || [code, reason].includes('unknown_outcome');
  }
  return problems;
}

/** Everything accepted reaches a final status, or `sent` where the carrier never reports. */
function everyMessageEnds(known: readonly string[], { byStream }: Final): string[] {
  return known.flatMap((id) => {
    const status = statusOf(byStream.get(`message-${id}`) ?? []);
    return status === 'sent' || (status !== 'new' && statuses[status].final) ? [] : [`${id} ends as ${status}`];
  });
}

export const statusOf = (events: readonly LogEvent[]): Status | 'new' =>
  events.reduce<Status | 'new'>((status, { event }) => (transitions[event.type as TransitionName] as Transition | undefined)?.to ?? status, 'new');

/** What the counters of the overview say is what the messages say, one by one. */
async function statusCounterProblems({ run, events }: Final): Promise<string[]> {
  const { views } = run.stores.views;
  const history = new MessageQueries(views, run.log);
  const accounts = new Set(events.flatMap(({ event, meta }) => (event.type === 'AccountCreated' ? [meta.account] : [])));
  const problems = [...accounts].map(async (account) => {
    const docs = await history.page(account, { where: {}, after: null, descending: true, take: 100_000 });
    const counted = await statusCounts(views, account, 0, Date.parse('9999-01-01T00:00:00Z'));
    const shown = docs.filter(isInOverview);
    return statusNames.flatMap((name) => {
      const count = shown.filter(({ status }) => status === name).length;
      return (counted[name] ?? 0) === count ? [] : [`the account ${account} counts ${counted[name] ?? 0} ${name}, of its messages ${count} are`];
    });
  });
  return (await Promise.all(problems)).flat();
}
