import { record } from '../../domain/kernel/schema.js';
import { devices, devicesStream, replacedBy } from '../../domain/push/devices.js';
import { isVerified, subscription, subscriptionStream } from '../../domain/push/subscription.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadSubscription, tokenIds } from '../../log/aggregates/push/load-subscriptions.js';
import { type Context, command } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { attachDevice } from './attach-device.js';
import { requireValidSubscription, type SubscriptionInput, subscriptionInput, targetOf } from './subscription-input.js';
import { type Identity, shownCredentials, verifyIdentity } from './verify-identity.js';

export interface SubscribedDevice {
  readonly id: string;
  readonly contact_id: string | null;
  /** Whether it was not active before. */
  readonly created: boolean;
  /** The device is anonymous because nothing proves the contact that the request names. */
  readonly unproven?: true;
}

/**
 * Subscribes a device, and creates the contact that it names if there is none. The lists come first: they may name a subscription that
 * is not this contact's, but never miss one. Throws `not_found`, `unauthorized`, `contact_erased` and `conflict`.
 */
export const subscribeDevice = command({
  name: 'SubscribeDevice',
  input: record({ subscription: subscriptionInput, shown: shownCredentials }),

  handle: ({ subscription: input, shown }, context): Promise<SubscribedDevice> =>
    executeOnce(
      context,
      (identity) => subscribe(input, identity, context),
      async () => {
        await requireValidSubscription(input, context);
        const identity = await verifyIdentity(input, shown, context);
        if (identity.contact?.id !== undefined) await findContact(context.log, context.cause.account, identity.contact.id);
        return identity;
      },
    ),
});

async function subscribe(input: SubscriptionInput, identity: Identity, context: Context): Promise<SubscribedDevice> {
  const { cause, addresses, log, now } = context;
  const { platform, device_id = null, app_version = null, locale = null, timezone = null } = input;
  const { token, target } = targetOf(input);
  const { id: subscription_id, token_key, everywhere } = tokenIds(addresses, cause.account, token);
  const before = await loadSubscription(log, subscription_id);
  const device_key = device_id === null ? null : addresses.key(cause.account, `push device/${device_id}`);
  const attach = await attachDevice(identity, { before, device_key }, context);
  const contact_id = attach?.contact_id ?? null;
  const listed = { type: 'Add', subscription_id, token_key, now } as const;
  await context.decide(devices, devicesStream(everywhere), { ...listed, device_key: null, verified: undefined });
  const verified = attach && (attach.attached_by === undefined ? undefined : isVerified(attach));
  const add = { ...listed, device_key, verified: verified ?? undefined };
  const own = contact_id === null ? null : (await context.decide(devices, devicesStream(contact_id), add)).state;
  const fields = { account_id: cause.account, subscription_id, token_key, platform, target, device_id, app_version, locale, timezone };
  await context.decide(subscription, subscriptionStream(subscription_id), { type: 'Subscribe', fields, attach, now });
  for (const replaced of own && contact_id ? replacedBy(own, subscription_id) : []) {
    const end = { type: 'End', reason: 'replaced', of: [contact_id as string], now } as const;
    await context.decide(subscription, subscriptionStream(replaced), end);
  }
  const unproven = identity.contact !== null && contact_id === null;
  return { id: subscription_id, contact_id, created: before.status !== 'active', ...(unproven && { unproven }) };
}
