import { formBasis } from '../../domain/consent/marketing-basis.js';
import { isConfirmableSubmission, isErased, submission, submissionStream } from '../../domain/forms/submission.js';
import { consentLanguage, formLanguageOf } from '../../domain/forms/translations.js';
import { notFound } from '../../domain/kernel/errors.js';
import { type Language, languageSchema } from '../../domain/kernel/languages.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { FORM_CONFIRMATION_VERSION, formConfirmationTexts } from '../../formats/forms/confirmation-texts.js';
import type { FormAnswer } from '../../formats/forms/read-answers.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { type LoadedSubmission, loadSubmission } from '../../log/aggregates/forms/load-submission.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { isOwn } from '../../log/aggregates/load-aggregate.js';
import { loadSender, type Sender } from '../../log/aggregates/load-sender.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import { upsertContactRow } from '../contacts/upsert.js';
import { type Context, command } from '../runtime/command.js';
import { liftOptOut } from '../suppressions/lift-opt-out.js';
import { contactOfAnswers, localeOfSubmission } from './contact-of-answers.js';
import { recordFormConsent } from './record-form-consent.js';
import { formMessageId } from './send-form-confirmation.js';
import { existing } from './submit-form.js';

type Form = NonNullable<Awaited<ReturnType<typeof findForm>>>['form'];

/**
 * Confirms a submission by the button on the page that its mail leads to: the contact takes the answers but no address, joins the lists, and consents,
 * with the form's text and that of the page as proofs. Its own earlier opt-out from marketing email is lifted. It works once; throws
 * `not_found` for a link that has expired or whose person is erased.
 */
export const confirmFormSubmission = command({
  name: 'ConfirmFormSubmission',
  input: record({ submission_id: text, ip: nullable(text), user_agent: nullable(text), language: languageSchema }),

  handle({ submission_id, ip, user_agent, language }, context): Promise<{ changed: boolean; sender: Sender | null }> {
    return context.exclusively([submission_id], async () => {
      const loaded = await loadSubmission(context.log, submission_id);
      if (!isOwn(loaded, context.cause.account) || isErased(loaded.submitted)) throw notFound('confirmation', '');
      const sender = await loadSender(context.log, loaded.account);
      if (loaded.state.status === 'confirmed') return { changed: false, sender };
      const found = await findForm(context.log, loaded.state.form_id, { version: loaded.state.form_version, includeDeleted: true });
      if (!isConfirmableSubmission(loaded.state, context.now) || !found) throw notFound('confirmation', '');
      const { title } = shownForm(found.form.definition, loaded.submitted.language);
      const shown = formConfirmationTexts[language].consent(title, sender?.name ?? '');
      // The submission last: after a crash in between the link still works.
      const part = context.contextOfPart(`form/${submission_id}/confirmed`);
      await apply(part, loaded, found.form, { ip, user_agent, text: shown, language, locale: sender?.locale });
      const confirm = { type: 'Confirm', ip, user_agent, text: shown, now: context.now } as const;
      const { position } = await context.decide(submission, submissionStream(submission_id), confirm);
      return { changed: position !== null, sender };
    });
  },
});

interface Confirmation {
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** What the page said, and in which language. */
  readonly text: string;
  readonly language: Language;
  /** That of the account. */
  readonly locale: Language | undefined;
}

async function apply(part: Context, loaded: LoadedSubmission, { definition }: Form, by: Confirmation): Promise<void> {
  const { submitted } = loaded;
  const locale = localeOfSubmission(definition, submitted.language, by.locale);
  const read = await contactOfAnswers(part, definition, submitted.fields as Record<string, FormAnswer>, { only: 'all', locale });
  // Where a custom field has changed since, its value is left out.
  const row = 'row' in read ? read.row : await emailOnly(part, definition, submitted.fields as Record<string, FormAnswer>);
  const lists = await existing(part, definition.list_ids);
  const asked = { double_opt_in: false, asksConsent: definition.consent !== null, consented: submitted.consented === true };
  const { unconfirmed: _, ...basis } = formBasis(loaded.state.id, asked, lists);
  const ofForm = { source: 'form', import_id: null, trust: 'confirmed', apart: loaded.state.id } as const;
  const { about, reach } = await upsertContactRow(part, row, { ...ofForm, basis });
  const own = reach === 'weak' ? null : about;
  if (definition.consent || lists.length > 0) await grant(part, loaded, definition, own, by);
  if (own === null) return;
  // From here on it may be written to and start journeys, so its fields and consents come before, and its lists after.
  const confirmed = { by: 'link', of: { kind: 'form', id: loaded.state.id } } as const;
  await confirmContacts(part, [own], { confirmed, listed: basis.of === 'list', source: 'form' });
  await subscribe(part, own, lists);
}

/**
 * A person who left the box of the form empty confirms the submission alone. So does one who was asked for no consent and joins no list.
 * Without a contact only the opt-out of the address is lifted.
 */
async function grant(
  part: Context,
  { state, submitted, account }: LoadedSubmission,
  definition: Form['definition'],
  about: string | null,
  { locale, ...by }: Confirmation,
) {
  const { form_id, id } = state;
  if (definition.consent && !submitted.consented) return;
  const message_id = state.message_id ?? formMessageId(account, id);
  const channels = definition.consent?.channels ?? (['email'] as const);
  if (definition.consent && about !== null) {
    const { ip, user_agent, language } = submitted;
    const own = formLanguageOf(definition, locale);
    const shown = { text: shownForm(definition, language).consent, language: consentLanguage(definition, own, language) };
    const proof = { form_id, text_version: definition.consent.version, ...shown, ip, user_agent };
    await recordFormConsent(part, about, { channels, source: 'form', proof, cause: { kind: 'form', id } });
  }
  const proof = { form_id, text_version: FORM_CONFIRMATION_VERSION, ...by };
  if (about !== null) await recordFormConsent(part, about, { channels, source: 'double_opt_in', proof, cause: { kind: 'message', id: message_id } });
  if (channels.includes('email')) await liftOptOut(part, { message_id, proof: by.text });
}

async function emailOnly(part: Context, definition: Form['definition'], values: Record<string, FormAnswer>) {
  const read = await contactOfAnswers(part, definition, values, { only: 'email', locale: null });
  if ('problems' in read) throw notFound('confirmation', '');
  return read.row;
}

/** The person's own act, so it subscribes again, too. */
async function subscribe(part: Context, contact_id: string, lists: readonly ListDetails[]): Promise<void> {
  for (const { id: list_id } of lists) {
    const { unified } = await findContact(part.log, part.cause.account, contact_id);
    const known = await loadUnifiedMemberships(part.log, unified);
    const join = { type: 'Subscribe', by: 'person', contact_id, list_id, source: 'form', unified: known, now: part.now } as const;
    await part.decide(membership, membershipStream(contact_id), join);
  }
}
