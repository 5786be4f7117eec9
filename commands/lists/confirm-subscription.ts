import { consent, consentStream, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import { languageSchema } from '../../domain/kernel/languages.js';
import { nullable, optional, record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { CONFIRMATION_TEXT_VERSION, confirmationTexts } from '../../formats/lists/confirmation-texts.js';
import { loadConfirmation } from '../../log/aggregates/lists/load-confirmation.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import { command } from '../runtime/command.js';
import { liftOptOut } from '../suppressions/lift-opt-out.js';
import { confirmationMessageId } from './send-confirmation.js';

/**
 * Subscribes a contact that pressed the button on the confirmation page, and records its consent with proof:
 * the text of the page, in the `language` in which it was shown. The contact's own earlier opt-out from marketing email, by a
 * link or a page, is lifted for the address that the mail was sent to. A link that was
 * used has no further effect, even if the contact has unsubscribed since.
 */
export const confirmSubscription = command({
  name: 'ConfirmSubscription',
  input: record({
    contact_id: text,
    list_id: text,
    request_id: text,
    ip: nullable(text),
    user_agent: nullable(text),
    language: optional(languageSchema),
  }),

  async handle({ ip, user_agent, language = 'en', ...request }, context): Promise<{ list: ListDetails; changed: boolean }> {
    const { log, cause, now } = context;
    const { contact_id, list_id, request_id } = request;
    const { list, membership: before } = await loadConfirmation(log, cause.account, request, now);
    if (before.status === 'subscribed') return { list, changed: false };
    const message_id = confirmationMessageId(cause.account, request_id);
    const text = confirmationTexts[language].consent(list.name);
    // The membership last: after a crash in between the link still works, and nothing is recorded twice.
    await context.decide(consent, consentStream(contact_id), {
      type: 'Record',
      status: 'granted',
      contact_id,
      channel: 'email',
      purpose: MARKETING_PURPOSE,
      lawful_basis: 'consent',
      source: 'double_opt_in',
      proof: { form_id: null, text_version: CONFIRMATION_TEXT_VERSION, text, language, ip, user_agent },
      cause: { kind: 'message', id: message_id },
      oncePerCause: true,
      occurred_at: now,
      now,
    });
    await liftOptOut(context, { message_id, list_id, proof: text });
    const confirmed = { by: 'link', of: { kind: 'list', id: list_id } } as const;
    await confirmContacts(context, [contact_id], { confirmed, source: 'api' });
    const confirm = { type: 'Confirm', contact_id, list_id, request_id, source: 'double_opt_in', now } as const;
    const { position } = await context.decide(membership, membershipStream(contact_id), confirm);
    return { list, changed: position !== null };
  },
});
