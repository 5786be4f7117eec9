import { confirmFormSubmission } from '../../commands/forms/confirm-form-submission.js';
import { isConfirmableSubmission, isErased } from '../../domain/forms/submission.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import { FORM_CONFIRMATION_PURPOSE, readSubmissionToken } from '../../formats/forms/confirmation-link.js';
import { formConfirmationTexts } from '../../formats/forms/confirmation-texts.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { type LoadedSubmission, loadSubmission } from '../../log/aggregates/forms/load-submission.js';
import { loadSender, type Sender } from '../../log/aggregates/load-sender.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { confirmationLink, confirmationPage, confirmationProof, confirmationRequest, confirmedPage } from '../pages/confirmation-page.js';
import { html } from '../pages/html.js';
import { errorPageOf } from '../pages/html-page.js';
import { pageLanguage } from '../pages/page-language.js';

/** The page that the link in a form's confirmation mail opens. */
export const formConfirmationRoutes = (services: Services): AnyRoute[] => [showFormConfirmationRoute(services), confirmFormSubmissionRoute(services)];

const common = (services: Services) =>
  ({
    ...confirmationLink,
    tag: 'forms',
    path: '/v1/public/forms/confirm/:token',
    errorPage: errorPageOf(async (token) => {
      const loaded = await readSubmission(services, token);
      return loaded && loadSender(services.log, loaded.account);
    }),
  }) as const;

const showFormConfirmationRoute = (services: Services) =>
  route({
    ...common(services),
    method: 'GET',
    operationId: 'showFormConfirmation',
    summary: 'Show the page to confirm a submission of a form',
    description: 'Shows what is confirmed and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token }, headers, query }) {
      const { account, state, submitted, definition } = await openedSubmission(services, token);
      const sender = await loadSender(services.log, account);
      const language = pageLanguage({ headers, query }, { known: submitted.language });
      const { title } = shownForm(definition, submitted.language);
      if (state.status === 'confirmed') return donePage(title, language, sender);
      const texts = formConfirmationTexts[language];
      const about = html`<p>${texts.ask(title, sender?.name ?? '')}</p>
<p>${texts.consent(title, sender?.name ?? '')}</p>`;
      return confirmationPage(texts, about, language, sender);
    },
  });

const confirmFormSubmissionRoute = (services: Services) =>
  route({
    ...common(services),
    method: 'POST',
    operationId: 'confirmFormSubmission',
    summary: 'Confirm a submission of a form',
    description:
      'Sent by the button of the page. It works once, within 72 hours; repeating it changes nothing. The consent is stored with both proofs.',
    ...confirmationRequest,
    responses: { 200: { description: 'Confirmed; a page that says so.' } },
    errors: ['not_found', 'conflict'],
    async handle({ params: { token }, headers, query, ip, body, execute }) {
      const { account, state, submitted, definition } = await openedSubmission(services, token);
      const proof = confirmationProof({ headers, query, ip, body }, { known: submitted.language });
      const { output } = await execute(confirmFormSubmission, { submission_id: state.id, ...proof }, account);
      return donePage(shownForm(definition, submitted.language).title, proof.language, output.sender);
    },
  });

async function readSubmission({ log, purposeKey }: Services, token: string): Promise<LoadedSubmission | null> {
  const id = readSubmissionToken(token, purposeKey(FORM_CONFIRMATION_PURPOSE));
  return id === null ? null : loadSubmission(log, id);
}

/** Throws `not_found` for what is forged, expired or erased. The response does not repeat the token, because it is a credential. */
async function openedSubmission(services: Services, token: string) {
  const { log, clock } = services;
  const loaded = await readSubmission(services, token);
  const { status } = loaded?.state ?? {};
  const usable = loaded && (status === 'confirmed' || isConfirmableSubmission(loaded.state, new Date(clock.now()).toISOString()));
  const erased = loaded && isErased(loaded.submitted);
  const found = usable && !erased ? await findForm(log, loaded.state.form_id, { version: loaded.state.form_version, includeDeleted: true }) : null;
  if (!loaded || !found) throw notFound('confirmation', '');
  return { ...loaded, definition: found.form.definition };
}

function donePage(form: string, language: Language, sender: Sender | null) {
  const { doneTitle, done } = formConfirmationTexts[language];
  return confirmedPage(doneTitle, done(form), language, sender);
}
