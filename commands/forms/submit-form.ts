import { formBasis } from '../../domain/consent/marketing-basis.js';
import type { FormDefinition } from '../../domain/forms/definition.js';
import { formEntry, formEntryStream, repeatedBy } from '../../domain/forms/entry.js';
import { type SubmissionEvent, submissionStream } from '../../domain/forms/submission.js';
import { consentLanguage, formLanguageOf } from '../../domain/forms/translations.js';
import { invalid, isDomainError, notFound } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { type FormAnswer, readAnswers } from '../../formats/forms/read-answers.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { isOwn, loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { loadSender } from '../../log/aggregates/load-sender.js';
import { fingerprint } from '../../log/runtime/ids.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import type { ContactRow } from '../contacts/row-identity.js';
import { type UpsertOutcome, upsertContactRow } from '../contacts/upsert.js';
import { addContactToList } from '../lists/add-to-list.js';
import { toExpected } from '../runtime/append.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { contactOfAnswers, localeOfSubmission } from './contact-of-answers.js';
import { recordFormConsent } from './record-form-consent.js';

/** A submission as the route has read it. */
export interface FormSubmission {
  readonly form_id: string;
  /** The version whose page was filled in; null for the latest one. */
  readonly form_version: number | null;
  /** By the key of the field; anything that a stranger sends. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly consented: boolean;
  /** In which the form was shown: of its consent and of its mail. */
  readonly language: Language;
  /** In which a person has written the answers; null for a program. */
  readonly written: Language | null;
  /** Of the answer. */
  readonly answer_in: Language;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly page: string | null;
  readonly base_url: string | null;
}

export interface AcceptedSubmission {
  readonly submission_id: string;
  readonly status: 'accepted' | 'pending_confirmation';
}

interface PreparedSubmission {
  readonly form: FormDefinition;
  /** In which the form is written. */
  readonly own: Language;
  readonly form_version: number;
  readonly values: Readonly<Record<string, FormAnswer>>;
  readonly row: ContactRow;
}

/**
 * Accepts a submission. Nobody knows who it is from: a contact is found by the email alone and takes values only where it has none, and
 * no address; all that was given is in the submission. The contact, its consent and its memberships are recorded before `FormSubmitted`: whoever sees that event finds
 * them. With double opt-in there are only pending memberships until the confirmation. Throws `not_found` if the form is not live, and
 * `validation_error` with every wrong field.
 */
export const submitForm = internalCommand({
  name: 'SubmitForm',

  handle(input: FormSubmission, context): Promise<AcceptedSubmission> {
    return executeOnce(
      context,
      (prepared) => accept(context, input, prepared),
      () => prepare(context, input),
    );
  },
});

async function prepare(
  context: Context,
  { form_id, form_version, given, consented, language, written, answer_in }: FormSubmission,
): Promise<PreparedSubmission> {
  const { log, cause } = context;
  const found = await findForm(log, form_id);
  if (!isOwn(found, cause.account) || found.form.definition.status !== 'live') throw notFound('form', form_id);
  const latest = found.form;
  const shown = (form_version !== null && (await findForm(log, form_id, { version: form_version }))?.form) || latest;
  // What the person has seen is that of the version; where it leads is that of now.
  const { fields, consent, texts, language: ofVersion } = shown.definition;
  const { language: _, ...others } = latest.definition;
  const form = { ...others, fields, consent, texts, ...(ofVersion && { language: ofVersion }) };
  const account = (await loadSender(log, cause.account))?.locale;
  const own = formLanguageOf(form, account);
  const { values, problems } = readAnswers(form, given, consented, { texts: answer_in, written, own });
  const locale = localeOfSubmission(form, language, account);
  const read = await contactOfAnswers(context, form, values, { only: form.double_opt_in ? 'email' : 'all', locale });
  const refused = 'problems' in read ? read.problems.filter(({ field }) => !problems.some((other) => other.field === field)) : [];
  if (problems.length > 0 || 'problems' in read) throw invalid([...problems, ...refused]);
  return { form, own, form_version: shown.version, values, row: read.row };
}

async function accept(context: Context, input: FormSubmission, prepared: PreparedSubmission): Promise<AcceptedSubmission> {
  const { form, row } = prepared;
  const submission_id = context.newId('fsb');
  const lists = await existing(context, form.list_ids);
  const asked = { double_opt_in: form.double_opt_in, asksConsent: form.consent !== null, consented: input.consented };
  const basis = formBasis(submission_id, asked, lists);
  const who = await upsertContactRow(context, row, { source: 'form', import_id: null, trust: 'none', apart: submission_id, basis });
  const part = context.contextOfPart(`form/${submission_id}`);
  // An email that is somebody else's, as far as is known, joins no list and consents to nothing for them.
  if (form.double_opt_in && who.reach !== 'weak') await requestMemberships(part, lists, who, submission_id);
  else if (!form.double_opt_in && who.reach !== 'weak') {
    await addToLists(part, lists, who, input);
    await consentTo(part, input, prepared, who, submission_id);
    if (basis.of === 'list' && !basis.unconfirmed) await confirmContacts(part, [who.about], { confirmed: null, listed: true, source: 'form' });
  }
  await recordSubmission(context, input, prepared, who, submission_id);
  return { submission_id, status: form.double_opt_in ? 'pending_confirmation' : 'accepted' };
}

