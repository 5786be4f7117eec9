import { acceptInvitation } from '../../commands/accounts/accept-invitation.js';
import { userProblems } from '../../commands/accounts/create-user.js';
import { inviteUser } from '../../commands/accounts/invite-user.js';
import { linkGone } from '../../commands/accounts/reset-password.js';
import { withRule } from '../../commands/runtime/rules.js';
import { roleSchema } from '../../domain/accounts/access.js';
import { userResource } from '../../domain/accounts/resources.js';
import { boundedText, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { ACCOUNT_LINKS_PURPOSE, readLinkToken } from '../../formats/accounts/account-links.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { newPassword, userName } from './users.js';

/** Inviting somebody to the account, and accepting that. */
export const invitationRoutes = (services: Services, directory: AccountDirectory): AnyRoute[] => [
  inviteUserRoute(services),
  acceptInvitationRoute(services, directory),
];

const invited = named('InvitedUser', record({ id: text, email: text, role: roleSchema, expires_at: time, message_id: nullable(text) }));

const inviteUserRoute = (services: Services) =>
  route({
    method: 'POST',
    path: '/v1/account/users/invite',
    operationId: 'inviteUser',
    summary: 'Invite a user',
    description:
      'Sends a mail with a link to a page where the person chooses a password, by the email route of the account. The link can be used once within seven days; until then there is no user, and `id` is the one that the user will have. Without a route that reaches anybody by email, as with the sandbox, nothing is sent and `message_id` is null: then `heliograph user invite` on the command line of the operator prints a link.',
    tag: 'accounts',
    access: 'owner',
    limit: 'general',
    body: withRule(record({ email: boundedText({ maxLength: 320 }), role: roleSchema }), userProblems),
    responses: { 202: { description: 'The invitation. `message_id` is that of the mail.', schema: invited } },
    errors: ['conflict'],
    async handle({ body, execute }) {
      const { output } = await execute(inviteUser, { ...body, base_url: services.publicUrl, mail: true });
      const { url: _, ...shown } = output;
      return { status: 202, body: shown };
    },
  });

const acceptInvitationRoute = ({ purposeKey }: Services, directory: AccountDirectory) => {
  const key = purposeKey(ACCOUNT_LINKS_PURPOSE);
  return route({
    method: 'POST',
    path: '/v1/auth/invitations/:token',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'Adds the user who was invited, with a password of their own choice. `token` is the last part of the link.',
    tag: 'accounts',
    access: 'public',
    limit: 'login',
    bodyLimit: 16_384,
    params: record({ token: text }),
    body: record({ password: newPassword, name: optional(userName) }),
    responses: { 201: { description: 'The new user, who can sign in now.', schema: userResource } },
    errors: ['not_found', 'conflict'],
    async handle({ params, body: { password, name = null }, execute }) {
      const link = readLinkToken('invitation', params.token, key);
      if (!link) throw linkGone();
      const { output: user } = await execute(acceptInvitation, { user_id: link.user_id, name, password }, link.account_id);
      directory.evict(link.account_id);
      return { status: 201, body: user };
    },
  });
};
