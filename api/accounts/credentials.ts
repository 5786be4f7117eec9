import { showSecondFactor } from '../../commands/accounts/show-second-factor.js';
import { roleSchema } from '../../domain/accounts/access.js';
import { DomainError, isDomainError } from '../../domain/kernel/errors.js';
import { annotate, boundedText, named, optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { accounts } from '../../projections/accounts/projection.js';
import type { AccountQueries, SignIn } from '../../projections/accounts/queries.js';
import type { Request } from '../http/route.js';
import type { Services } from '../http/services.js';

/** The body of every way to sign in. */
export const credentials = record({
  email: boundedText({}),
  password: boundedText({}),
  code: optional(
    annotate(boundedText({ maxLength: 64 }), { description: 'Of the second factor: what the authenticator app shows, or a recovery code.' }),
  ),
});

/** What proves the user of a session or token once more. */
export const password = boundedText({});
export const code = boundedText({ minLength: 1, maxLength: 64 });

/** What every way to sign in answers about the user. */
export const signedInUser = { user: named('SignedInUser', record({ id: text, email: text, role: roleSchema })), account_id: text };

/** What all ways to sign in have in common: who may call them, how often, and what the documentation says of both. */
export const SIGN_IN = {
  terms:
    'An unknown email takes as long as a wrong password. In 15 minutes an address has 20 attempts, and an email 20 failed ones, from all addresses together, for all ways to sign in together. Where the user has a second factor, the answer without `code` is `second_factor_required`; each code counts once, and a wrong one is a failed attempt.',
  route: { access: 'public', limit: 'login', bodyLimit: 16_384, errors: ['invalid_credentials', 'second_factor_required', 'projection_behind'] },
} as const;

/**
 * The active user with this email, password and second factor. Throws `invalid_credentials`, `second_factor_required`,
 * `rate_limit_exceeded`, and `projection_behind`.
 */
export async function checkCredentials(
  services: Pick<Services, 'caughtUp' | 'addresses' | 'passwords'>,
  queries: Pick<AccountQueries, 'signIn'>,
  { body, charge, refund, execute }: Pick<Request<unknown, unknown, Static<typeof credentials>>, 'body' | 'charge' | 'refund' | 'execute'>,
): Promise<SignIn> {
  const caughtUp = await services.caughtUp(accounts.name);
  const email = normalizeEmail(body.email);
  const key = email === null ? null : services.addresses.key('', email);
  // Whether or not there is such a user, so that the answer does not show it.
  if (key !== null) await charge('login_user', key);
  const found = key === null ? null : await queries.signIn(key);
  if (!found && !caughtUp)
    throw new DomainError('projection_behind', 'Accounts that were changed lately are not known here yet. Try again in a second.');
  const right = await services.passwords.verify(body.password, found?.password_hash ?? null);
  if (!found || !right || found.user.status !== 'active')
    throw new DomainError('invalid_credentials', 'Email address and password do not belong together.');
  // Not a failed attempt: the user is asked for the code now.
  const noteRight = async () => (key === null ? undefined : refund('login_user', key));
  await execute(showSecondFactor, { user_id: found.user.id, code: body.code || null }, found.user.account).catch(async (error: unknown) => {
    if (isDomainError(error) && error.code === 'second_factor_required') await noteRight();
    throw error;
  });
  await noteRight();
  return found;
}
