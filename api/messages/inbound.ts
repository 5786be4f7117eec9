import Type from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { notFound } from '../../domain/kernel/errors.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { annotate, boundedText, flag, list, named, nullable, oneOf, optional, record, time } from '../../domain/kernel/schema.js';
import { keywordKinds } from '../../domain/messages/keyword-kinds.js';
import { receivedAttachment } from '../../domain/messages/resource.js';
import { receivedMedium } from '../../domain/suppressions/inbound-text.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import { inboundMessages } from '../../projections/messages/inbound-projection.js';
import { type InboundQueries, inboundQueries } from '../../projections/messages/inbound-queries.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { addressFilter, addressFilterOf, textFilter } from '../http/query-parameters.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const anyText = boundedText({});
const maybeText = nullable(anyText);
const described = (description: string) => annotate(maybeText, { description });

export const keywordKindSchema = named('KeywordKind', oneOf(...keywordKinds));

/** A message that a person wrote to the account. */
export const receivedMessage = named(
  'ReceivedMessage',
  record({
    id: anyText,
    channel: channelSchema,
    from: annotate(anyText, { description: 'The sender’s number or address; `<erased>` once that person is erased, like all texts.' }),
    from_name: maybeText,
    to: described('Your number or address that received it.'),
    subject: maybeText,
    text: anyText,
    html: described('Of an email.'),
    attachments: list(receivedAttachment),
    media: annotate(list(receivedMedium), { description: 'Of a text: the files, at the addresses at which the carrier has them.' }),
    truncated: annotate(flag, { description: 'Whether more than 65,536 characters of text or HTML were cut.' }),
    message_id: described('Your message that it replies to, where that is known.'),
    keyword: nullable(keywordKindSchema),
    automatic: annotate(flag, { description: 'Whether a program wrote the email, such as a note of absence.' }),
    carrier: anyText,
    carrier_message_id: anyText,
    occurred_at: annotate(time, { description: 'By the clock of the carrier.' }),
    created_at: time,
  }),
);

const common = { tag: 'messages', access: 'read', limit: 'general', method: 'GET' } as const;

/** Texts and emails that people wrote to the account. */
export function inboundRoutes(services: Services): AnyRoute[] {
  const queries = inboundQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [listInboundMessagesRoute(services, queries, cursors), getInboundMessageRoute(queries)];
}

const listInboundMessagesRoute = (services: Services, queries: InboundQueries, cursors: Cursors) =>
  route({
    ...common,
    path: '/v1/inbound-messages',
    operationId: 'listInboundMessages',
    summary: 'List received messages',
    description: 'Texts and emails that people wrote to you, newest first: answers to your messages, keywords such as STOP, and everything else.',
    query: record({
      ...timedPagingQuery(),
      channel: optional(channelSchema),
      from: addressFilter('Messages from this number or address, in any spelling.'),
      message_id: textFilter('Answers to this message.'),
    }),
    responses: { 200: { description: 'A page of received messages.', schema: pageOf(receivedMessage) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const paging = cursors.read(request, 'inbound-messages');
      const { channel, from, message_id } = request.query;
      const { account } = request.caller;
      await request.consistent(inboundMessages.name);
      const senders = from === undefined ? [undefined] : keysOfAddress(services.addresses, account, addressFilterOf(from));
      const { range } = paging;
      const pages = senders.map((from_key) => queries.page({ account, ...omitUndefined({ channel, from_key, message_id }), ...range }));
      const rows = (await Promise.all(pages))
        .flat()
        .sort((a, b) => (a.sort < b.sort === range.descending ? 1 : -1))
        .slice(0, range.limit);
      return { status: 200, body: await paging.pageOfLoaded(rows, ({ sort }) => [sort], queries.show) };
    },
  });

const getInboundMessageRoute = (queries: InboundQueries) =>
  route({
    ...common,
    path: '/v1/inbound-messages/:id',
    operationId: 'getInboundMessage',
    summary: 'Read a received message',
    params: record({ id: Type.String({ description: 'Id of the received message, inb_….' }) }),
    responses: { 200: { description: 'The received message.', schema: receivedMessage } },
    errors: ['not_found'],
    async handle({ params: { id }, caller, consistent }) {
      await consistent(inboundMessages.name);
      const doc = await queries.find(caller.account, id);
      if (!doc) throw notFound('inbound_message', id);
      const [body] = await queries.show([doc]);
      return { status: 200, body };
    },
  });
