import { consent, consentStream, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import { isDomainError, notFound } from '../../domain/kernel/errors.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { isConfirmable, type Membership, membership, membershipStream } from '../../domain/lists/membership.js';
import type { ConfirmationRequest } from '../../formats/lists/confirmation-link.js';
import { findContact } from '../../log/contacts/find-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { loadList } from '../../log/lists/load-list.js';
import { loadMemberships } from '../../log/lists/load-memberships.js';
import { command } from '../kernel.js';
import { confirmationMessageId } from './send-confirmation.js';

/** The text on the confirmation page. It is stored with its version as the proof of the consent. */
export const CONFIRMATION_TEXT = { version: '1', text: (list: string) => `Yes, I want to receive "${list}" by email.` } as const;

const confirmationNotFound = (id: string) => notFound('confirmation', id);

/**
 * The list and the membership that a confirmation link is for. Throws `not_found` if the link has expired or was replaced by
 * a newer one, or if the list or the contact no longer exists.
 */
export async function loadConfirmation(
  log: EventLog,
  account: string,
  { contact_id, list_id, request_id }: ConfirmationRequest,
  now: string,
): Promise<{ list: ListDetails; membership: Membership }> {
  const own = (await loadMemberships(log, contact_id))[list_id]?.value;
  const usable = own?.request_id === request_id && (own.status === 'subscribed' || isConfirmable(own, now));
  try {
    if (!usable) throw confirmationNotFound(request_id);
    await findContact(log, account, contact_id);
    return { list: await loadList(log, account, list_id), membership: own };
  } catch (e) {
    throw isDomainError(e) ? confirmationNotFound(request_id) : e;
  }
}

/**
 * Subscribes a contact that pressed the button on the confirmation page, and records its consent with proof. A link that was
 * used has no further effect, even if the contact has unsubscribed since.
 */
export const confirmSubscription = command({
  name: 'ConfirmSubscription',
  input: record({ contact_id: text, list_id: text, request_id: text, ip: nullable(text), user_agent: nullable(text) }),

  async handle({ ip, user_agent, ...request }, context): Promise<{ list: ListDetails; changed: boolean }> {
    const { log, cause, now } = context;
    const { contact_id, list_id, request_id } = request;
    const { list, membership: before } = await loadConfirmation(log, cause.account, request, now);
    if (before.status === 'subscribed') return { list, changed: false };
    // Consent first: after a crash in between the link still works, and the consent is not recorded twice.
    await context.decide(consent, consentStream(contact_id), {
      type: 'Record',
      status: 'granted',
      contact_id,
      channel: 'email',
      purpose: MARKETING_PURPOSE,
      lawful_basis: 'consent',
      source: 'double_opt_in',
      proof: { form_id: null, text_version: CONFIRMATION_TEXT.version, text: CONFIRMATION_TEXT.text(list.name), ip, user_agent },
      cause: { kind: 'message', id: confirmationMessageId(cause.account, request_id) },
      oncePerCause: true,
      occurred_at: now,
      now,
    });
    const confirm = { type: 'Confirm', contact_id, list_id, request_id, source: 'double_opt_in', now } as const;
    const { position } = await context.decide(membership, membershipStream(contact_id), confirm);
    return { list, changed: position !== null };
  },
});
