import { account, accountStream } from '../../domain/accounts/account.js';
import { DomainError, invalid, notFound } from '../../domain/kernel/errors.js';
import { flag, nullable, record, text } from '../../domain/kernel/schema.js';
import { passwordProblems } from '../../formats/accounts/passwords.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { type Context, command } from '../runtime/command.js';

/**
 * Sets a user's own password, which voids tokens and ends sessions but `kept_session`. `proven`: the user has shown the password before.
 * Throws `invalid_credentials` without, unless this repeats a change that was made.
 */
export const changePassword = command({
  name: 'ChangePassword',
  input: record({ user_id: text, password: text, kept_session: nullable(text), proven: flag }),

  async handle({ user_id, password, kept_session, proven }, context): Promise<void> {
    await requireGoodPassword(context, user_id, password, 'new');
    const password_hash = await context.ports.accounts.passwords.hash(password, context.newSecret('password-salt'));
    const change = { password_hash, ...(kept_session !== null && { kept_session }) };
    const of = { type: 'ChangeUser', user_id, change, expected: null, now: context.now } as const;
    const { state } = await context.decide(proven ? account : unproven, accountStream(context.cause.account), of);
    if (state.status !== 'open' || !state.users.has(user_id)) throw notFound('user', user_id);
  },
});

const unproven: typeof account = {
  ...account,
  decide: () => {
    throw new DomainError('invalid_credentials', 'The current password is wrong.');
  },
};

/** Throws `validation_error`. `field`: that of the password in the request. */
export async function requireGoodPassword({ log, cause }: Context, user_id: string, password: string, field: string): Promise<void> {
  const { state } = await loadAggregate(log, account, accountStream(cause.account));
  const email = state.status === 'open' ? (state.users.get(user_id)?.email ?? null) : null;
  const problems = passwordProblems(password, email, field);
  if (problems.length > 0) throw invalid(problems);
}
