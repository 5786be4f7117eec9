import Type from 'typebox';
import { confirmFormSubmission } from '../../commands/forms/confirm-form-submission.js';
import { isConfirmable, isErased } from '../../domain/forms/submission.js';
import { notFound } from '../../domain/kernel/errors.js';
import { type Language, languageSchema } from '../../domain/kernel/languages.js';
import { annotate, optional, record } from '../../domain/kernel/schema.js';
import { FORM_CONFIRMATION_PURPOSE, readSubmissionToken } from '../../formats/forms/confirmation-link.js';
import { formConfirmationTexts } from '../../formats/forms/confirmation-texts.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { loadSender, type Sender } from '../../log/accounts/load-sender.js';
import { findForm } from '../../log/forms/load-form.js';
import { type LoadedSubmission, loadSubmission } from '../../log/forms/load-submission.js';
import { formBodies } from '../kernel/body/form-body.js';
import { html } from '../kernel/html.js';
import { errorPageOf, htmlPage, preferredLanguage } from '../kernel/html-page.js';
import { type AnyRoute, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';

const MAX_FORM_BYTES = 64 * 1024;
const MAX_USER_AGENT_LENGTH = 1_024;
const shared = {
  tag: 'forms',
  access: 'public',
  limit: 'public',
  path: '/v1/public/forms/confirm/:token',
  params: record({ token: Type.String({ description: 'From the link in the mail.' }) }),
} as const;

/** The page that the link in a form's confirmation mail opens. */
export function formConfirmationRoutes({ log, clock, purposeKey }: Services): AnyRoute[] {
  const key = purposeKey(FORM_CONFIRMATION_PURPOSE);

  async function read(token: string): Promise<LoadedSubmission | null> {
    const id = readSubmissionToken(token, key);
    return id === null ? null : loadSubmission(log, id);
  }

  /** Throws `not_found` for what is forged, expired or erased. The response does not repeat the token, because it is a credential. */
  async function opened(token: string) {
    const loaded = await read(token);
    const { status } = loaded?.state ?? {};
    const usable = loaded && (status === 'confirmed' || isConfirmable(loaded.state, new Date(clock.now()).toISOString()));
    const erased = loaded && isErased(loaded.submitted);
    const found = usable && !erased ? await findForm(log, loaded.state.form_id, { version: loaded.state.form_version, includeDeleted: true }) : null;
    if (!loaded || !found) throw notFound('confirmation', '');
    return { ...loaded, definition: found.form.definition };
  }

  const senderOf = async (token: string): Promise<Sender | null> => {
    const loaded = await read(token);
    return loaded && loadSender(log, loaded.account);
  };
  const common = { ...shared, errorPage: errorPageOf(senderOf) };

  const show = route({
    ...common,
    method: 'GET',
    operationId: 'showFormConfirmation',
    summary: 'Show the page to confirm a submission of a form',
    description: 'Shows what is confirmed and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token }, headers }) {
      const { account, state, submitted, definition } = await opened(token);
      const sender = await loadSender(log, account);
      const language = preferredLanguage(headers, submitted.language);
      const { title } = shownForm(definition, submitted.language);
      if (state.status === 'confirmed') return confirmedPage(title, sender, language);
      const texts = formConfirmationTexts[language];
      const body = html`<p>${texts.ask(title, sender?.name ?? '')}</p>
<p>${texts.consent(title, sender?.name ?? '')}</p>
<form method="post">
<input type="hidden" name="language" value="${language}">
<p><button type="submit">${texts.button}</button></p>
</form>
<p>${texts.ignorePage}</p>`;
      return htmlPage({ title: texts.title, language, sender, body });
    },
  });

  const confirm = route({
    ...common,
    method: 'POST',
    operationId: 'confirmFormSubmission',
    summary: 'Confirm a submission of a form',
    description:
      'Sent by the button of the page. It works once, within 72 hours; repeating it changes nothing. The consent is stored with both proofs.',
    body: record({ language: optional(annotate(languageSchema, { description: 'Language of the page: its text is a proof of the consent.' })) }),
    optionalBody: true,
    bodyLimit: MAX_FORM_BYTES,
    bodyTypes: formBodies,
    responses: { 200: { description: 'Confirmed; a page that says so.' } },
    errors: ['not_found', 'conflict'],
    async handle({ params: { token }, body, ip, headers, execute }) {
      const { account, state, submitted, definition } = await opened(token);
      const sender = await loadSender(log, account);
      const language = body?.language ?? preferredLanguage(headers, submitted.language);
      const agent = headers['user-agent'];
      const user_agent = typeof agent === 'string' && agent !== '' ? agent.slice(0, MAX_USER_AGENT_LENGTH) : null;
      await execute(confirmFormSubmission, { submission_id: state.id, ip: ip || null, user_agent, language }, account);
      return confirmedPage(shownForm(definition, submitted.language).title, sender, language);
    },
  });

  return [show, confirm];
}

function confirmedPage(form: string, sender: Sender | null, language: Language) {
  const { doneTitle, done } = formConfirmationTexts[language];
  return htmlPage({ title: doneTitle, language, sender, body: html`<p class="status" role="status">${done(form)}</p>` });
}
