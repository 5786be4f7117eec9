import Type from 'typebox';
import { CONFIRMATION_TEXT, confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { notFound } from '../../domain/kernel/errors.js';
import { record } from '../../domain/kernel/schema.js';
import { type ConfirmationRequest, verifyConfirmationToken } from '../../formats/lists/confirmation-link.js';
import { loadConfirmation } from '../../log/lists/load-confirmation.js';
import { loadListAccount } from '../../log/lists/load-list.js';
import { formBodies } from '../kernel/body/form-body.js';
import { html } from '../kernel/html.js';
import { errorPage, htmlPage } from '../kernel/html-page.js';
import { type AnyRoute, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';

const MAX_FORM_BYTES = 64 * 1024;
const MAX_USER_AGENT_LENGTH = 1_024;
const common = {
  tag: 'lists',
  access: 'public',
  limit: 'public',
  path: '/v1/public/lists/confirm/:token',
  params: record({ token: Type.String({ description: 'From the link in the mail.' }) }),
  errorPage: errorPage,
} as const;

/** The page that the link in a confirmation mail opens. */
export function confirmationRoutes({ log, clock, purposeKey }: Services): AnyRoute[] {
  const key = purposeKey('list-confirmation');

  /** Throws `not_found`. The response does not repeat the token, because it is a credential. */
  async function opened(token: string): Promise<{ request: ConfirmationRequest; account: string }> {
    const request = verifyConfirmationToken(token, key);
    const account = request && (await loadListAccount(log, request.list_id));
    if (!request || account === null) throw notFound('confirmation', '');
    return { request, account };
  }

  const show = route({
    ...common,
    method: 'GET',
    operationId: 'showListConfirmation',
    summary: 'Show the page to confirm a subscription',
    description: 'Shows the list and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token } }) {
      const { request, account } = await opened(token);
      const { list, membership } = await loadConfirmation(log, account, request, new Date(clock.now()).toISOString());
      if (membership.status === 'subscribed') return confirmedPage(list.name);
      const body = html`<p>${CONFIRMATION_TEXT.text(list.name)}</p>
<form method="post">
<p><button type="submit">Confirm</button></p>
</form>
<p>If you did not ask for this, close this page: you will not be written to.</p>`;
      return htmlPage({ title: 'Please confirm', sender: null, body });
    },
  });

  const confirm = route({
    ...common,
    method: 'POST',
    operationId: 'confirmListMembership',
    summary: 'Confirm a subscription',
    description:
      'Sent by the button of the page. It works once, within 72 hours; repeating it changes nothing. The consent is stored with its proof.',
    body: record({}),
    optionalBody: true,
    bodyLimit: MAX_FORM_BYTES,
    bodyTypes: formBodies,
    responses: { 200: { description: 'Subscribed; a page that confirms it.' } },
    errors: ['not_found', 'conflict'],
    async handle({ params: { token }, ip, headers, execute }) {
      const { request, account } = await opened(token);
      const agent = headers['user-agent'];
      const user_agent = typeof agent === 'string' && agent !== '' ? agent.slice(0, MAX_USER_AGENT_LENGTH) : null;
      const { output } = await execute(confirmSubscription, { ...request, ip: ip || null, user_agent }, account);
      return confirmedPage(output.list.name);
    },
  });

  return [show, confirm];
}

const confirmedPage = (list: string) =>
  htmlPage({
    title: 'You are on the list',
    sender: null,
    body: html`<p class="status" role="status">Done. You will receive “${list}” by email.</p>`,
  });
