import Type, { type Static } from 'typebox';
import { messageProblems } from '../../commands/messages/message-problems.js';
import { messageDefaults, messageRequest } from '../../commands/messages/request.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import type { Context } from '../../commands/runtime/command.js';
import { withRule } from '../../commands/runtime/rules.js';
import { templateProblems } from '../../commands/templates/message-templates.js';
import { type ChannelName, channels, isChannel } from '../../domain/kernel/channels.js';
import { DomainError, type FieldProblem, invalid, invalidRequest } from '../../domain/kernel/errors.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { annotate, documentedAs, list, named, oneOf } from '../../domain/kernel/schema.js';
import { type ItemProblem, itemChecker, listedProblems, MAX_NAMED_WARNINGS, problemsInList } from '../http/items.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import { acceptedBatch, acceptedMessage, bulkItem } from './schemas.js';

export const MAX_MESSAGES_PER_BULK = 10_000;
/** Attachments of 10 MB in Base64, with the texts of an email. */
const MAX_SEND_BODY_BYTES = 16 * 1024 * 1024;
const MAX_BULK_BODY_BYTES = 32 * 1024 * 1024;
/** Of the JSON that the messages of a bulk take over from its defaults, together: each of them stores it. */
const MAX_INHERITED_BYTES = 64 * 1024 * 1024;

const checker = itemChecker('messages', messageRequest);

function countProblems(received: number): FieldProblem[] {
  if (received === 0) return [{ field: 'messages', code: 'too_few', message: 'Give at least one message.' }];
  if (received <= MAX_MESSAGES_PER_BULK) return [];
  const message = `A request holds at most ${MAX_MESSAGES_PER_BULK} messages, this one has ${received}.`;
  return [{ field: 'messages', code: 'too_many_messages', message, details: { limit: MAX_MESSAGES_PER_BULK, received } }];
}

