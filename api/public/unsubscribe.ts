import type { IncomingHttpHeaders } from 'node:http';
import Type from 'typebox';
import { withRule } from '../../commands/runtime/rules.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { isOptedOut, type SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { preferencesPath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { formBodies } from '../http/body/form-body.js';
import { type AnyRoute, type HttpResponse, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { html } from '../pages/html.js';
import { errorPage, htmlPage } from '../pages/html-page.js';
import { type LinkRecipient, recipientResolver, textsFor } from './recipient.js';

export const MAX_FORM_BYTES = 64 * 1024;
export const tokenParams = record({ token: Type.String({ description: 'From a link in a message.' }) });
export const unsubscribeRouteDefaults = {
  tag: 'suppressions',
  access: 'public',
  limit: 'public',
  params: tokenParams,
  errorPage: errorPage,
} as const;

const ONE_CLICK_REQUIRED = { field: 'List-Unsubscribe', code: 'required', message: 'Send One-Click.' };
const unsubscribeForm = withRule(
  record({
    'List-Unsubscribe': optional(Type.String({ description: '`One-Click`.' })),
    from: optional(Type.String({ description: '`page` if the button of the page was pressed.' })),
  }),
  (form) => (form['List-Unsubscribe'] === 'One-Click' ? [] : [ONE_CLICK_REQUIRED]),
);

/** The pages behind `List-Unsubscribe`. */
export function unsubscribeRoutes(services: Services): AnyRoute[] {
  const readerOf = recipientResolver(services);

  return [showUnsubscribePageRoute(services, readerOf), unsubscribeRoute(readerOf)];
}

const showUnsubscribePageRoute = (services: Services, readerOf: ReturnType<typeof recipientResolver>) =>
  route({
    ...unsubscribeRouteDefaults,
    method: 'GET',
    path: '/v1/public/unsubscribe/:token',
    operationId: 'showUnsubscribePage',
    summary: 'Show the page to unsubscribe',
    description: 'Shows the sender, and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token }, headers }) {
      const reader = await readerOf(token);
      const states = await Promise.all(reader.address_keys.map((key) => loadSuppression(services.log, key)));
      const out = states.some((state) => isOptedOut(state, reader.channel));
      return out ? alreadyUnsubscribedPage(reader, token, headers) : questionPage(reader, token, headers);
    },
  });

const unsubscribeRoute = (readerOf: ReturnType<typeof recipientResolver>) =>
  route({
    ...unsubscribeRouteDefaults,
    method: 'POST',
    path: '/v1/public/unsubscribe/:token',
    operationId: 'unsubscribe',
    summary: 'Unsubscribe with one click',
    description:
      'Sent by mail programs for `List-Unsubscribe-Post` (RFC 8058), and by the button of the page: the field `List-Unsubscribe=One-Click`, as a form of either media type. Effective at once, without redirect or sign-in; repeating it changes nothing. The link of a test message changes nothing.',
    body: unsubscribeForm,
    bodyLimit: MAX_FORM_BYTES,
    bodyTypes: formBodies,
    responses: { 200: { description: 'Unsubscribed; a page that confirms it.' } },
    errors: ['invalid_parameter', 'not_found'],
    async handle({ params: { token }, body, headers, execute }) {
      const reader = await readerOf(token);
      if (body['List-Unsubscribe'] !== 'One-Click') {
        throw new DomainError('invalid_parameter', 'Send the field List-Unsubscribe=One-Click.', { errors: [ONE_CLICK_REQUIRED] });
      }
      if (reader.test) return unsubscribedPage(reader, token, headers);
      const { account, address, address_key, message_id, list_id } = reader;
      const via = body.from === 'page' ? 'page' : 'one_click';
      const optOut = { address, address_key, reason: 'unsubscribed', source: via, via, message_id, ...(list_id !== null && { list_id }) } as const;
      await execute(suppressAddress, { ...optOut, channel: reader.channel as SuppressionChannel }, account);
      return unsubscribedPage(reader, token, headers);
    },
  });

function questionPage(reader: LinkRecipient, token: string, headers: IncomingHttpHeaders): HttpResponse {
  const { language, texts, what, sender, address } = textsFor(reader, headers);
  const body = html`<p>${texts.unsubscribeAsk(what, sender)} <strong>${address}</strong></p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<input type="hidden" name="from" value="page">
<p><button type="submit">${texts.unsubscribeButton}</button></p>
</form>
<p>${texts.stillSent}</p>
<p>${texts.orChoose} <a href="${preferencesPath(token)}">${texts.choose}</a></p>`;
  return htmlPage({ title: texts.unsubscribeTitle, language, sender: reader.sender, body });
}

function alreadyUnsubscribedPage(reader: LinkRecipient, token: string, headers: IncomingHttpHeaders): HttpResponse {
  const { language, texts, what, sender, address } = textsFor(reader, headers);
  const body = html`<p>${texts.already(what, sender)} <strong>${address}</strong></p>
<p>${texts.changedMind} <a href="${preferencesPath(token)}">${texts.choose}</a></p>`;
  return htmlPage({ title: texts.doneTitle, language, sender: reader.sender, body });
}

function unsubscribedPage(reader: LinkRecipient, token: string, headers: IncomingHttpHeaders): HttpResponse {
  const { language, texts, what, sender, address } = textsFor(reader, headers);
  const done = reader.test ? html`${texts.testMessage}` : html`${texts.done(what, sender)} <strong>${address}</strong>`;
  const body = html`<p class="status" role="status">${done}</p>
<p>${texts.stillSent}</p>
<p>${texts.mistake} <a href="${preferencesPath(token)}">${texts.choose}</a></p>`;
  return htmlPage({ title: texts.doneTitle, language, sender: reader.sender, body });
}
