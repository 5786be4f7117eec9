import { messageIdOf, type SealedMessageEvent } from '../../../domain/messages/message.js';
import { statuses } from '../../../domain/messages/status.js';
import type { SubscriptionEvent } from '../../../domain/push/subscription.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { isPlain, streamsOf } from '../history.js';
import { ask, bodyOf, isSuccess } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import type { PushCall } from '../world/push-services.js';
import { statusOf } from './messages.js';
import { tokenOf } from './push.js';
import { identityProblems } from './push-identity.js';

/** What callers have sent to devices, and which devices were subscribed. */
export interface PushTraffic {
  readonly sent: readonly Exchange[];
  readonly subscribed: readonly Exchange[];
}

export type Subscriptions = ReadonlyMap<string, readonly LogEvent<SubscriptionEvent>[]>;

/** What is violated of: what was answered is on record, a dead device is not used again, and each message says what became of it. */
export async function pushProblems(final: Final, { sent, subscribed }: PushTraffic): Promise<string[]> {
  const subscriptions = streamsOf(final, 'push-') as Subscriptions;
  const messages = [...final.byStream].flatMap(([stream, events]) => messageOf(stream, events as readonly LogEvent<SealedMessageEvent>[]));
  return [
    ...registrationsAreOnRecord(subscribed, subscriptions),
    ...deadIsNotUsed(final, messages, subscriptions),
    ...identityProblems(final, { messages, subscriptions, subscribed }),
    ...messages.flatMap((message) => outcomeProblems(final, message, subscriptions)),
    ...eachEnds(final, sent),
    ...(await listsAgree(final, subscriptions)),
  ];
}

/** A push message, with the events of its stream. */
export interface PushMessage {
  readonly id: string;
  readonly contact: string;
  readonly events: readonly LogEvent<SealedMessageEvent>[];
}

function messageOf(stream: string, events: readonly LogEvent<SealedMessageEvent>[]): PushMessage[] {
  const first = events[0]?.event;
  if (!stream.startsWith('message-') || (first?.type !== 'MessageQueued' && first?.type !== 'MessageScheduled')) return [];
  return first.data.channel === 'push' ? [{ id: messageIdOf(stream), contact: first.data.to_key, events }] : [];
}

/** Each answer is on record, and a token has one subscription. */
function registrationsAreOnRecord(subscribed: readonly Exchange[], subscriptions: Subscriptions): string[] {
  const ids = new Map<string, Set<string>>();
  const problems = subscribed.filter(isSuccess).flatMap((exchange) => {
    const { id, contact_id } = bodyOf(exchange);
    const token = tokenOf(exchange);
    ids.set(token, (ids.get(token) ?? new Set()).add(id));
    const known = subscriptions.get(id)?.some(({ event }) => event.type === 'PushSubscribed' && event.data.contact_id === contact_id);
    return known ? [] : [`the subscription ${id} of ${contact_id} was answered and is not on record`];
  });
  const refused = subscribed
    .filter(({ response }) => response?.status === 422)
    .map(({ response }) => `a subscription was refused: ${JSON.stringify(response?.body)}`);
  return [...problems, ...refused, ...[...ids].flatMap(([token, of]) => (of.size > 1 ? [`the token ${token} has ${of.size} subscriptions`] : []))];
}

/** No dispatch that began after the end of a subscription calls its device, unless that was subscribed again. */
function deadIsNotUsed({ run }: Final, messages: readonly PushMessage[], subscriptions: Subscriptions): string[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return run.outside.push.calls.flatMap(({ message_id, attempt, subscription_id }) => {
    const began = byId.get(message_id)?.events.find(({ event }) => event.type === 'MessageDispatchStarted' && event.data.attempt === attempt);
    if (!began) return [`${message_id} was handed to ${subscription_id} without a start on record`];
    const events = subscriptions.get(subscription_id) ?? [];
    const ended = events.findLast(({ event, position }) => event.type === 'PushSubscriptionEnded' && position < began.position);
    const isBack = ended && events.some(({ event, position }) => event.type === 'PushSubscribed' && position > ended.position);
    return ended && !isBack ? [`${message_id} was handed to ${subscription_id}, which had ended before`] : [];
  });
}

type Dispatched = Extract<SealedMessageEvent, { type: 'PushHandedOver' }>;

