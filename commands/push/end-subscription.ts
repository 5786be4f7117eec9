import { notFound } from '../../domain/kernel/errors.js';
import { record, text } from '../../domain/kernel/schema.js';
import { devices, devicesStream } from '../../domain/push/devices.js';
import { type EndReason, subscription, subscriptionStream } from '../../domain/push/subscription.js';
import { loadSubscription } from '../../log/aggregates/push/load-subscriptions.js';
import { type Context, command, internalCommand } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';

/** Ends a subscription at the wish of its device or of the account. A repeat changes nothing. Throws `not_found`. */
export const unsubscribeDevice = command({
  name: 'UnsubscribeDevice',
  input: record({ id: text }),

  handle: ({ id }, context): Promise<{ id: string }> =>
    executeOnce(
      context,
      () => end(context, id, { reason: 'unsubscribed' }),
      async () => {
        const known = await loadSubscription(context.log, id);
        if (known.status === 'none' || known.account_id !== context.cause.account) throw notFound('push_subscription', id);
      },
    ),
});

/** Ends subscriptions that a push service does not know any more, as a dispatch of this message found out. */
export const endGoneSubscriptions = internalCommand({
  name: 'EndGoneSubscriptions',

  async handle({ ids, message_id }: { readonly ids: readonly string[]; readonly message_id: string }, context): Promise<void> {
    for (const id of ids) await end(context, id, { reason: 'gone', message_id });
  },
});

/** The subscription first: what its contact's list names besides is harmless. */
async function end(context: Context, id: string, why: { reason: EndReason; message_id?: string }): Promise<{ id: string }> {
  const { now } = context;
  const { state } = await context.decide(subscription, subscriptionStream(id), { type: 'End', ...why, now });
  if (state.status === 'ended' && state.contact_id !== null)
    await context.decide(devices, devicesStream(state.contact_id), { type: 'Remove', subscription_id: id, now });
  return { id };
}
