/** The push subscriptions of contacts, from the log. */
import { type Devices, devices, devicesStream, listedDevices } from '../../../domain/push/devices.js';
import { isReachable, type KnownSubscription, type PushSubscription, subscription, subscriptionStream } from '../../../domain/push/subscription.js';
import type { EventLog } from '../../runtime/event-log.js';
import { hashId } from '../../runtime/ids.js';
import type { AddressKeys } from '../../vault/vault.js';
import { findOwnContact, loadContact, loadRoot, unifyContact } from '../contacts/load-contact.js';
import { loadAggregate } from '../load-aggregate.js';

/** The keyed hashes of a token, and the id of its subscription. `everywhere` is the same for all accounts. */
export function tokenIds(addresses: AddressKeys, account: string, token: string): { id: string; token_key: string; everywhere: string } {
  const token_key = addresses.key(account, `push/${token}`);
  return { id: hashId('psh', account, token_key), token_key, everywhere: everywhereKey(addresses, token) };
}
/** No account has this id. */
export const everywhereKey = (addresses: AddressKeys, token: string): string => addresses.key('push', token);

export const loadSubscription = async (log: EventLog, id: string): Promise<PushSubscription> =>
  (await loadAggregate(log, subscription, subscriptionStream(id))).state;

export const loadDevices = async (log: EventLog, of: string): Promise<Devices> =>
  (await loadAggregate(log, devices, devicesStream(of), { sealed: true })).state;

/** The id of the contact that answers for a contact and all that are merged into it; none where it does not exist, or not any more. */
export async function contactMembers(log: EventLog, account: string, contactId: string): Promise<string[]> {
  const named = await findOwnContact(log, account, contactId);
  if (!named) return [];
  const root = await loadRoot(log, named);
  if (root.state.status !== 'active') return [];
  return (await unifyContact(log, root)).members.map(({ id }) => id);
}

/**
 * Whether a subscription belongs to the contact on its record. One that has made its contact does so until anything else names the
 * contact: that is read from the contact itself, so no message can overtake it.
 */
export async function isAttached(log: EventLog, { contact_id, attached_by }: KnownSubscription): Promise<boolean> {
  if (contact_id === null) return false;
  if (attached_by !== 'creation') return true;
  const { state } = await loadContact(log, contact_id);
  return state.status === 'active' && state.onlyByDevice;
}

/**
 * Every subscription that is listed with one of these contacts and belongs to one of them, in the order of their addition. `all`: those
 * that have ended, too; `detached`: also those that belonged to it until something else named it.
 */
export async function loadSubscriptionsOf(
  log: EventLog,
  members: readonly string[],
  { all = false, detached = false } = {},
): Promise<KnownSubscription[]> {
  const lists = await Promise.all(members.map((id) => loadDevices(log, id)));
  const ids = [...new Set(lists.flatMap((list) => (all ? [...list.keys()] : listedDevices(list))))];
  const loaded = await Promise.all(ids.map((id) => loadSubscription(log, id)));
  const known = loaded.filter((one): one is KnownSubscription => one.status !== 'none' && members.includes(one.contact_id ?? ''));
  if (detached) return known;
  const attached = await Promise.all(known.map((one) => isAttached(log, one)));
  return known.filter((_, i) => attached[i]);
}

export type ActiveSubscription = Extract<PushSubscription, { status: 'active' }>;

/** The devices that messages to a contact go to, and those that an earlier dispatch of the message `repeated` found to be gone. */
export async function loadPushDevices(
  log: EventLog,
  account: string,
  contactId: string,
  repeated: string | null,
): Promise<{ readonly active: ActiveSubscription[]; readonly gone: KnownSubscription[] }> {
  const members = await contactMembers(log, account, contactId);
  const known = await loadSubscriptionsOf(log, members, { all: repeated !== null });
  const wasGone = (one: KnownSubscription): boolean => one.status === 'ended' && one.reason === 'gone' && one.message_id === repeated;
  return { active: known.filter(isReachable), gone: repeated === null ? [] : known.filter(wasGone) };
}
