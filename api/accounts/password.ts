import { changePassword } from '../../commands/accounts/change-password.js';
import { boundedText, record } from '../../domain/kernel/schema.js';
import { passwordLength } from '../../formats/accounts/passwords.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { requireUser } from './sessions.js';

/** The password of the calling user. */
export const passwordRoutes = (services: Services, queries: AccountQueries, directory: AccountDirectory): AnyRoute[] => [
  changePasswordRoute(services, queries, directory),
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
    body: record({ current: boundedText({}), new: boundedText({ minLength: passwordLength.min, maxLength: passwordLength.max }) }),
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
