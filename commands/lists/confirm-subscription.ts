import { consent, consentStream, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import { isDomainError, notFound } from '../../domain/kernel/errors.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { isConfirmable, type Membership, membership, membershipStream } from '../../domain/lists/membership.js';
import type { ConfirmationRequest } from '../../formats/lists/confirmation-link.js';
import { findContact } from '../../log/contacts/find-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { command } from '../kernel.js';
import { type ListDetails, loadList, loadMemberships } from './load-list.js';
import { confirmationMessageId } from './send-confirmation.js';

/** The words on the button's page, which are the proof; their version is told with them. */
export const CONFIRMATION_TEXT = { version: '1', text: (list: string) => `Yes, I want to receive "${list}" by email.` } as const;

const confirmationNotFound = (id: string) => notFound('confirmation', id);

/**
 * What a link leads to: the list that was asked for, and how the request stands. Throws `not_found` where the link is
 * past its time, was replaced by another one, or where list or contact are gone.
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
 * Puts a person on a list who said so by the button that the mail leads to, and keeps that as proof of the consent. The
 * link works once: pressed again it changes nothing, also where the person has left the list since.
 */
export const confirmSubscription = command({
  name: 'ConfirmSubscription',
  input: record({ contact_id: text, list_id: text, request_id: text, ip: nullable(text), user_agent: nullable(text) }),

  async handle({ ip, user_agent, ...request }, context): Promise<{ list: ListDetails; changed: boolean }> {
    const { log, cause, now } = context;
    const { contact_id, list_id, request_id } = request;
    const { list, membership: before } = await loadConfirmation(log, cause.account, request, now);
    if (before.status === 'subscribed') return { list, changed: false };
    // The consent first: a crash in between leaves the link as it is, and pressed again it says the same once.
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
