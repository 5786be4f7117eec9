import { roleSchema } from '../../domain/accounts/access.js';
import { account, accountStream, type UserChange } from '../../domain/accounts/account.js';
import { toUserResource, type UserResource, userStatusSchema } from '../../domain/accounts/resources.js';
import { notFound } from '../../domain/kernel/errors.js';
import { count, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';
import { requireGoodPassword } from './change-password.js';

/** Changes a user's name, role, status or password. A new password and `disabled` void the sign-in tokens that are out. */
export const changeUser = command({
  name: 'ChangeUser',
  input: record({
    user_id: text,
    name: optional(nullable(text)),
    role: optional(roleSchema),
    status: optional(userStatusSchema),
    password: optional(text),
    expected_version: nullable(count),
  }),

  async handle({ user_id, password, expected_version: expected, ...rest }, context): Promise<UserResource> {
    const stream = accountStream(context.cause.account);
    if (password !== undefined) await requireGoodPassword(context, user_id, password, 'password');
    const password_hash =
      password === undefined ? undefined : await context.ports.accounts.passwords.hash(password, context.newSecret('password-salt'));
    const change: UserChange = password_hash === undefined ? rest : { ...rest, password_hash };
    const { state } = await context.decide(account, stream, { type: 'ChangeUser', user_id, change, expected, now: context.now });
    const user = state.status === 'open' ? state.users.get(user_id) : undefined;
    if (!user) throw notFound('user', user_id);
    return toUserResource(user);
  },
});
