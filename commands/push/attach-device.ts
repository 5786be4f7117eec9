import type { Devices } from '../../domain/push/devices.js';
import { subscriptionsOfDevice } from '../../domain/push/devices.js';
import type { DeviceAttachment, KnownSubscription, PushSubscription } from '../../domain/push/subscription.js';
import { isVerified } from '../../domain/push/subscription.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { isAttached, loadDevices, loadSubscription } from '../../log/aggregates/push/load-subscriptions.js';
import { upsertContactRow } from '../contacts/upsert.js';
import type { Context } from '../runtime/command.js';
import { recordNaming } from '../runtime/contact-modes.js';
import { type Identity, type NamedContact, rowOfEmail } from './verify-identity.js';

/** A device that subscribes. */
export interface SubscribingDevice {
  /** Its subscription, as it was until now. */
  readonly before: PushSubscription;
  readonly device_key: string | null;
}

/**
 * The contact that a device belongs to from now on; null for none. By a proof, or because the account asks for none; without one it keeps
 * what the same token or the same device had, or belongs to the contact that it makes. Makes the contact if there is none.
 */
export async function attachDevice(
  { mode, contact: named, proof }: Identity,
  device: SubscribingDevice,
  context: Context,
): Promise<DeviceAttachment | null> {
  const { before } = device;
  if (!named) return before.status !== 'none' && before.contact_id !== null && (await isAttached(context.log, before)) ? attachmentOf(before) : null;
  const { contact, isMade, isShared } = await contactOf(named, context);
  // The email is somebody else's, as far as is known: their device does not get what is sent to the contact.
  if (isShared) return null;
  const { id: contact_id } = contact.root;
  const kept = proof === null ? await keptAttachment(contact, device, context) : null;
  if (!isMade && !kept) await recordNaming(context, contact, 'push');
  if (proof !== null) return { contact_id, attached_by: proof };
  if (kept) return { contact_id, attached_by: kept.attached_by };
  if (mode === 'off') return { contact_id, attached_by: 'unchecked' };
  return isMade ? { contact_id, attached_by: 'creation' } : null;
}

const attachmentOf = ({ contact_id, attached_by }: KnownSubscription): DeviceAttachment | null =>
  contact_id === null ? null : { contact_id, attached_by };

/** The contact that a subscription names, whether this request has made it, and whether its email came by a phone that two share. */
async function contactOf({ id, email = '' }: NamedContact, context: Context): Promise<{ contact: FoundContact; isMade: boolean; isShared: boolean }> {
  const { log, cause } = context;
  if (id !== undefined) return { contact: await findContact(log, cause.account, id), isMade: false, isShared: false };
  const options = { source: 'push', import_id: null, trust: 'none' } as const;
  const { contact_id, outcome, reach } = await upsertContactRow(context, rowOfEmail(email, context), options);
  const contact = await findContact(log, cause.account, contact_id);
  return { contact, isMade: outcome === 'created' || (await isOfThisRequest(contact, context)), isShared: reach === 'weak' };
}

/** Whether an earlier run of the same request has made the contact, before a crash. */
async function isOfThisRequest({ root }: FoundContact, { cause }: Context): Promise<boolean> {
  if (cause.key === undefined || root.state.status === 'new' || !root.state.onlyByDevice) return false;
  return (await root.events())[0]?.meta.key === cause.key;
}

/** What the same token has with this contact, or another token of the same device: the strongest of it. */
async function keptAttachment(
  { unified }: FoundContact,
  { before, device_key }: SubscribingDevice,
  { log }: Context,
): Promise<KnownSubscription | null> {
  const members = unified.members.map(({ id }) => id);
  const lists: Devices[] = device_key === null ? [] : await Promise.all(members.map((id) => loadDevices(log, id)));
  const ids = [...new Set(lists.flatMap((list) => subscriptionsOfDevice(list, device_key)))];
  const others = await Promise.all(ids.map((id) => loadSubscription(log, id)));
  const known: KnownSubscription[] = [];
  for (const one of [before, ...others])
    if (one.status === 'active' && members.includes(one.contact_id ?? '') && (await isAttached(log, one))) known.push(one);
  return known.find(isVerified) ?? known.find(({ attached_by }) => attached_by !== 'creation') ?? known[0] ?? null;
}
