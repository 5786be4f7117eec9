import { confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import { type ConfirmationRequest, verifyConfirmationToken } from '../../formats/lists/confirmation-link.js';
import { confirmationTexts } from '../../formats/lists/confirmation-texts.js';
import { loadConfirmation } from '../../log/aggregates/lists/load-confirmation.js';
import { loadListAccount } from '../../log/aggregates/lists/load-list.js';
import { loadSender, type Sender } from '../../log/aggregates/load-sender.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { confirmationLink, confirmationPage, confirmationProof, confirmationRequest, confirmedPage } from '../pages/confirmation-page.js';
import { html } from '../pages/html.js';
import { errorPageOf, preferredLanguage } from '../pages/html-page.js';

const shared = { ...confirmationLink, tag: 'lists', path: '/v1/public/lists/confirm/:token' } as const;

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
      if (membership.status === 'subscribed') return donePage(list.name, language, sender);
      const texts = confirmationTexts[language];
      const about = html`${sender === null ? null : html`<p>${texts.ask(list.name, sender.name)}</p>`}
<p>${texts.consent(list.name)}</p>`;
      return confirmationPage(texts, about, language, sender);
    },
  });

  const confirm = route({
    ...common,
    method: 'POST',
    operationId: 'confirmListMembership',
    summary: 'Confirm a subscription',
    description:
      'Sent by the button of the page. It works once, within 72 hours; repeating it changes nothing. The consent is stored with its proof.',
    ...confirmationRequest,
    responses: { 200: { description: 'Subscribed; a page that confirms it.' } },
    errors: ['not_found', 'conflict'],
    async handle({ params: { token }, headers, ip, body, execute }) {
      const { request, account } = await opened(token);
      const sender = await loadSender(log, account);
      const proof = confirmationProof({ headers, ip, body }, sender?.locale);
      const { output } = await execute(confirmSubscription, { ...request, ...proof }, account);
      return donePage(output.list.name, proof.language, sender);
    },
  });

  return [show, confirm];
}

function donePage(list: string, language: Language, sender: Sender | null) {
  const { doneTitle, done } = confirmationTexts[language];
  return confirmedPage(doneTitle, done(list), language, sender);
}
