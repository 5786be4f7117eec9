import { roleSchema } from '../../domain/accounts/access.js';
import { account, accountStream } from '../../domain/accounts/account.js';
import { invitation, invitationStream } from '../../domain/accounts/invitation.js';
import type { UserResource } from '../../domain/accounts/resources.js';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { boundedText, flag, record, text } from '../../domain/kernel/schema.js';
import { LINK_LIFETIME_MS } from '../../formats/accounts/account-links.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { emailHint } from '../../formats/contacts/parse-address.js';
import { command } from '../runtime/command.js';
import { acceptAccountMail } from './account-mail.js';
import { requireFreeEmail } from './claim-email.js';

export interface InvitedUser extends Pick<UserResource, 'id' | 'email' | 'role'> {
  readonly expires_at: string;
  /** Of the mail with the link; null where none was asked for, or the account has no route that reaches anybody by email. */
  readonly message_id: string | null;
  readonly url: string;
}

/**
 * Invites somebody to the account; with `mail` by a mail where that reaches anybody. `base_url`: of the link, without a slash at the end. Throws
 * `conflict` where the email signs in already, or the account has no room for another user.
 */
export const inviteUser = command({
  name: 'InviteUser',
  input: record({ email: boundedText({}), role: roleSchema, base_url: text, mail: flag }),

  async handle({ email: given, role, base_url, mail }, context): Promise<InvitedUser> {
    const email = normalizeEmail(given);
    if (email === null) throw invalid([{ field: 'email', code: 'invalid_email', message: emailHint(given) }]);
    const { account: account_id } = context.cause;
    const id = context.newId('usr');
    await context.decide(account, accountStream(account_id), { type: 'CheckRoomForUser' });
    await requireFreeEmail(context, email, id);
    const expires_at = new Date(Date.parse(context.now) + LINK_LIFETIME_MS.invitation).toISOString();
    const invite = { type: 'Invite', user_id: id, role, email, expires_at, now: context.now } as const;
    const { state } = await context.decide(invitation, invitationStream(id), invite);
    if (state.status === 'none') throw new DomainError('conflict', 'The invitation was not recorded.');
    const url = context.ports.accounts.linkUrl(base_url, { kind: 'invitation', account_id, user_id: id });
    const message_id = mail ? await acceptAccountMail(context, { kind: 'invitation', about: id, to: email, url }) : null;
    return { id, email, role, expires_at: state.status === 'open' ? state.expires_at : expires_at, message_id, url };
  },
});