/** Every outcome on record is that of a call; who is gone has ended; a message is sent where one device took it, and only there. */
function outcomeProblems({ run }: Final, { id, events }: PushMessage, subscriptions: Subscriptions): string[] {
  const calls = run.outside.push.calls.filter(({ message_id }) => message_id === id);
  const dispatched = events.filter(({ event }) => event.type === 'PushHandedOver') as readonly LogEvent<Dispatched>[];
  const problems = dispatched.flatMap(({ event, position }) =>
    event.data.devices.flatMap(({ subscription_id, outcome }) => {
      const wasCalled = (what: PushCall['outcome']) => calls.some((call) => call.subscription_id === subscription_id && call.outcome === what);
      if (outcome === 'accepted' && !wasCalled('accepted')) return [`${id} says that ${subscription_id} took it, which was not called`];
      if (outcome !== 'gone') return [];
      const isEnded = subscriptions.get(subscription_id)?.some((one) => one.event.type === 'PushSubscriptionEnded' && one.position < position);
      return [
        ...(wasCalled('gone') ? [] : [`${id} says that ${subscription_id} is gone, which was not called`]),
        ...(isEnded ? [] : [`${id} says that ${subscription_id} is gone, whose subscription has not ended`]),
      ];
    }),
  );
  const taken = dispatched.at(-1)?.event.data.devices.some(({ outcome }) => outcome === 'accepted') ?? false;
  const end = events.findLast(({ event }) => event.type === 'MessageSent' || event.type === 'MessageFailed')?.event;
  if (end?.type === 'MessageSent' && !taken) problems.push(`${id} is sent, and no device took it`);
  if (end?.type === 'MessageFailed' && taken) problems.push(`${id} failed, and a device took it`);
  return problems;
}

/** A message to a contact that never had a device fails as `no_device`, and every message ends. */
function eachEnds(final: Final, sent: readonly Exchange[]): string[] {
  const { byStream } = final;
  const owners = new Set([...streamsOf(final, 'push-')].flatMap(([, events]) => events.flatMap(({ event }) => ownerOf(event))));
  return sent.filter(isSuccess).flatMap((exchange) => {
    const { id } = bodyOf(exchange);
    const events = (byStream.get(`message-${id}`) ?? []) as readonly LogEvent<SealedMessageEvent>[];
    const status = statusOf(events);
    if (status === 'new' || !(status === 'sent' || statuses[status].final)) return [`the push message ${id} ends as ${status}`];
    const [message] = messageOf(`message-${id}`, events);
    if (!message || owners.has(message.contact) || !isPlain(final, message.contact)) return [];
    const failed = events.find(({ event }) => event.type === 'MessageFailed')?.event;
    const reason = failed?.type === 'MessageFailed' ? failed.data.reason : status;
    return reason === 'no_device' || reason === 'suppressed' || reason === 'expired' || reason === 'canceled'
      ? []
      : [`${id} is to a contact without a device, and ends as ${reason}`];
  });
}

const ownerOf = (event: LogEvent['event']): string[] =>
  event.type === 'PushSubscribed' ? [(event.data as { contact_id: string | null }).contact_id ?? ''] : [];

const hasChanged = ({ byStream }: Final, contact: string): boolean => (byStream.get(`contact-${contact}`) ?? []).length > 1;

/** The active devices of a contact that was never merged are those whose last event gives them to it, but for those that only made it and lost it. */
async function listsAgree(final: Final, subscriptions: Subscriptions): Promise<string[]> {
  const active = new Map<string, string[]>();
  const owners = new Set<string>();
  for (const [id, events] of subscriptions) {
    for (const { event } of events) for (const owner of ownerOf(event)) owners.add(owner);
    const last = events.at(-1)?.event;
    const isLost = last?.type === 'PushSubscribed' && last.data.attached_by === 'creation' && hasChanged(final, last.data.contact_id ?? '');
    if (last?.type === 'PushSubscribed' && last.data.contact_id !== null && !isLost)
      active.set(last.data.contact_id, [...(active.get(last.data.contact_id) ?? []), id]);
  }
  const problems: string[] = [];
  for (const contact of owners) {
    if (!isPlain(final, contact)) continue;
    const { status, body } = await ask(final.run, `/v1/push/subscriptions?contact_id=${contact}&status=active`);
    const listed =
      status === 200
        ? body.data
            .map(({ id }: { id: string }) => id)
            .sort()
            .join()
        : `status ${status}`;
    const expected = (active.get(contact) ?? []).sort().join();
    if (listed !== expected) problems.push(`the contact ${contact} has the devices ${listed}, on record are ${expected}`);
  }
  return problems;
}
