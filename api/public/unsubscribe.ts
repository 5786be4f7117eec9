import Type from 'typebox';
import { withRule } from '../../commands/rules.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { isOptedOut, type SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { preferencesPath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { loadSuppression } from '../../log/suppressions/load-suppression.js';
import { formBodies } from '../kernel/body/form-body.js';
import { html } from '../kernel/html.js';
import { errorPage, htmlPage } from '../kernel/html-page.js';
import { type AnyRoute, type HttpResponse, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { channelLabels, maskAddress, type PublicDependencies, type Recipient, recipientResolver } from './recipient.js';

export const MAX_FORM_BYTES = 64 * 1024;
export const tokenParams = record({ token: Type.String({ description: 'From a link in a message.' }) });
export const common = { tag: 'suppressions', access: 'public', limit: 'public', params: tokenParams, errorPage: errorPage } as const;

const ONE_CLICK_REQUIRED = { field: 'List-Unsubscribe', code: 'required', message: 'Send One-Click.' };
const unsubscribeForm = withRule(
  record({
    'List-Unsubscribe': optional(Type.String({ description: '`One-Click`.' })),
    from: optional(Type.String({ description: '`page` if the button of the page was pressed.' })),
  }),
  (form) => (form['List-Unsubscribe'] === 'One-Click' ? [] : [ONE_CLICK_REQUIRED]),
);

/** The pages behind `List-Unsubscribe`. */
export function unsubscribeRoutes(services: Services, parts: PublicDependencies): AnyRoute[] {
  const readerOf = recipientResolver(services, parts);

  const show = route({
    ...common,
    method: 'GET',
    path: '/v1/public/unsubscribe/:token',
    operationId: 'showUnsubscribePage',
    summary: 'Show the page to unsubscribe',
    description: 'Shows the sender, and a button. Opening it changes nothing, because mail scanners open every link.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token } }) {
      const reader = await readerOf(token);
      const out = isOptedOut(await loadSuppression(services.log, reader.address_key), reader.channel);
      return out ? alreadyUnsubscribedPage(reader, token) : questionPage(reader, token);
    },
  });

  const unsubscribe = route({
    ...common,
    method: 'POST',
    path: '/v1/public/unsubscribe/:token',
    operationId: 'unsubscribe',
    summary: 'Unsubscribe with one click',
    description:
      'Sent by mail programs for `List-Unsubscribe-Post` (RFC 8058), and by the button of the page: the field `List-Unsubscribe=One-Click`, as a form of either media type. Effective at once, without redirect or sign-in; repeating it changes nothing.',
    body: unsubscribeForm,
    bodyLimit: MAX_FORM_BYTES,
    bodyTypes: formBodies,
    responses: { 200: { description: 'Unsubscribed; a page that confirms it.' } },
    errors: ['invalid_parameter', 'not_found'],
    async handle({ params: { token }, body, execute }) {
      const reader = await readerOf(token);
      if (body['List-Unsubscribe'] !== 'One-Click') {
        throw new DomainError('invalid_parameter', 'Send the field List-Unsubscribe=One-Click.', { errors: [ONE_CLICK_REQUIRED] });
      }
      const { account, address, address_key, message_id, list_id } = reader;
      const via = body.from === 'page' ? 'page' : 'one_click';
      const optOut = { address, address_key, reason: 'unsubscribed', source: via, via, message_id, ...(list_id !== null && { list_id }) } as const;
      await execute(suppressAddress, { ...optOut, channel: reader.channel as SuppressionChannel }, account);
      return unsubscribedPage(reader, token);
    },
  });

  return [show, unsubscribe];
}

const labelOf = ({ channel }: Recipient): string => channelLabels[channel as ChannelName];
const senderOf = ({ accountName }: Recipient): string => accountName ?? 'this sender';
const addressOf = ({ address }: Recipient): string => (address === null ? 'your address' : maskAddress(address));

function questionPage(reader: Recipient, token: string): HttpResponse {
  const { accountName: sender } = reader;
  const body = html`<p>${labelOf(reader)} from ${senderOf(reader)} will no longer come to <strong>${addressOf(reader)}</strong>.</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<input type="hidden" name="from" value="page">
<p><button type="submit">Unsubscribe</button></p>
</form>
<p>Or <a href="${preferencesPath(token)}">choose what you receive</a>.</p>`;
  return htmlPage({ title: 'Unsubscribe?', sender, body });
}

function alreadyUnsubscribedPage(reader: Recipient, token: string): HttpResponse {
  const body = html`<p>${labelOf(reader)} from ${senderOf(reader)} does not come to <strong>${addressOf(reader)}</strong> any more.</p>
<p>Changed your mind? <a href="${preferencesPath(token)}">Choose what you receive</a>.</p>`;
  return htmlPage({ title: 'You are unsubscribed', sender: reader.accountName, body });
}

function unsubscribedPage(reader: Recipient, token: string): HttpResponse {
  const body = html`<p class="status" role="status">Done. ${labelOf(reader)} from ${senderOf(reader)} will no longer come to <strong>${addressOf(reader)}</strong>.</p>
<p>Was that a mistake? <a href="${preferencesPath(token)}">Choose what you receive</a>.</p>`;
  return htmlPage({ title: 'You are unsubscribed', sender: reader.accountName, body });
}
