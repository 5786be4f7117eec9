import Type from 'typebox';
import { unsubscribeDevice } from '../../commands/push/end-subscription.js';
import { subscribeDevice } from '../../commands/push/subscribe-device.js';
import { subscriptionInput } from '../../commands/push/subscription-input.js';
import { invalid, notFound } from '../../domain/kernel/errors.js';
import { list, named, optional, record, text } from '../../domain/kernel/schema.js';
import { subscriptionStatuses } from '../../domain/push/subscription.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { everywhereKey, loadDevices, loadSubscription, loadSubscriptionsOf } from '../../log/aggregates/push/load-subscriptions.js';
import { anyOrigin } from '../http/cors.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Authenticator, Services } from '../http/services.js';
import { shownCredentialsReader } from './credentials.js';
import { subscribed, subscriptionResource, toSubscriptionResource, unsubscribed, unsubscribeProblems, unsubscribeRequest } from './schemas.js';

export const publicPush = { tag: 'push', access: 'public', limit: 'public', cors: anyOrigin, bodyLimit: 32 * 1024 } as const;
const own = { tag: 'push', limit: 'general' } as const;

const UNPROVEN =
  'The device is anonymous: nothing proves that it belongs to this contact. Send `contact_hash`, or a token of the inbox of the contact.';

/** Subscribing and unsubscribing, which apps and pages do without a credential. */
export function deviceRoutes(services: Services, authenticator: Authenticator): AnyRoute[] {
  const shownCredentials = shownCredentialsReader(services, authenticator);

  return [subscribeToPushRoute(shownCredentials), unsubscribeFromPushRoute(services)];
}

const subscribeToPushRoute = (shownCredentials: ReturnType<typeof shownCredentialsReader>) =>
  route({
    ...publicPush,
    cors: { ...anyOrigin, headers: ['Authorization'] },
    method: 'POST',
    path: '/v1/push/subscribe',
    operationId: 'subscribeToPush',
    summary: 'Subscribe a device to push messages',
    description:
      'Called by apps and pages, without a credential. A token belongs to one subscription: the same token again changes it, and gives it to the `contact`, if there is one. A contact whose email is not known is created; without `contact` the device is anonymous. A device proves its contact by `contact_hash`, by a token of the inbox of the contact (`Authorization: Bearer`), or, from your server, by an API key with the scope `write` (`X-API-Key`; no test key). Without a proof the setting `identity_verification` decides. `existing`, that of new accounts: the device belongs to the contact only if this request creates it, and only until anything else names that contact; otherwise it is anonymous, and the answer has a warning. `required`: 401. `off`: it belongs to the contact. Another token of the same `device_id` keeps what the device has. A contact has at most 50 devices with a proof and 5 without; beyond that the first one of its kind ends.',
    body: subscriptionInput,
    responses: {
      201: { description: 'The device is subscribed.', schema: subscribed },
      200: { description: 'The device was subscribed already; what differs is changed.', schema: subscribed },
    },
    errors: ['not_found', 'unauthorized', 'contact_erased', 'conflict', 'invalid_url'],
    async handle({ body, headers, execute }) {
      const shown = await shownCredentials(headers, body.account_id);
      const { output } = await execute(subscribeDevice, { subscription: body, shown }, body.account_id);
      const { id, contact_id, created, unproven } = output;
      return { status: created ? 201 : 200, body: { id, status: 'active', contact_id, ...(unproven && { warnings: [UNPROVEN] }) } };
    },
  });

const unsubscribeFromPushRoute = ({ log, addresses }: Services) =>
  route({
    ...publicPush,
    method: 'POST',
    path: '/v1/push/unsubscribe',
    operationId: 'unsubscribeFromPush',
    summary: 'Unsubscribe a device',
    description: 'Called by apps and pages, without a credential: by the `id` of the subscription or by the `token`. Repeating it changes nothing.',
    body: unsubscribeRequest,
    responses: { 200: { description: 'The device gets no more push messages.', schema: unsubscribed } },
    errors: ['not_found'],
    async handle({ body: { id, token }, execute }) {
      const problems = unsubscribeProblems(id, token);
      if (problems.length > 0) throw invalid(problems);
      const ids = token === undefined ? [id ?? ''] : [...(await loadDevices(log, everywhereKey(addresses, token))).keys()];
      const known = await Promise.all(ids.map((one) => loadSubscription(log, one)));
      let ended: string | null = null;
      for (const one of known) {
        if (one.status === 'none') continue;
        await execute(unsubscribeDevice, { id: one.subscription_id }, one.account_id);
        ended = one.subscription_id;
      }
      // The response does not repeat the token.
      if (ended === null) throw notFound('push_subscription', id ?? '');
      return { status: 200, body: { id: ended, status: 'ended' } };
    },
  });

/** The devices of a contact, for the account. */
export function subscriptionRoutes(services: Services): AnyRoute[] {
  return [listPushSubscriptionsRoute(services), endPushSubscriptionRoute];
}

const listPushSubscriptionsRoute = ({ log }: Services) =>
  route({
    ...own,
    method: 'GET',
    path: '/v1/push/subscriptions',
    operationId: 'listPushSubscriptions',
    summary: 'List the devices of a contact',
    description: 'Read from the log, so it is exact. With the devices of all contacts that are merged into it. Tokens are not shown.',
    access: 'read',
    query: record({
      contact_id: Type.String({ minLength: 1, description: 'The contact.' }),
      status: optional(subscriptionStatuses),
    }),
    responses: {
      200: {
        description: 'In the order in which they were subscribed.',
        schema: named('PushSubscriptions', record({ data: list(subscriptionResource) })),
      },
    },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller, query: { contact_id, status } }) {
      const { unified } = await findContact(log, caller.account, contact_id);
      const members = unified.members.map(({ id }) => id);
      const found = await loadSubscriptionsOf(log, members, { all: true });
      const shown = found.filter((one) => status === undefined || one.status === status);
      return { status: 200, body: { data: shown.map((one) => toSubscriptionResource(one, unified.root.id)) } };
    },
  });

const endPushSubscriptionRoute = route({
  ...own,
  method: 'DELETE',
  path: '/v1/push/subscriptions/:id',
  operationId: 'endPushSubscription',
  summary: 'End a subscription',
  description: 'The device gets no more push messages until it subscribes again.',
  access: 'write',
  params: record({ id: text }),
  responses: { 204: { description: 'Ended.' } },
  errors: ['not_found'],
  async handle({ params: { id }, execute }) {
    await execute(unsubscribeDevice, { id });
    return { status: 204 };
  },
});
