import Type from 'typebox';
import { suppressionOf } from '../../commands/suppressions/standing.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { preferencesPath } from '../../commands/suppressions/unsubscribe-tokens.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import type { ChannelName } from '../../domain/messages/channels.js';
import { isOptedOut, type SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { html } from '../docs/html.js';
import { formBodies } from '../kernel/form-body.js';
import { page, refusalPage } from '../kernel/page.js';
import { type Answer, type AnyRoute, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { channelLabels, masked, type PublicParts, type Reader, readers } from './reader.js';

export const FORM_BYTES = 64 * 1024;
export const ofToken = record({ token: Type.String({ description: 'From a link in a message.' }) });
export const common = { tag: 'suppressions', access: 'public', limit: 'public', params: ofToken, errorPage: refusalPage } as const;

/** The pages behind `List-Unsubscribe`. */
export function unsubscribeRoutes(services: Services, parts: PublicParts): AnyRoute[] {
  const readerOf = readers(services, parts);

  const show = route({
    ...common,
    method: 'GET',
    path: '/v1/public/unsubscribe/:token',
    summary: 'The page to unsubscribe',
    description: 'Shows who would no longer write, and a button. Opening it changes nothing, since scanners of mail open every link.',
    answers: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token } }) {
      const reader = await readerOf(token);
      const out = isOptedOut(await suppressionOf(services.log, reader.address_key), reader.channel);
      return out ? already(reader, token) : question(reader, token);
    },
  });

  const unsubscribe = route({
    ...common,
    method: 'POST',
    path: '/v1/public/unsubscribe/:token',
    summary: 'Unsubscribe with one click',
    description:
      'What a mail program sends for `List-Unsubscribe-Post` (RFC 8058), and what the button of the page sends: the field `List-Unsubscribe=One-Click`, as a form of either kind. Done at once, without redirect or sign-in; twice is like once.',
    body: record({
      'List-Unsubscribe': optional(Type.String({ description: '`One-Click`.' })),
      from: optional(Type.String({ description: '`page` where the button of the page was pressed.' })),
    }),
    bodyLimit: FORM_BYTES,
    bodyTypes: formBodies,
    answers: { 200: { description: 'Unsubscribed; a page that says so.' } },
    errors: ['invalid_parameter', 'not_found'],
    example: { 'List-Unsubscribe': 'One-Click' },
    async handle({ params: { token }, body, execute }) {
      const reader = await readerOf(token);
      if (body['List-Unsubscribe'] !== 'One-Click') {
        throw new DomainError('invalid_parameter', 'Send the field List-Unsubscribe=One-Click.', {
          errors: [{ field: 'List-Unsubscribe', code: 'required', message: 'Send One-Click.' }],
        });
      }
      const { account, address, address_key, message_id, list_id } = reader;
      const via = body.from === 'page' ? 'page' : 'one_click';
      const said = { address, address_key, reason: 'unsubscribed', source: via, via, message_id, ...(list_id !== null && { list_id }) } as const;
      await execute(suppressAddress, { ...said, channel: reader.channel as SuppressionChannel }, account);
      return done(reader, token);
    },
  });

  return [show, unsubscribe];
}

const labelOf = ({ channel }: Reader): string => channelLabels[channel as ChannelName];
const senderOf = ({ accountName }: Reader): string => accountName ?? 'this sender';
const addressOf = ({ address }: Reader): string => (address === null ? 'your address' : masked(address));

function question(reader: Reader, token: string): Answer {
  const { accountName: from } = reader;
  const body = html`<p>${labelOf(reader)} from ${senderOf(reader)} will no longer come to <strong>${addressOf(reader)}</strong>.</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<input type="hidden" name="from" value="page">
<p><button type="submit">Unsubscribe</button></p>
</form>
<p>Or <a href="${preferencesPath(token)}">choose what you receive</a>.</p>`;
  return page({ title: 'Unsubscribe?', from, body });
}

function already(reader: Reader, token: string): Answer {
  const body = html`<p>${labelOf(reader)} from ${senderOf(reader)} does not come to <strong>${addressOf(reader)}</strong> any more.</p>
<p>Changed your mind? <a href="${preferencesPath(token)}">Choose what you receive</a>.</p>`;
  return page({ title: 'You are unsubscribed', from: reader.accountName, body });
}

function done(reader: Reader, token: string): Answer {
  const body = html`<p class="status" role="status">Done. ${labelOf(reader)} from ${senderOf(reader)} will no longer come to <strong>${addressOf(reader)}</strong>.</p>
<p>Was that a mistake? <a href="${preferencesPath(token)}">Choose what you receive</a>.</p>`;
  return page({ title: 'You are unsubscribed', from: reader.accountName, body });
}
