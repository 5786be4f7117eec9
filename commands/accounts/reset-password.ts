import { account, accountStream } from '../../domain/accounts/account.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { count, record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';
import { requireGoodPassword } from './change-password.js';

/**
 * Sets the password of a user who has forgotten it, which voids tokens and ends sessions. `version`: that of the tokens, for which the link
 * was made. Throws `not_found` where it is no longer in force, or the user is gone or disabled.
 */
export const resetPassword = command({
  name: 'ResetPassword',
  input: record({ user_id: text, version: count, password: text }),

  async handle({ user_id, version, password }, context): Promise<void> {
    await requireGoodPassword(context, user_id, password, 'password');
    const password_hash = await context.ports.accounts.passwords.hash(password, context.newSecret('password-salt'));
    const whileInForce: typeof account = {
      ...account,
      decide(change, state) {
        const user = state.status === 'open' ? state.users.get(user_id) : undefined;
        if (user?.status !== 'active' || user.token_version !== version) throw linkGone();
        return account.decide(change, state);
      },
    };
    const of = { type: 'ChangeUser', user_id, change: { password_hash }, expected: null, now: context.now } as const;
    await context.decide(whileInForce, accountStream(context.cause.account), of);
  },
});

/** The answer to a link that cannot be used, whatever the reason. */
export const linkGone = (): DomainError =>
  new DomainError('not_found', 'This link is wrong, was used before, or has expired. Ask for another one.', { resource: 'link' });
