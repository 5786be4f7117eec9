import { consent, consentKey, consentStream, MARKETING_PURPOSE, noProof } from '../../domain/consent/consent.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { loadConsents } from '../../log/consent/load-consents.js';
import { type FoundContact, findContact } from '../../log/contacts/find-contact.js';
import { hashId } from '../../log/ids.js';
import { loadList } from '../../log/lists/load-list.js';
import { type Context, command } from '../kernel.js';
import { parseMessageRequest, refusalAtAcceptance } from '../messages/parse-request.js';

/** The message id of a request's mail. The same on every run, so that one mail is sent. */
export const confirmationMessageId = (account: string, requestId: string): string => hashId('msg', account, 'list-confirmation', requestId);

/**
 * Sends the confirmation mail of a double opt-in as an ordinary message, and records that it was sent. `message_id` is null
 * if the list or the contact no longer exists, or the contact has no email address.
 */
export const sendConfirmation = command({
  name: 'SendConfirmation',
  input: record({ contact_id: text, list_id: text, request_id: text, url: text }),

  async handle({ contact_id, list_id, request_id, url }, context): Promise<{ message_id: string | null }> {
    const recipient = await findRecipient(context, contact_id, list_id);
    const message_id = recipient && (await acceptConfirmationMail(context, recipient, request_id, url));
    if (recipient && message_id !== null) await recordPendingConsent(context, recipient.found, message_id);
    const record = { type: 'RecordConfirmationSent', contact_id, list_id, request_id, message_id, now: context.now } as const;
    await context.decide(membership, membershipStream(contact_id), record);
    return { message_id };
  },
});

interface ConfirmationRecipient {
  readonly found: FoundContact;
  readonly list: ListDetails;
  readonly email: string;
}

/** Null if the list, the contact or its address no longer exists. */
async function findRecipient({ log, cause }: Context, contactId: string, listId: string): Promise<ConfirmationRecipient | null> {
  try {
    const list = await loadList(log, cause.account, listId);
    const found = await findContact(log, cause.account, contactId);
    const email = found.united.facts.values.email?.value;
    return typeof email === 'string' && email !== ERASED ? { found, list, email } : null;
  } catch (e) {
    if (isDomainError(e)) return null;
    throw e;
  }
}

async function acceptConfirmationMail(
  context: Context,
  { found, list, email }: ConfirmationRecipient,
  requestId: string,
  url: string,
): Promise<string | null> {
  const read = parseMessageRequest({ to: email, channel: 'email', contact_id: found.root.id, ...confirmationMail(list.name, url) }, context);
  if ('problems' in read) return null;
  const acceptance = { ...read.acceptance, refused: await refusalAtAcceptance(read.acceptance, context) };
  const id = confirmationMessageId(context.cause.account, requestId);
  await context.decide(message, messageStream(id), { type: 'Accept', acceptance, now: context.now });
  return id;
}

/** Records a pending consent, unless the ledger has a statement for email marketing already. */
async function recordPendingConsent(context: Context, { named, united }: FoundContact, message_id: string): Promise<void> {
  if (consentKey('email', MARKETING_PURPOSE) in (await loadConsents(context.log, united))) return;
  const { now } = context;
  await context.decide(consent, consentStream(named.id), {
    type: 'Record',
    status: 'pending',
    contact_id: named.id,
    channel: 'email',
    purpose: MARKETING_PURPOSE,
    lawful_basis: 'consent',
    source: 'double_opt_in',
    proof: noProof,
    cause: { kind: 'message', id: message_id },
    onlyIfAbsent: true,
    occurred_at: now,
    now,
  });
}

/** Content of the mail. Transactional: it contains nothing but the confirmation. */
export function confirmationMail(listName: string, url: string) {
  const name = listName.replace(/\p{Cc}+/gu, ' ').trim();
  const lines = [
    `Please confirm that you want to receive "${name}" by email.`,
    'Open this page and press the button on it within 72 hours:',
    url,
    'If you did not ask for this, do nothing: you will not be written to.',
  ];
  const [ask, how, , ignore] = lines.map(escapeHtml);
  const link = escapeHtml(url);
  return {
    subject: `Please confirm: ${name}`.slice(0, 200),
    message: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body><p>${ask}</p><p>${how}</p><p><a href="${link}">${link}</a></p><p>${ignore}</p></body></html>`,
    category: 'transactional' as const,
  };
}

const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => htmlEntities[c] as string);
