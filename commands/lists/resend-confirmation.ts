import { ERASED } from '../../domain/kernel/erased.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { MAX_RESENDS, membership, membershipStream, RESEND_EVERY_SECONDS, resendsOf } from '../../domain/lists/membership.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { hashId } from '../../log/runtime/ids.js';
import { command } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';

export interface ResentConfirmation {
  readonly contact_id: string;
  readonly status: 'pending';
  /** How often it was sent again. */
  readonly resent: number;
  readonly remaining: number;
  /** When it can be sent again (RFC 3339); null: not any more. */
  readonly next_at: string | null;
}

/**
 * Sends the confirmation mail of a pending membership again; the links of the earlier mails work on. Throws `not_found` for the list or the
 * contact, `invalid_state` where nothing is pending, `recipient_not_found` without an email address, `rate_limit_exceeded` and `conflict`.
 */
export const resendConfirmation = command({
  name: 'ResendConfirmation',
  input: record({ list_id: text, contact_id: text, base_url: nullable(text) }),

  async handle({ list_id, contact_id, base_url }, context): Promise<ResentConfirmation> {
    const { log, cause, now } = context;
    await loadList(log, cause.account, list_id);
    const found = await findContact(log, cause.account, contact_id);
    await requireMode(context, found);
    const { root, named, unified } = found;
    const known = ownField(await loadUnifiedMemberships(log, unified), list_id)?.value;
    const email = unified.facts.values.email?.value;
    if (known?.status === 'pending' && (typeof email !== 'string' || email === ERASED))
      throw new DomainError('recipient_not_found', 'The contact has no email address to which a confirmation could be sent.');
    // The membership may be of a contact that is merged into this one.
    const holder = known?.contact_id ?? named.id;
    const request_id = hashId('req', cause.account, 'resend', cause.key ?? cause.invocation, holder, list_id);
    const about = { contact_id: holder, list_id, request_id, source: 'resend', base_url, ...(cause.test && { test: true }), now };
    const { state } = await context.decide(membership, membershipStream(holder), { type: 'Resend', ...about });
    const own = ownField(state, list_id)?.value;
    const resent = own ? resendsOf(own) : 0;
    const next_at = resent >= MAX_RESENDS ? null : new Date(Date.parse(own?.requested_at ?? now) + RESEND_EVERY_SECONDS * 1_000).toISOString();
    return { contact_id: root.id, status: 'pending', resent, remaining: MAX_RESENDS - resent, next_at };
  },
});
