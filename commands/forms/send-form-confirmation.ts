import { CONFIRMATION_TTL_MS, submission, submissionStream } from '../../domain/forms/submission.js';
import type { Language } from '../../domain/kernel/languages.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { record, text } from '../../domain/kernel/schema.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { formConfirmationTexts } from '../../formats/forms/confirmation-texts.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { type LoadedSubmission, loadSubmission } from '../../log/aggregates/forms/load-submission.js';
import { isOwn } from '../../log/aggregates/load-aggregate.js';
import { loadSender } from '../../log/aggregates/load-sender.js';
import { hashId } from '../../log/runtime/ids.js';
import { escapeHtml } from '../lists/send-confirmation.js';
import { takeSlot } from '../messages/frequency-caps.js';
import { domainKeys, firstRefusal, refusalAtAcceptance } from '../messages/gates.js';
import { parseMessageRequest } from '../messages/parse-request.js';
import { withAccountSender } from '../messages/route-problems.js';
import { type Context, command } from '../runtime/command.js';

/** The message id of a submission's mail. The same on every run, so that one mail is sent. */
export const formMessageId = (account: string, submissionId: string): string => hashId('msg', account, 'form-confirmation', submissionId);

/** Anybody can submit somebody else's address: it gets no more mails than this from the forms of an account. */
const MAIL_CAP = { channel: 'email', max: 3, per: 'PT1H', perMs: 3_600_000 } as const;

/**
 * Sends the confirmation mail of a submission as an ordinary message, and records that it was sent. `message_id` is null if the
 * form or the person no longer exists, if the mail would come after the end of its link, or if the address had three mails within an hour.
 */
export const sendFormConfirmation = command({
  name: 'SendFormConfirmation',
  input: record({ submission_id: text, url: text }),

  async handle({ submission_id, url }, context): Promise<{ message_id: string | null }> {
    const loaded = await loadSubmission(context.log, submission_id);
    const message_id = loaded && (await acceptMail(context, loaded, url));
    const sent = { type: 'RecordConfirmationSent', message_id, now: context.now } as const;
    await context.decide(submission, submissionStream(submission_id), sent, { sealed: true });
    return { message_id };
  },
});

async function acceptMail(context: Context, { state, submitted }: LoadedSubmission, url: string): Promise<string | null> {
  const { account } = context.cause;
  const found = await findForm(context.log, state.form_id, { version: state.form_version });
  const late = Date.parse(context.now) - Date.parse(state.at) > CONFIRMATION_TTL_MS;
  const to = isOwn(found, account) && !late ? emailOf(found.form.definition.fields, submitted.fields) : null;
  if (!found || to === null) return null;
  const sender = (await loadSender(context.log, account))?.name ?? '';
  const { title } = shownForm(found.form.definition, submitted.language);
  const mail = formConfirmationMail(title, sender, url, submitted.language);
  const request = { to, channel: 'email', contact_id: state.contact_id, ...mail };
  const read = parseMessageRequest(await withAccountSender(request, context), context);
  if ('problems' in read) return null;
  const { accepted } = read.acceptance;
  const acceptance = {
    ...read.acceptance,
    refused: await firstRefusal([accepted.to_key, ...domainKeys(accepted, context)], (key) => refusalAtAcceptance(accepted, key, context)),
  };
  const id = formMessageId(account, state.id);
  const subject = context.addresses.key(account, `form confirmations/${accepted.to_key}`);
  const slot = await takeSlot(context, [subject], { message_id: id, channel: 'email', caps: [MAIL_CAP] });
  if (slot !== 'taken' && slot !== 'had') return null;
  await context.decide(message, messageStream(id), { type: 'Accept', acceptance, now: context.now });
  return id;
}

/** The email that was submitted; null once the person is erased. */
function emailOf(fields: readonly { readonly key: string; readonly maps_to: string | null }[], values: Readonly<Record<string, unknown>>) {
  const value = ownField(values, fields.find(({ maps_to }) => maps_to === 'email')?.key ?? '');
  return typeof value === 'string' ? value : null;
}

/** Content of the mail. Transactional: it contains nothing but the confirmation. `sender`: the name of the account. */
function formConfirmationMail(title: string, sender: string, url: string, language: Language) {
  const texts = formConfirmationTexts[language];
  const [name, from] = [oneLine(title), oneLine(sender)];
  const lines = [texts.ask(name, from), texts.how, url, texts.ignore];
  const [ask, how, link, ignore] = lines.map(escapeHtml);
  return {
    subject: texts.subject(name).slice(0, 200),
    message: `${lines.join('\n\n')}\n\n${from}\n`,
    html: `<!doctype html><html lang="${language}"><body><p>${ask}</p><p>${how}</p><p><a href="${link}">${link}</a></p><p>${ignore}</p><p>${escapeHtml(from)}</p></body></html>`,
    category: 'transactional' as const,
  };
}

const oneLine = (given: string): string => given.replace(/\p{Cc}+/gu, ' ').trim();
