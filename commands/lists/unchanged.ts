import type { MembershipStatus } from '../../domain/lists/membership.js';

/** Why a command left a membership as it was. */
export interface UnchangedReason {
  readonly code: string;
  readonly message: string;
}

/** By the status that stays; `none` for a contact that never was on the list. */
const unchanged = {
  subscribed: { code: 'already_subscribed', message: 'The contact is subscribed already.' },
  pending: {
    code: 'confirmation_pending',
    message: 'The contact was asked by email, and has not confirmed yet. `resend-confirmation` of its membership sends the mail again.',
  },
  unsubscribed: {
    code: 'has_unsubscribed',
    message: 'The contact has unsubscribed, or was taken off the list. Resubscribe it with a reason and a proof, or let it subscribe itself.',
  },
  cleaned: {
    code: 'was_cleaned',
    message: 'The contact was taken off the list, because its address bounced. Resubscribe it with a reason and a proof, or let it subscribe itself.',
  },
  none: { code: 'never_on_list', message: 'The contact was never on the list. Add it instead.' },
} as const satisfies Record<MembershipStatus | 'none', UnchangedReason>;

/** Why nothing changed for a contact whose status is this one. */
export const whyUnchanged = (status: MembershipStatus | undefined): UnchangedReason => unchanged[status ?? 'none'];
