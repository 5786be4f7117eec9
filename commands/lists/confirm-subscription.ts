import { consent, consentStream, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { loadConfirmation } from '../../log/lists/load-confirmation.js';
import { command } from '../kernel.js';
import { confirmationMessageId } from './send-confirmation.js';

/** The text on the confirmation page. It is stored with its version as the proof of the consent. */
export const CONFIRMATION_TEXT = { version: '1', text: (list: string) => `Yes, I want to receive "${list}" by email.` } as const;

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
