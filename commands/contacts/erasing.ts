import { type ContactEvent, contact, contactStream } from '../../domain/contacts/contact.js';
import { addressOf, kindOfKey } from '../../domain/contacts/other-addresses.js';
import type { Position } from '../../domain/kernel/ports.js';
import { sealedSubscription, subscriptionStream } from '../../domain/push/subscription.js';
import { suppressionMethods } from '../../domain/suppressions/reasons.js';
import { suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { claimedKeysIn, type IdentifyingKey, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type ContactHistory, type LoadedContact, loadContact, loadContactHistory } from '../../log/aggregates/contacts/load-contact.js';
import { loadSubscriptionsOf } from '../../log/aggregates/push/load-subscriptions.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { Context } from '../runtime/command.js';
import { suppressionId } from '../suppressions/suppress-address.js';
import { releaseKeys } from './claims.js';
import { appendsTo, completeLinksToRoot } from './links.js';

/** What was asked to be erased. The same for all that works on one erasure, at any time and on any node. */
export interface ErasureTarget {
  readonly erasure_id: string;
  /** Null if only addresses are erased. */
  readonly contact_id: string | null;
  /** HMACs of addresses that the request names. */
  readonly address_keys: readonly string[];
  /** The time of its suppressions: with times of their own, two nodes would record one of them twice, after its keys are destroyed. */
  readonly requested_at: string;
}

/** Subjects whose data keys are destroyed: contact ids and HMACs of addresses, those of push tokens included. */
export interface ErasureSubjects {
  readonly contact_ids: string[];
  readonly address_keys: string[];
}

/** A contact is erased once: a repeat is the same erasure. */
export const erasureIdOf = (contactId: string): string => hashId('evt', 'erasure', contactId);

/** The link by which a contact belongs to another one. It stays active if both are deleted. */
async function activeLink(of: LoadedContact): Promise<{ readonly into: string; readonly merge_id: string } | null> {
  let link: { into: string; merge_id: string } | null = null;
  for (const { event } of await of.events()) {
    if (event.type === 'ContactMerged') link = event.data;
    else if (event.type === 'ContactUnmerged') link = null;
  }
  return link;
}

/** The contact at the top of all active links, including links between deleted contacts. */
async function loadTop(log: EventLog, of: LoadedContact): Promise<LoadedContact> {
  let at = of;
  for (let link = await activeLink(at); link; link = await activeLink(at)) at = await loadContact(log, link.into);
  return at;
}

/** The same after every link on the way is complete. */
export const completeLinksToTop = async (context: Context, id: string): Promise<LoadedContact> =>
  loadTop(context.log, await completeLinksToRoot(context, id));

/** A contact and all that was merged into it at a position of the log, deleted or not. */
async function loadMembersAt(log: EventLog, id: string, position: Position): Promise<LoadedContact[]> {
  const member = await loadContact(log, id, { position });
  const parts = member.state.status === 'new' ? [] : member.state.parts;
  const below = await Promise.all(
    parts.map(async ({ contact_id, merge_id }) => {
      const part = await loadContact(log, contact_id, { position });
      return (await activeLink(part))?.merge_id === merge_id ? loadMembersAt(log, contact_id, position) : [];
    }),
  );
  return [member, ...below.flat()];
}

/**
 * All of an erasure but the destruction of keys: marks every part of the contact as erased, frees its addresses for other
 * contacts and suppresses them by their HMAC. Repeatable, with the same result. Returns the subjects whose keys are to be
 * destroyed.
 */
export async function prepareErasure(context: Context, target: ErasureTarget): Promise<ErasureSubjects> {
  const members = target.contact_id === null ? [] : await eraseTree(context, target.erasure_id, target.contact_id);
  const contact_ids = members.map(({ id }) => id);
  const address_keys = [...new Set([...target.address_keys, ...(await ownAddresses(context, members, contact_ids))])];
  for (const key of address_keys) await suppressErased(context, key, target.requested_at);
  const token_keys = await endDevices(context, contact_ids);
  return { contact_ids, address_keys: [...address_keys, ...token_keys] };
}

/** Ends every push subscription that belongs to these contacts. Returns the keyed hashes of the tokens that they had last. */
async function endDevices(context: Context, contact_ids: readonly string[]): Promise<string[]> {
  const had = await loadSubscriptionsOf(context.log, contact_ids, { all: true, detached: true });
  for (const { subscription_id } of had) {
    const end = { type: 'End', reason: 'erased', of: contact_ids, now: context.now } as const;
    await context.decide(sealedSubscription, subscriptionStream(subscription_id), end, { sealed: true });
  }
  return had.map(({ token_key }) => token_key);
}

/** The top first: from then on nothing is merged into it and nothing is released from it. */
async function eraseTree(context: Context, erasure_id: string, contactId: string): Promise<LoadedContact[]> {
  const { log } = context;
  const top = await eraseTop(context, erasure_id, contactId);
  const erased = (await (await loadContact(log, top)).events()).find(({ event }) => event.type === 'ContactErased');
  if (!erased) throw new Error(`contact ${top} is not erased`);
  const members = await loadMembersAt(log, top, erased.position);
  for (const { id } of members) await eraseOne(context, erasure_id, id);
  return members;
}

/** Erases the top at the revision that was loaded: if it is merged meanwhile, the new top is erased instead. Returns its id. */
const eraseTop = (context: Context, erasure_id: string, contactId: string): Promise<string> =>
  context.attempt(
    () => completeLinksToTop(context, contactId),
    (top) => ({ appends: appendsTo(top, { type: 'Erase', erasure_id, now: context.now }), result: top.id }),
  );

/** Erases one contact and releases its keys. */
async function eraseOne(context: Context, erasure_id: string, id: string): Promise<void> {
  const { state } = await context.decide(contact, contactStream(id), { type: 'Erase', erasure_id, now: context.now });
  if (state.status !== 'new') await releaseKeys(context, id, claimedKeysIn(state.facts));
}

/**
 * Every address that the members ever had, except those that another contact has now. An address that a member had when it
 * was erased is included in any case: another contact may have claimed it right after.
 */
async function ownAddresses(context: Context, members: readonly LoadedContact[], own: readonly string[]): Promise<string[]> {
  const had = new Map<string, IdentifyingKey>();
  const histories = await Promise.all(members.map(loadContactHistory));
  for (const { events } of histories) {
    for (const { event } of events) for (const one of addressesIn(event)) had.set(one.key, one);
  }
  for (const { name, key } of histories.flatMap(keysAtErasure)) if (addressOf(name) !== null && !had.has(key)) had.set(key, { name, key });
  const held = new Set(histories.flatMap(keysAtErasure).map(({ key }) => key));
  const claims = await loadClaims(context, [...had.values()]);
  return claims.filter(({ key, holder }) => held.has(key) || holder === null || own.includes(holder.id)).map(({ key }) => key);
}

/** The addresses that an event names, each in the spellings that it knows. */
function addressesIn(event: ContactEvent): IdentifyingKey[] {
  if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') return [];
  return Object.entries(event.data.keys).flatMap(([stored, key]) => {
    const name = kindOfKey(stored);
    return name !== null && typeof key === 'string' ? [{ name, key }] : [];
  });
}

/** A deleted contact had released all its keys before. */
const keysAtErasure = ({ state, events }: ContactHistory): IdentifyingKey[] =>
  state.status === 'new' || events.some(({ event }) => event.type === 'ContactDeleted') ? [] : claimedKeysIn(state.facts);

async function suppressErased(context: Context, address_key: string, now: string): Promise<void> {
  const about = { suppression_id: suppressionId(context.cause.account, address_key, 'all'), address_key, address: null, channel: 'all' } as const;
  const entry = {
    ...about,
    reason: 'erased',
    scope: suppressionMethods.erasure,
    source: 'erasure',
    via: 'erasure',
    occurred_at: now,
    message_id: null,
  } as const;
  await context.decide(suppression, suppressionStream(address_key), { type: 'Suppress', ...entry, now }, { sealed: true });
}
