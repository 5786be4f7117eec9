import { changePassword } from '../../commands/accounts/change-password.js';
import { linkGone, resetPassword } from '../../commands/accounts/reset-password.js';
import { boundedText, record, text } from '../../domain/kernel/schema.js';
import { ACCOUNT_LINKS_PURPOSE, readLinkToken } from '../../formats/accounts/account-links.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { requireUser } from './sessions.js';
import { newPassword } from './users.js';

/** The own password: of the calling user, and of one who has forgotten it. */
export const passwordRoutes = (services: Services, queries: AccountQueries, directory: AccountDirectory): AnyRoute[] => [
  changePasswordRoute(services, queries, directory),
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
