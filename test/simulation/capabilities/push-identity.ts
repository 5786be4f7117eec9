import type { ContactEvent } from '../../../domain/contacts/contact.js';
import type { DeviceEvent } from '../../../domain/push/devices.js';
import type { SubscriptionEvent } from '../../../domain/push/subscription.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { bodyOf, isSuccess } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import { tokenOf } from './push.js';
import type { PushMessage, Subscriptions } from './push-records.js';

interface PushRecords {
  readonly messages: readonly PushMessage[];
  readonly subscriptions: Subscriptions;
  readonly subscribed: readonly Exchange[];
}

/** What is violated of: a message reaches only devices whose contact is proven, or theirs alone; and no device without a proof ends one that has it. */
export function identityProblems(final: Final, records: PushRecords): string[] {
  return [...unprovenIsNotReached(final, records), ...unprovenEndsNone(final)];
}

/**
 * Judged by the requests and the streams of contacts, not by what a subscription says of itself: a device is called for a contact that a
 * request with a key has named for this token or this device, or for one that a subscription has made and nothing has changed since.
 */
function unprovenIsNotReached(final: Final, { messages, subscriptions, subscribed }: PushRecords): string[] {
  const began = new Map(messages.map((message) => [message.id, message]));
  const proven = provenContacts(subscribed);
  const answered = new Set(subscribed.filter(isSuccess).map((exchange) => bodyOf(exchange).id));
  return final.run.outside.push.calls.flatMap(({ message_id, attempt, subscription_id }) => {
    const start = began.get(message_id)?.events.find(({ event }) => event.type === 'MessageDispatchStarted' && event.data.attempt === attempt);
    if (!start || !answered.has(subscription_id)) return [];
    const owners = ownersSince(subscriptions.get(subscription_id) ?? [], start.position);
    const isFine =
      proven.get(subscription_id)?.has(ANY) ||
      owners.some((owner) => proven.get(subscription_id)?.has(owner) || isMadeByDevice(final, owner, start.position));
    return isFine ? [] : [`${message_id} reached ${subscription_id}, whose contact nothing proves`];
  });
}

/** The contacts that a subscription had at a position or got after it. */
function ownersSince(events: readonly LogEvent<SubscriptionEvent>[], position: string): string[] {
  const owned = events.flatMap(({ event, position: at }) => (event.type === 'PushSubscribed' ? [{ at, owner: event.data.contact_id }] : []));
  const first = owned.findLastIndex(({ at }) => at < position);
  return owned.slice(Math.max(0, first)).flatMap(({ owner }) => (owner === null ? [] : [owner]));
}

/** Any contact, of a request with a key that was never answered. */
const ANY = 'any contact';

/** By subscription, the contacts that a request with a key has given to it, or to another token of its device. */
function provenContacts(subscribed: readonly Exchange[]): ReadonlyMap<string, ReadonlySet<string>> {
  const idOfToken = new Map(subscribed.filter(isSuccess).map((exchange) => [tokenOf(exchange), bodyOf(exchange).id as string]));
  const [byDevice, proven] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const add = (to: Map<string, Set<string>>, key: string, contact: string) => to.set(key, (to.get(key) ?? new Set()).add(contact));
  for (const exchange of subscribed) {
    const contact = exchange.response === null ? ANY : isSuccess(exchange) ? (bodyOf(exchange).contact_id as string | null) : null;
    if (exchange.request.headers['x-api-key'] === '' || contact === null) continue;
    for (const device of deviceIdOf(exchange)) add(byDevice, device, contact);
    for (const id of idOf(exchange, idOfToken)) add(proven, id, contact);
  }
  const ofDevice = subscribed.flatMap((exchange) => deviceIdOf(exchange).map((device) => ({ exchange, contacts: byDevice.get(device) ?? [] })));
  for (const { exchange, contacts } of ofDevice) for (const contact of contacts) for (const id of idOf(exchange, idOfToken)) add(proven, id, contact);
  return proven;
}

const deviceIdOf = ({ request }: Exchange): string[] => {
  const { device_id } = request.body as { readonly device_id?: string };
  return device_id === undefined ? [] : [device_id];
};

const idOf = (exchange: Exchange, idOfToken: ReadonlyMap<string, string>): string[] => {
  const id = idOfToken.get(tokenOf(exchange));
  return id === undefined ? [] : [id];
};

/** Whether the contact comes from a subscription, and nothing had named it before this position. */
function isMadeByDevice({ byStream }: Final, contact: string, position: string): boolean {
  const events = (byStream.get(`contact-${contact}`) ?? []) as readonly LogEvent<ContactEvent>[];
  const before = events.filter((one) => one.position < position);
  const [first] = before;
  return before.length === 1 && first?.event.type === 'ContactCreated' && first.event.data.source === 'push';
}

function unprovenEndsNone(final: Final): string[] {
  const lists = streamsOf(final, 'pushDevices-') as ReadonlyMap<string, readonly LogEvent<DeviceEvent>[]>;
  return [...lists].flatMap(([of, events]) => {
    const added = new Map<string, Extract<DeviceEvent, { type: 'PushDeviceAdded' }>['data']>();
    return events.flatMap(({ event }) => {
      if (event.type === 'PushDeviceAdded') added.set(event.data.subscription_id, event.data);
      if (event.type !== 'PushDeviceRemoved' || event.data.replaced_by === null) return [];
      const [gone, by] = [added.get(event.data.subscription_id), added.get(event.data.replaced_by)];
      return gone?.verified === true && by?.verified !== true ? [`a device of ${of} that has proven it ended because of one that has not`] : [];
    });
  });
}
