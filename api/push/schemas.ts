import Type, { type Static } from 'typebox';
import { withRule } from '../../commands/runtime/rules.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { annotate, flag, lineOf, list, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { endReason, isVerified, type KnownSubscription, platform, subscriptionStatuses as status } from '../../domain/push/subscription.js';

/** Exactly one of both is given. */
export function unsubscribeProblems(id: string | undefined, token: string | undefined): FieldProblem[] {
  if (id === undefined && token === undefined)
    return [{ field: 'id', code: 'required', message: 'Give the `id` of the subscription, or its `token`.' }];
  return id !== undefined && token !== undefined ? [{ field: 'token', code: 'ambiguous', message: 'Give either the id or the token.' }] : [];
}

export const subscribed = named(
  'PushSubscribed',
  record({
    id: text,
    status,
    contact_id: annotate(nullable(text), { description: 'Null for an anonymous device.' }),
    warnings: optional(annotate(list(text), { description: 'Why the device is anonymous although the request names a contact.' })),
  }),
);

export const unsubscribeRequest = withRule(
  named(
    'PushUnsubscribeRequest',
    record({
      id: optional(Type.String({ ...lineOf(64), description: 'The id that the subscription got.' })),
      token: optional(Type.String({ ...lineOf(4_096), description: 'Instead of the id: the token of the app, or the endpoint of the browser.' })),
    }),
  ),
  ({ id, token }, { isMalformed }) => (isMalformed('id') || isMalformed('token') ? [] : unsubscribeProblems(id, token)),
);
export const unsubscribed = named('PushUnsubscribed', record({ id: text, status }));

/** A subscription as the account sees it, without its token. */
export const subscriptionResource = named(
  'PushSubscription',
  record({
    id: text,
    status,
    platform,
    contact_id: nullable(text),
    verified: annotate(flag, { description: 'Whether the device has proven that it belongs to the contact.' }),
    device_id: nullable(text),
    app_version: nullable(text),
    locale: nullable(text),
    timezone: nullable(text),
    ended_reason: nullable(endReason),
    subscribed_at: time,
    ended_at: nullable(time),
  }),
);

export const toSubscriptionResource = (one: KnownSubscription, contact_id: string | null): Static<typeof subscriptionResource> => {
  const { subscription_id: id, status, platform, device_id, app_version, locale, timezone, subscribed_at } = one;
  const ended = one.status === 'ended' ? { ended_reason: one.reason, ended_at: one.ended_at } : { ended_reason: null, ended_at: null };
  return { id, status, platform, contact_id, verified: isVerified(one), device_id, app_version, locale, timezone, ...ended, subscribed_at };
};