const bulkItems = list(bulkItem, { minItems: 1, maxItems: MAX_MESSAGES_PER_BULK });
const envelope = withRule(
  Type.Object(
    {
      messages: documentedAs(
        Type.Array(Type.Unknown(), { description: `1 to ${MAX_MESSAGES_PER_BULK} messages, each with the fields of a single send.` }),
        bulkItems,
      ),
      defaults: Type.Optional(messageDefaults),
      mode: Type.Optional(
        annotate(named('BulkMode', oneOf('partial', 'atomic')), {
          default: 'partial',
          description: '`atomic` rejects all messages if one is invalid.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  async ({ messages = [], defaults }, { context, isMalformed, strict }) => {
    const wrong = [...countProblems(messages.length), ...(await defaultProblems(defaults, context))];
    if (messages.length === 0 || messages.length > MAX_MESSAGES_PER_BULK) return wrong;
    const found = await checker.allProblems(withDefaults(messages, defaults), context, strict);
    // A malformed default would have been the value of a message that has none of its own.
    const isInherited = ({ field, code }: FieldProblem): boolean =>
      isMalformed(`defaults.${field}`) || (isMalformed('defaults') && code === 'required');
    return [...wrong, ...ownProblems(messages, found, isInherited)];
  },
);
const bulkBody = Type.Union([named('SendMessagesRequest', envelope), documentedAs(Type.Array(Type.Unknown()), bulkItems)]);
const bulkQuery = Type.Object({
  response: Type.Optional(annotate(named('BulkResponseDetail', oneOf('full', 'summary')), { description: '`summary` leaves out `messages`.' })),
});

/** Sending one message, or many. */
export const sendRoutes: AnyRoute[] = [
  route({
    method: 'POST',
    path: '/v1/messages/send',
    operationId: 'sendMessage',
    summary: 'Send one message',
    description:
      'Accepts the message and answers at once; the history and `webhook_url` get its later status. A recipient who must not be messaged is not an error: the message is recorded as `suppressed`.',
    tag: 'messages',
    access: 'write',
    limit: 'send',
    body: sendMessage.input,
    bodyLimit: MAX_SEND_BODY_BYTES,
    responses: {
      202: { description: 'Accepted and stored.', schema: acceptedMessage },
      200: { description: 'With `dry_run`: the expected result.', schema: acceptedMessage },
    },
    errors: ['unsupported_channel', 'invalid_url', 'recipient_not_found', 'message_too_long'],
    async handle(request) {
      const { output } = await request.execute(sendMessage, request.body);
      const warnings = fieldWarnings(request.body);
      return { status: output.dry_run ? 200 : 202, body: warnings.length > 0 ? { ...output, warnings } : output };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/messages/bulk',
    operationId: 'sendMessages',
    summary: 'Send many messages',
    description: `Up to ${MAX_MESSAGES_PER_BULK} messages, each with its own fields over the \`defaults\`; a bare array is the same as \`messages\`. What the messages take from the defaults may have ${MAX_INHERITED_BYTES / 1024 / 1024} MB in all. The valid ones are accepted together: after a crash, all or none of them. Counts as one request for the rate limit.`,
    tag: 'messages',
    access: 'write',
    limit: 'bulk',
    query: bulkQuery,
    body: bulkBody,
    bodyLimit: MAX_BULK_BODY_BYTES,
    responses: { 202: { description: 'Accepted and stored.', schema: acceptedBatch } },
    errors: ['too_many_messages'],
    handle: handleBulk,
  }),
];

async function handleBulk(request: Request<unknown, Static<typeof bulkQuery>, Static<typeof bulkBody>>): Promise<HttpResponse> {
  const { body, query, execute, ruleContext } = request;
  const { messages, defaults, mode }: Static<typeof envelope> = Array.isArray(body) ? { messages: body } : body;
  const wrongCount = countProblems(messages.length);
  const wrongDefaults = await defaultProblems(defaults, ruleContext());
  if (wrongCount.length > 0) throw invalidRequest([...wrongCount, ...wrongDefaults]);
  refuseLargeDefaults(messages, defaults);
  if (wrongDefaults.length > 0) {
    const others = await checker.allProblems(withDefaults(messages, defaults), ruleContext(), request.unknownFields.strict);
    const isInherited = ({ field }: FieldProblem): boolean => wrongDefaults.some((wrong) => wrong.field === `defaults.${field}`);
    throw invalid([...wrongDefaults, ...ownProblems(messages, others, isInherited)]);
  }
  const { items, problems, warnings } = await checker.checkItems(withDefaults(messages, defaults), request);
  const requests = items.map(({ index, value }) => ({ index, request: value }));
  const input = { received: messages.length, items: requests, problems, atomic: mode === 'atomic', signal: request.signal };
  const { output } = await execute(sendBulk, input);
  const { messages: accepted, errors, ...counts } = output;
  const named = [...warnings, ...fieldWarningsOfBulk(messages, defaults)];
  const summary = { ...counts, ...listedProblems(errors) };
  const shown = query.response === 'summary' ? summary : { ...summary, messages: accepted };
  return { status: 202, body: named.length > 0 ? { ...shown, warnings: named } : shown };
}

/** The problems of messages without those that come from a default. A field of a message's own is never inherited. */
function ownProblems(messages: readonly unknown[], found: readonly ItemProblem[], isInherited: (problem: FieldProblem) => boolean): FieldProblem[] {
  const hasOwn = ({ index, field }: ItemProblem): boolean => {
    const message = messages[index];
    return isRecord(message) && Object.hasOwn(message, field.split(/[.[]/, 1)[0] ?? '');
  };
  return problemsInList(
    'messages',
    found.filter((problem) => hasOwn(problem) || !isInherited(problem)),
  );
}

function withDefaults(messages: readonly unknown[], defaults: object | undefined): unknown[] {
  return messages.map((own) => (defaults && isRecord(own) ? { ...defaults, ...own } : own));
}

/** Throws `payload_too_large` where the messages would store too much of the defaults. */
function refuseLargeDefaults(messages: readonly unknown[], defaults: object = {}): void {
  const sizes = Object.entries(defaults).map(([field, value]) => ({ field, bytes: Buffer.byteLength(JSON.stringify(value) ?? '') }));
  const inherited = (own: unknown): number =>
    isRecord(own) ? sizes.reduce((sum, { field, bytes }) => (Object.hasOwn(own, field) ? sum : sum + bytes), 0) : 0;
  const total = messages.reduce((sum: number, own) => sum + inherited(own), 0);
  if (total <= MAX_INHERITED_BYTES) return;
  const message = `The messages take ${total} bytes from \`defaults\`, more than ${MAX_INHERITED_BYTES}. Send fewer messages at once.`;
  throw new DomainError('payload_too_large', message, { limit_bytes: MAX_INHERITED_BYTES });
}

/** Defaults that are invalid for any message, whatever its own fields are. */
async function defaultProblems(
  defaults: { readonly channel?: string; readonly webhook_url?: string; readonly template_id?: string } = {},
  context: Context,
): Promise<FieldProblem[]> {
  const { channel, webhook_url, template_id } = defaults;
  const given = { ...(channel !== undefined && { channel }), ...(webhook_url !== undefined && { webhook_url }) };
  const ofTemplate = (await templateProblems([omitUndefined({ channel, template_id })], context)).get(0) ?? [];
  return [...messageProblems(given, context), ...ofTemplate].map((problem) => ({ ...problem, field: `defaults.${problem.field}` }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

// What the answer to a message says that is accepted all the same: fields that its channel has no use for, and one that it should have.

const ofText = ['subject', 'html', 'reply_to', 'title', 'action_url'] as const;
const ofContact = ['subject', 'html', 'reply_to', 'media_urls'] as const;
/** Others that only one channel has are refused: see the rules of a message. */
const ignored: Readonly<Record<ChannelName, readonly string[]>> = {
  sms: ofText,
  whatsapp: ofText,
  rcs: ofText,
  email: ['title', 'action_url', 'media_urls'],
  push: ofContact,
  in_app: ofContact,
};

const namesOf = (channel: unknown, given: object): string[] =>
  typeof channel === 'string' && isChannel(channel) ? ignored[channel].filter((name) => Object.hasOwn(given, name)) : [];

/** Whether an email has no subject, neither its own nor that of a template. */
const lacksSubject = (channel: unknown, given: object): boolean =>
  typeof channel === 'string' && isChannel(channel) && channels[channel].subject && !('subject' in given) && !('template_id' in given);

/** `ignored field: title` for each, and `missing field: subject`. */
const fieldWarnings = (message: { readonly channel: string }): string[] => [
  ...namesOf(message.channel, message).map((name) => `ignored field: ${name}`),
  ...(lacksSubject(message.channel, message) ? ['missing field: subject'] : []),
];

/**
 * The same for messages of a bulk, at most 100. Fields that a message takes from the defaults are not named: a default is for all channels
 * that have the field.
 */
function fieldWarningsOfBulk(messages: readonly unknown[], defaults: { readonly channel?: string } | undefined): string[] {
  const found: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (found.length >= MAX_NAMED_WARNINGS) break;
    if (typeof message !== 'object' || message === null) continue;
    const channel = 'channel' in message ? message.channel : defaults?.channel;
    for (const name of namesOf(channel, message)) found.push(`ignored field: messages[${index}].${name}`);
    if (lacksSubject(channel, { ...defaults, ...message })) found.push(`missing field: messages[${index}].subject`);
  }
  return found.slice(0, MAX_NAMED_WARNINGS);
}
