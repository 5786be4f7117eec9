import { roleSchema } from '../../domain/accounts/access.js';
import { type Account, account, accountStream } from '../../domain/accounts/account.js';
import { toUserResource, type UserResource } from '../../domain/accounts/resources.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { boundedText, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import { passwordProblems } from '../../formats/accounts/passwords.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { emailHint } from '../../formats/contacts/parse-address.js';
import { type Context, command } from '../runtime/command.js';
import { claimEmail, emailKey } from './claim-email.js';

/** Problems of a new user that a schema cannot express. Malformed fields are missing. */
export const userProblems = ({ email, password }: { readonly email?: string; readonly password?: string }): FieldProblem[] => [
  ...(email === undefined || normalizeEmail(email) !== null ? [] : [{ field: 'email', code: 'invalid_email', message: emailHint(email) }]),
  ...(password === undefined ? [] : passwordProblems(password, email === undefined ? null : normalizeEmail(email))),
];

/** Adds a user to the account. Throws `conflict` if the email already signs in to an account. */
export const createUser = command({
  name: 'CreateUser',
  input: record({ email: boundedText({}), name: optional(nullable(text)), role: roleSchema, password: text }),

  async handle({ email: given, name = null, role, password }, context): Promise<UserResource> {
    const email = normalizeEmail(given);
    const problems = userProblems({ email: given, password });
    if (email === null || problems.length > 0) throw invalid(problems);

    return addUser(context, context.newId('usr'), { email, name, role, password });
  },
});

/**
 * Adds a user whose password is a good one, under an id that nobody else uses. A repeat finds the user of the first run. Throws `conflict`
 * if the email already signs in to an account.
 */
export async function addUser(
  context: Context,
  id: string,
  { email, name, role, password }: Pick<UserResource, 'email' | 'name' | 'role'> & { readonly password: string },
): Promise<UserResource> {
  const account_id = context.cause.account;
  const stream = accountStream(account_id);
  const before = await context.decide(account, stream, { type: 'CheckRoomForUser' });
  const known = findUser(before.state, id);
  if (known) return known;

  const email_key = emailKey(context, email);
  const password_hash = await context.ports.accounts.passwords.hash(password, context.newSecret('password-salt'));
  await claimEmail(context, email_key, { account_id, user_id: id, role, founding: null, email, name, password_hash });
  const user = { id, email_key, email, name, role, password_hash };
  const { state } = await context.decide(account, stream, { type: 'AddUser', user, now: context.now });
  const added = findUser(state, id);
  if (!added) throw new DomainError('conflict', 'The user was removed again in the meantime.');
  return added;
}

/** Null where the account has no such user. */
export function findUser(state: Account, id: string): UserResource | null {
  const user = state.status === 'open' ? state.users.get(id) : undefined;
  return user ? toUserResource(user) : null;
}
