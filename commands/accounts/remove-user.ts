import { account, accountStream } from '../../domain/accounts/account.js';
import { userKey, userKeyStream } from '../../domain/accounts/user-key.js';
import { record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Removes a user and releases the email. Throws `invalid_state` for the last active owner. */
export const removeUser = command({
  name: 'RemoveUser',
  input: record({ user_id: text }),

  async handle({ user_id }, context): Promise<void> {
    const stream = accountStream(context.cause.account);
    const { state } = await context.decide(account, stream, { type: 'RemoveUser', user_id, now: context.now });
    const emailKey = state.status === 'open' ? state.removed.get(user_id) : undefined;
    if (emailKey !== undefined) await context.decide(userKey, userKeyStream(emailKey), { type: 'ReleaseUserKey', user_id, now: context.now });
  },
});
