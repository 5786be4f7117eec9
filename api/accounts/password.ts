import { changePassword } from '../../commands/accounts/change-password.js';
import { userProblems } from '../../commands/accounts/create-user.js';
import { requestPasswordReset } from '../../commands/accounts/request-password-reset.js';
import { linkGone, resetPassword } from '../../commands/accounts/reset-password.js';
import { withRule } from '../../commands/runtime/rules.js';
import { invalid } from '../../domain/kernel/errors.js';
import { boundedText, record, text } from '../../domain/kernel/schema.js';
import { ACCOUNT_LINKS_PURPOSE, readLinkToken } from '../../formats/accounts/account-links.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { emailHint } from '../../formats/contacts/parse-address.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { requireUser } from './sessions.js';
import { newPassword } from './users.js';

/** The own password: of the calling user, and of one who has forgotten it. */
export const passwordRoutes = (services: Services, queries: AccountQueries, directory: AccountDirectory): AnyRoute[] => [
  changePasswordRoute(services, queries, directory),
  requestPasswordResetRoute(services),
  resetPasswordRoute(services, directory),
];

const changePasswordRoute = ({ passwords }: Services, queries: AccountQueries, directory: AccountDirectory) =>
  route({
    method: 'POST',
    path: '/v1/auth/password',
    operationId: 'changePassword',
    summary: 'Change the own password',
    description:
      'The rules are those of new users. All other sessions of the user end, and all sign-in tokens become invalid; the session that asks goes on. A wrong `current` counts like a failed attempt to sign in.',
    tag: 'accounts',
    access: 'either',
    limit: 'general',
    bodyLimit: 16_384,
    body: record({ current: boundedText({}), new: newPassword }),
    responses: { 204: { description: 'The password is changed.' } },
    errors: ['invalid_credentials', 'forbidden'],
    async handle({ caller, body, charge, refund, execute }) {
      const user_id = requireUser(caller);
      const found = await queries.signInOf(user_id);
      const key = found?.user.email_key ?? user_id;
      await charge('login_user', key);
      const proven = await passwords.verify(body.current, found?.password_hash ?? null);
      if (proven) await refund('login_user', key);
      await execute(changePassword, { user_id, password: body.new, kept_session: caller.session ?? null, proven });
      // It was a repeat of a change that was made.
      if (!proven) await refund('login_user', key);
      directory.evict(caller.account);
      return { status: 204 };
    },
  });

const requestPasswordResetRoute = (services: Services) =>
  route({
    method: 'POST',
    path: '/v1/auth/password/reset',
    operationId: 'requestPasswordReset',
    summary: 'Ask for a new password',
    description:
      'Sends a mail with a link to a page that sets a new password, by the email route of the account. The answer is the same, and takes as long, whether or not anybody signs in with the email. Three requests an hour for an email, and 20 from an address. Where the account has no route that reaches anybody by email, as with the sandbox, `heliograph user reset-link` on the command line of the operator prints a link.',
    tag: 'accounts',
    access: 'public',
    limit: 'reset',
    bodyLimit: 16_384,
    body: withRule(record({ email: boundedText({ maxLength: 320 }) }), userProblems),
    responses: { 202: { description: 'The mail is sent, if anybody signs in with the email.' } },
    async handle({ body, charge, execute }) {
      const email = normalizeEmail(body.email);
      if (email === null) throw invalid([{ field: 'email', code: 'invalid_email', message: emailHint(body.email) }]);
      const email_key = services.addresses.key('', email);
      await charge('reset_user', email_key);
      await execute(requestPasswordReset, { email_key, base_url: services.publicUrl });
      return { status: 202 };
    },
  });

const resetPasswordRoute = ({ purposeKey, clock }: Services, directory: AccountDirectory) => {
  const key = purposeKey(ACCOUNT_LINKS_PURPOSE);
  return route({
    method: 'POST',
    path: '/v1/auth/password/reset/:token',
    operationId: 'resetPassword',
    summary: 'Choose a new password',
    description:
      'By the link of a mail, whose last part is `token`. It can be used once within an hour, and not after another change of the password. All sessions of the user end, and all sign-in tokens become invalid. A second factor stays on.',
    tag: 'accounts',
    access: 'public',
    limit: 'login',
    bodyLimit: 16_384,
    params: record({ token: text }),
    body: record({ password: newPassword }),
    responses: { 204: { description: 'The password is changed.' } },
    errors: ['not_found'],
    async handle({ params, body: { password }, execute }) {
      const link = readLinkToken('reset', params.token, key);
      if (!link || link.expires_at <= clock.now()) throw linkGone();
      const { account_id, user_id, version } = link;
      await execute(resetPassword, { user_id, version, password }, account_id);
      directory.evict(account_id);
      return { status: 204 };
    },
  });
};
