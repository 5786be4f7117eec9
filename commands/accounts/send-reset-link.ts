import { account, accountStream } from '../../domain/accounts/account.js';
import { record, text, time } from '../../domain/kernel/schema.js';
import { LINK_LIFETIME_MS } from '../../formats/accounts/account-links.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { command } from '../runtime/command.js';
import { acceptAccountMail } from './account-mail.js';

/**
 * Sends a user the link to choose a new password: one mail a request, however often it is sent. Its hour begins with the request.
 * `message_id` is null where the user is disabled or has another email by now, the hour is over, or the account reaches nobody by email.
 */
export const sendResetLink = command({
  name: 'SendResetLink',
  input: record({ user_id: text, email_key: text, request_id: text, requested_at: time, base_url: text }),

  async handle({ user_id, email_key, request_id, requested_at, base_url }, context): Promise<{ message_id: string | null }> {
    const { account: account_id } = context.cause;
    const { state } = await loadAggregate(context.log, account, accountStream(account_id));
    const user = state.status === 'open' ? state.users.get(user_id) : undefined;
    const expires_at = Date.parse(requested_at) + LINK_LIFETIME_MS.reset;
    if (user?.status !== 'active' || user.email_key !== email_key || expires_at <= Date.parse(context.now)) return { message_id: null };
    const link = { kind: 'reset', account_id, user_id, version: user.token_version, expires_at } as const;
    const url = context.ports.accounts.linkUrl(base_url, link);
    return { message_id: await acceptAccountMail(context, { kind: 'reset', about: request_id, to: user.email, url }) };
  },
});