/** A pending membership whose confirmation is asked for by the mail of the submission: its id is that of the request. */
async function requestMemberships(
  part: Context,
  lists: readonly ListDetails[],
  { about: contact_id }: UpsertOutcome,
  request_id: string,
): Promise<void> {
  if (lists.length === 0) return;
  const { unified } = await findContact(part.log, part.cause.account, contact_id);
  for (const { id: list_id } of lists) {
    const known = await loadUnifiedMemberships(part.log, unified);
    const request = {
      type: 'Request',
      by: 'account',
      contact_id,
      list_id,
      request_id,
      source: 'form',
      base_url: null,
      unified: known,
      now: part.now,
    } as const;
    await part.decide(membership, membershipStream(contact_id), request);
  }
}

async function addToLists(part: Context, lists: readonly ListDetails[], { about }: UpsertOutcome, { base_url }: FormSubmission): Promise<void> {
  for (const list of lists) {
    const found = await findContact(part.log, part.cause.account, about);
    await addContactToList(part, list, found, { by: 'account', source: 'form', base_url });
  }
}

/** Those of the lists that are not deleted. */
export async function existing({ log, cause }: Context, lists: readonly string[]): Promise<ListDetails[]> {
  const known = await Promise.all(
    lists.map(async (id) => {
      try {
        return await loadList(log, cause.account, id);
      } catch (e) {
        if (isDomainError(e)) return null;
        throw e;
      }
    }),
  );
  return known.filter((one) => one !== null);
}

async function consentTo(
  part: Context,
  input: FormSubmission,
  { form, own }: PreparedSubmission,
  { about }: UpsertOutcome,
  id: string,
): Promise<void> {
  const { consented, language, ip, user_agent, form_id } = input;
  if (!consented || !form.consent) return;
  const { channels, version } = form.consent;
  const shown = { text: shownForm(form, language).consent, language: consentLanguage(form, own, language) };
  const proof = { form_id, text_version: version, ...shown, ip, user_agent };
  await recordFormConsent(part, about, { channels, source: 'form', proof, cause: { kind: 'form', id } });
}

/** Names of what the contact did not take. An email that is somebody else's, as far as is known, joins no list and consents to nothing. */
function notAppliedOf({ fields, list_ids, consent, double_opt_in }: FormDefinition, { reach, not_applied }: UpsertOutcome): string[] {
  // The language of the page is no answer of the person.
  const isAsked = fields.some(({ maps_to }) => maps_to === 'locale');
  const left = not_applied.filter((name) => name !== 'locale' || isAsked);
  if (reach !== 'weak') return left;
  return [...left, ...(list_ids.length > 0 ? ['lists'] : []), ...(consent !== null || double_opt_in ? ['consents'] : [])];
}

/** With the mark of a duplicate, if the same fields came within the last minute. */
async function recordSubmission(
  context: Context,
  input: FormSubmission,
  { form, form_version, values }: PreparedSubmission,
  who: UpsertOutcome,
  id: string,
) {
  const { log, addresses, cause, now } = context;
  const { form_id, consented, language, ip, user_agent, page, base_url } = input;
  const left = notAppliedOf(form, who);
  const key = addresses.key(cause.account, `form/${form_id}/${fingerprint([values, consented])}`);
  await context.attempt(
    async () => {
      const entry = await loadAggregate(log, formEntry, formEntryStream(key));
      const repeated = repeatedBy(entry.state, now);
      const isKnown = async (of: string) => (await log.readSealed(submissionStream(of), { limit: 1 })) !== null;
      // The run that made the entry may have broken off before its submission.
      const duplicate_of = repeated !== null && repeated !== id && (await isKnown(repeated)) ? repeated : null;
      return { entry, duplicate_of, done: cause.key !== undefined && (await isKnown(id)) };
    },
    ({ entry, duplicate_of, done }) => {
      if (done) return { appends: [], result: true };
      const submitted: SubmissionEvent = {
        type: 'FormSubmitted',
        data: {
          ...{ submission_id: id, form_id, contact_id: who.about, form_version, contact_created: who.outcome === 'created' },
          ...{ fields: values, consented: form.consent && consented, language, ip, user_agent, page },
          ...{ duplicate_of, double_opt_in: form.double_opt_in, base_url, at: now },
          ...(left.length > 0 && { not_applied: left }),
        },
      };
      const made = duplicate_of === null ? formEntry.decide({ type: 'Make', submission_id: id, form_id, now }, entry.state) : [];
      const marks = made.length > 0 ? [{ stream: formEntryStream(key), expected: toExpected(entry.revision), events: made }] : [];
      return { appends: [...marks, { stream: submissionStream(id), expected: 'no-stream', events: [submitted] }], result: true };
    },
  );
}
