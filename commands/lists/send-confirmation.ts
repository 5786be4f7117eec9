import { ERASED } from '../../domain/kernel/erased.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { type Language, languageOf } from '../../domain/kernel/languages.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { confirmationTexts } from '../../formats/lists/confirmation-texts.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadSender } from '../../log/aggregates/load-sender.js';
import { hashId } from '../../log/runtime/ids.js';
import { domainKeys, firstRefusal, refusalAtAcceptance } from '../messages/gates.js';
import { parseMessageRequest } from '../messages/parse-request.js';
import { withAccountSender } from '../messages/route-problems.js';
import { type Context, command } from '../runtime/command.js';

/** The message id of a request's mail. The same on every run, so that one mail is sent. */
export const confirmationMessageId = (account: string, requestId: string): string => hashId('msg', account, 'list-confirmation', requestId);

/**
 * Sends the confirmation mail of a double opt-in as an ordinary message, and records that it was sent. Until the person
 * confirms, no consent changes. `message_id` is null
 * if the list or the contact no longer exists, or the contact has no email address.
 */
export const sendConfirmation = command({
  name: 'SendConfirmation',
  input: record({ contact_id: text, list_id: text, request_id: text, url: text }),

  async handle({ contact_id, list_id, request_id, url }, context): Promise<{ message_id: string | null }> {
    const recipient = await findRecipient(context, contact_id, list_id);
    const message_id = recipient && (await acceptConfirmationMail(context, recipient, request_id, url));
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
    const email = found.unified.facts.values.email?.value;
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
  const sender = await loadSender(context.log, context.cause.account);
  const language = languageOf(found.unified.facts.values.locale?.value) ?? sender?.locale ?? 'en';
  const mail = confirmationMail(list.name, sender?.name ?? '', url, language);
  const request = { to: email, channel: 'email', contact_id: found.root.id, ...mail };
  const read = parseMessageRequest(await withAccountSender(request, context), context);
  if ('problems' in read) return null;
  const { accepted } = read.acceptance;
  const acceptance = {
    ...read.acceptance,
    refused: await firstRefusal([accepted.to_key, ...domainKeys(accepted, context)], (key) => refusalAtAcceptance(accepted, key, context)),
  };
  const id = confirmationMessageId(context.cause.account, requestId);
  await context.decide(message, messageStream(id), { type: 'Accept', acceptance, now: context.now });
  return id;
}

/** Content of the mail. Transactional: it contains nothing but the confirmation. `sender`: the name of the account. */
export function confirmationMail(listName: string, sender: string, url: string, language: Language) {
  const texts = confirmationTexts[language];
  const [name, from] = [oneLine(listName), oneLine(sender)];
  const lines = [texts.ask(name, from), texts.how, url, texts.ignore];
  const [ask, how, , ignore] = lines.map(escapeHtml);
  const link = escapeHtml(url);
  return {
    subject: texts.subject(name).slice(0, 200),
    message: `${lines.join('\n\n')}\n\n${from}\n`,
    html: `<!doctype html><html lang="${language}"><body><p>${ask}</p><p>${how}</p><p><a href="${link}">${link}</a></p><p>${ignore}</p><p>${escapeHtml(from)}</p></body></html>`,
    category: 'transactional' as const,
  };
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();
const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ownField(htmlEntities, c) as string);
