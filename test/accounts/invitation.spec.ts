import { type Invitation, invitation } from '../../domain/accounts/invitation.js';
import { specification } from '../given.js';

const { given } = specification(invitation);
const now = '2026-01-15T10:30:00.000Z';
const expires_at = '2026-01-22T10:30:00.000Z';
const data = { user_id: 'usr_1', role: 'member', email: 'bob@example.com', expires_at } as const;
const invited = { type: 'UserInvited', data: { ...data, at: now } } as const;
const invite = { type: 'Invite', ...data, now } as const;
const accept = (at: string) => ({ type: 'AcceptInvitation', user_id: 'usr_1', now: at }) as const;
const accepted = (at: string) => ({ type: 'InvitationAccepted', data: { user_id: 'usr_1', at } }) as const;

describe('an invitation', () => {
  it('is made once', () => {
    given().when(invite).then(invited);
    given(invited).when(invite).thenNothing();
    given(invited, accepted(now)).when(invite).thenNothing();
  });

  it('is accepted once, before it expires', () => {
    const lastMoment = '2026-01-22T10:29:59.999Z';
    given(invited).when(accept(lastMoment)).then(accepted(lastMoment));
    for (const past of [[], [invited, accepted(now)]] as const)
      given(...past)
        .when(accept(now))
        .thenRefused('not_found', { resource: 'invitation' });
    given(invited).when(accept(expires_at)).thenRefused('not_found', { resource: 'invitation' });
  });

  it('keeps the address no longer than it is needed', () => {
    const after: Invitation = given(invited, accepted(now)).state();
    if ('email' in after) throw new Error('the address is kept');
  });
});
