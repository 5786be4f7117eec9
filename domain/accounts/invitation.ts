/**
 * An invitation to an account: the user is added once the person has chosen a password. Its id is that of the user, who is added under it,
 * so it adds one user however often it is accepted.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { record, type Static, text, time } from '../kernel/schema.js';
import { roleSchema } from './access.js';

// Events

export const UserInvited = eventType('UserInvited', record({ user_id: text, role: roleSchema, email: text, expires_at: time, at: time }), {
  personal: { subject: 'user_id', fields: ['email'] },
});
/** The user was added before. */
export const InvitationAccepted = eventType('InvitationAccepted', record({ user_id: text, at: time }));

export const invitationEvents = [UserInvited, InvitationAccepted] as const;
export type InvitationEvent = EventOf<(typeof invitationEvents)[number]>;

// State

export type Invitation =
  | { readonly status: 'none' }
  | {
      readonly status: 'open';
      readonly user_id: string;
      readonly role: Static<typeof roleSchema>;
      readonly email: string;
      readonly expires_at: string;
    }
  | { readonly status: 'accepted' };

export function evolve(_: Invitation, event: InvitationEvent): Invitation {
  if (event.type === 'InvitationAccepted') return { status: 'accepted' };
  const { at: __, ...invitation } = event.data;
  return { status: 'open', ...invitation };
}

// Commands

export type InvitationCommand =
  | ({ readonly type: 'Invite'; readonly now: string } & Omit<Static<typeof UserInvited.schema>, 'at'>)
  | { readonly type: 'AcceptInvitation'; readonly user_id: string; readonly now: string };

export function decide(command: InvitationCommand, invitation: Invitation): readonly InvitationEvent[] {
  switch (command.type) {
    case 'Invite': {
      const { type: _, now: at, ...data } = command;
      return invitation.status === 'none' ? [{ type: 'UserInvited', data: { ...data, at } }] : [];
    }
    case 'AcceptInvitation': {
      const { user_id, now: at } = command;
      requireOpen(invitation, at);
      return [{ type: 'InvitationAccepted', data: { user_id, at } }];
    }
    default:
      return command satisfies never;
  }
}

/** Throws `not_found` for an invitation that is unknown, accepted or expired. */
export function requireOpen(invitation: Invitation, now: string): Extract<Invitation, { status: 'open' }> {
  if (invitation.status === 'open' && invitation.expires_at > now) return invitation;
  throw new DomainError('not_found', 'This invitation was accepted, or has expired. Ask for another one.', { resource: 'invitation' });
}

// Stream

export const invitationStream = (userId: string) => `invitation-${userId}`;

export const invitation: Aggregate<Invitation, InvitationCommand, InvitationEvent> = {
  stream: invitationStream,
  events: invitationEvents,
  initial: { status: 'none' },
  evolve,
  decide,
};
