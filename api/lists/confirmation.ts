import { confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import { type ConfirmationRequest, verifyConfirmationToken } from '../../formats/lists/confirmation-link.js';
import { confirmationTexts } from '../../formats/lists/confirmation-texts.js';
import { loadContactLanguage } from '../../log/aggregates/contacts/contact-language.js';
import { loadConfirmation } from '../../log/aggregates/lists/load-confirmation.js';
import { loadListAccount } from '../../log/aggregates/lists/load-list.js';
import { loadSender, type Sender } from '../../log/aggregates/load-sender.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { confirmationLink, confirmationPage, confirmationProof, confirmationRequest, confirmedPage } from '../pages/confirmation-page.js';
import { html } from '../pages/html.js';
import { errorPageOf } from '../pages/html-page.js';
import { pageLanguage } from '../pages/page-language.js';

/** What a confirmation link is for, and whose it is. */
interface ConfirmationLink {
  readonly request: ConfirmationRequest;
  readonly account: string;
}

/** The page that the link in a confirmation mail opens. */
export const confirmationRoutes = (services: Services): AnyRoute[] => [showListConfirmationRoute(services), confirmListMembershipRoute(services)];

const common = (services: Services) =>
  ({
    ...confirmationLink,
    tag: 'lists',
    path: '/v1/public/lists/confirm/:token',
    errorPage: errorPageOf(async (token) => {
      const link = await readLink(services, token);
      return link && loadSender(services.log, link.account);
    }),
  }) as const;

const showListConfirmationRoute = (services: Services) =>
  route({
    ...common(services),
    method: 'GET',
    operationId: 'showListConfirmation',
    summary: 'Show the page to confirm a subscription',
    description: 'Shows the list and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token }, headers, query }) {
      const { log, clock } = services;
      const { request, account } = await openedLink(services, token);
      const { list, membership } = await loadConfirmation(log, account, request, new Date(clock.now()).toISOString());
      const sender = await loadSender(log, account);
      const language = pageLanguage({ headers, query }, await languagesFor(services, request, sender));
      if (membership.status === 'subscribed') return donePage(list.name, language, sender);
      const texts = confirmationTexts[language];
      const about = html`${sender === null ? null : html`<p>${texts.ask(list.name, sender.name)}</p>`}
<p>${texts.consent(list.name)}</p>`;
      return confirmationPage(texts, about, language, sender);
    },
  });

const confirmListMembershipRoute = (services: Services) =>
  route({
    ...common(services),
    method: 'POST',
    operationId: 'confirmListMembership',
    summary: 'Confirm a subscription',
    description:
      'Sent by the button of the page. It works once, within 72 hours; repeating it changes nothing. The consent is stored with its proof.',
    ...confirmationRequest,
    responses: { 200: { description: 'Subscribed; a page that confirms it.' } },
    errors: ['not_found', 'conflict'],
    async handle({ params: { token }, headers, query, ip, body, execute }) {
      const { request, account } = await openedLink(services, token);
      const sender = await loadSender(services.log, account);
      const proof = confirmationProof({ headers, query, ip, body }, await languagesFor(services, request, sender));
      const { output } = await execute(confirmSubscription, { ...request, ...proof }, account);
      return donePage(output.list.name, proof.language, sender);
    },
  });

/** The page is in the language of its mail, if that was known; a browser knows better than the account. */
const languagesFor = async ({ log }: Services, { contact_id }: ConfirmationRequest, sender: Sender | null) => ({
  known: await loadContactLanguage(log, contact_id),
  fallback: sender?.locale,
});

/** Also after it has expired. Null for a forged one. */
async function readLink({ log, purposeKey }: Services, token: string): Promise<ConfirmationLink | null> {
  const request = verifyConfirmationToken(token, purposeKey('list-confirmation'));
  const account = request && (await loadListAccount(log, request.list_id));
  return request && account !== null ? { request, account } : null;
}

/** Throws `not_found`. The response does not repeat the token, because it is a credential. */
async function openedLink(services: Services, token: string): Promise<ConfirmationLink> {
  const link = await readLink(services, token);
  if (!link) throw notFound('confirmation', '');
  return link;
}

function donePage(list: string, language: Language, sender: Sender | null) {
  const { doneTitle, done } = confirmationTexts[language];
  return confirmedPage(doneTitle, done(list), language, sender);
}
