import { definedFields } from '../../domain/kernel/defined-fields.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { devices, devicesStream, replacedBy } from '../../domain/push/devices.js';
import { subscription, subscriptionStream } from '../../domain/push/subscription.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { isContactHash } from '../../formats/push/subscriptions.js';
import { findContact } from '../../log/contacts/find-contact.js';
import { loadSubscription, tokenIds } from '../../log/push/load-subscriptions.js';
import { readContactInput } from '../contacts/contact-input.js';
import { upsertContact } from '../contacts/upsert.js';
import { executeOnce } from '../idempotency.js';
import { type Context, command } from '../kernel.js';
import { identityRules } from './dependencies.js';
import { requireValidSubscription, type SubscriptionInput, subscriptionInput, targetOf } from './subscription-input.js';

export interface SubscribedDevice {
  readonly id: string;
  readonly contact_id: string | null;
  /** Whether it was not active before. */
  readonly created: boolean;
}

/**
 * Subscribes a device, and creates the contact that it names if there is none. The lists come first: they may name a subscription that
 * is not this contact's, but never miss one. Throws `not_found`, `unauthorized`, `contact_erased` and `conflict`.
 */
export const subscribeDevice = command({
  name: 'SubscribeDevice',
  input: subscriptionInput,

  handle: (input, context): Promise<SubscribedDevice> =>
    executeOnce(
      context,
      () => subscribe(input, context),
      async () => {
        await requireValidSubscription(input, context);
        await verifyIdentity(input, context);
        if (input.contact?.id !== undefined) await findContact(context.log, context.cause.account, input.contact.id);
      },
    ),
});

async function verifyIdentity({ account_id, contact, contact_hash: hash }: SubscriptionInput, { cause, use }: Context): Promise<void> {
  const rules = account_id === cause.account ? await use(identityRules)(account_id) : null;
  if (!rules) throw notFound('account', account_id);
  if (!contact || !rules.required) return;
  const { email, id = '' } = contact;
  const named = email === undefined ? [id] : [email.trim().toLowerCase(), (normalizeEmail(email) ?? email).toLowerCase()];
  if (rules.secret !== null && typeof hash === 'string' && isContactHash(rules.secret, named, hash)) return;
  throw new DomainError(
    'unauthorized',
    'This account verifies contacts. Send `contact_hash`, the HMAC-SHA256 of the contact with its identity secret.',
  );
}

async function subscribe(input: SubscriptionInput, context: Context): Promise<SubscribedDevice> {
  const { cause, addresses, log, now } = context;
  const { platform, device_id = null, app_version = null, locale = null, timezone = null } = input;
  const { token, target } = targetOf(input);
  const { id: subscription_id, token_key, everywhere } = tokenIds(addresses, cause.account, token);
  const named = await contactOf(input, context);
  const before = await loadSubscription(log, subscription_id);
  const contact_id = named ?? (before.status === 'none' ? null : before.contact_id);
  const device_key = device_id === null ? null : addresses.key(cause.account, `push device/${device_id}`);
  const listed = { type: 'Add', subscription_id, token_key, now } as const;
  await context.decide(devices, devicesStream(everywhere), { ...listed, device_key: null });
  const own = contact_id === null ? null : (await context.decide(devices, devicesStream(contact_id), { ...listed, device_key })).state;
  const details = { target, device_id, app_version, locale, timezone };
  const fields = { account_id: cause.account, subscription_id, token_key, contact_id, platform, ...details };
  await context.decide(subscription, subscriptionStream(subscription_id), { type: 'Subscribe', fields, now });
  for (const replaced of own && contact_id ? replacedBy(own, subscription_id) : []) {
    const end = { type: 'End', reason: 'replaced', of: [contact_id as string], now } as const;
    await context.decide(subscription, subscriptionStream(replaced), end);
  }
  return { id: subscription_id, contact_id, created: before.status !== 'active' };
}

/** The id of the contact that the device belongs to from now on; null for none. */
async function contactOf({ contact }: SubscriptionInput, context: Context): Promise<string | null> {
  if (!contact) return null;
  const { cause, addresses, log } = context;
  if (contact.id !== undefined) return (await findContact(log, cause.account, contact.id)).root.id;
  const read = readContactInput(definedFields({ email: contact.email }), { account: cause.account, addresses, fields: new Map() });
  if ('problems' in read) throw new Error('the email of a valid subscription is none');
  return (await upsertContact(context, read.row, { source: 'push', import_id: null, on_conflict: 'merge' })).contact_id;
}
