import Type from 'typebox';
import { confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { notFound } from '../../domain/kernel/errors.js';
import { type Language, languageSchema } from '../../domain/kernel/languages.js';
import { annotate, optional, record } from '../../domain/kernel/schema.js';
import { type ConfirmationRequest, verifyConfirmationToken } from '../../formats/lists/confirmation-link.js';
import { confirmationTexts } from '../../formats/lists/confirmation-texts.js';
import { loadSender, type Sender } from '../../log/accounts/load-sender.js';
import { loadConfirmation } from '../../log/lists/load-confirmation.js';
import { loadListAccount } from '../../log/lists/load-list.js';
import { formBodies } from '../kernel/body/form-body.js';
import { html } from '../kernel/html.js';
import { errorPageOf, htmlPage, preferredLanguage } from '../kernel/html-page.js';
import { type AnyRoute, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';

const MAX_FORM_BYTES = 64 * 1024;
const MAX_USER_AGENT_LENGTH = 1_024;
const shared = {
  tag: 'lists',
  access: 'public',
  limit: 'public',
  path: '/v1/public/lists/confirm/:token',
  params: record({ token: Type.String({ description: 'From the link in the mail.' }) }),
} as const;

/** The page that the link in a confirmation mail opens. */
export function confirmationRoutes({ log, clock, purposeKey }: Services): AnyRoute[] {
  const key = purposeKey('list-confirmation');

  /** What a link is for and whose it is, also after it has expired. Null for a forged one. */
  async function read(token: string): Promise<{ request: ConfirmationRequest; account: string } | null> {
    const request = verifyConfirmationToken(token, key);
    const account = request && (await loadListAccount(log, request.list_id));
    return request && account !== null ? { request, account } : null;
  }

  /** Throws `not_found`. The response does not repeat the token, because it is a credential. */
  async function opened(token: string): Promise<{ request: ConfirmationRequest; account: string }> {
    const link = await read(token);
    if (!link) throw notFound('confirmation', '');
    return link;
  }

  const senderOf = async (token: string): Promise<Sender | null> => {
    const link = await read(token);
    return link && loadSender(log, link.account);
  };
  const common = { ...shared, errorPage: errorPageOf(senderOf) };

  const show = route({
    ...common,
    method: 'GET',
    operationId: 'showListConfirmation',
    summary: 'Show the page to confirm a subscription',
    description: 'Shows the list and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token }, headers }) {
      const { request, account } = await opened(token);
      const { list, membership } = await loadConfirmation(log, account, request, new Date(clock.now()).toISOString());
      const sender = await loadSender(log, account);
      const language = preferredLanguage(headers, sender?.locale);
      if (membership.status === 'subscribed') return confirmedPage(list.name, sender, language);
      const texts = confirmationTexts[language];
      const body = html`${sender === null ? null : html`<p>${texts.ask(list.name, sender.name)}</p>`}
<p>${texts.consent(list.name)}</p>
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
    operationId: 'confirmListMembership',
    summary: 'Confirm a subscription',
    description:
      'Sent by the button of the page. It works once, within 72 hours; repeating it changes nothing. The consent is stored with its proof.',
    body: record({ language: optional(annotate(languageSchema, { description: 'Language of the page: its text is the proof of the consent.' })) }),
    optionalBody: true,
    bodyLimit: MAX_FORM_BYTES,
    bodyTypes: formBodies,
    responses: { 200: { description: 'Subscribed; a page that confirms it.' } },
    errors: ['not_found', 'conflict'],
    async handle({ params: { token }, body, ip, headers, execute }) {
      const { request, account } = await opened(token);
      const sender = await loadSender(log, account);
      const language = body?.language ?? preferredLanguage(headers, sender?.locale);
      const agent = headers['user-agent'];
      const user_agent = typeof agent === 'string' && agent !== '' ? agent.slice(0, MAX_USER_AGENT_LENGTH) : null;
      const { output } = await execute(confirmSubscription, { ...request, ip: ip || null, user_agent, language }, account);
      return confirmedPage(output.list.name, sender, language);
    },
  });

  return [show, confirm];
}

function confirmedPage(list: string, sender: Sender | null, language: Language) {
  const { doneTitle, done } = confirmationTexts[language];
  return htmlPage({ title: doneTitle, language, sender, body: html`<p class="status" role="status">${done(list)}</p>` });
}
