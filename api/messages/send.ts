import Type, { type Static } from 'typebox';
import type { Context } from '../../commands/kernel.js';
import { messageProblems } from '../../commands/messages/message-problems.js';
import { messageDefaults, messageRequest } from '../../commands/messages/request.js';
import { sendBulk, tooManyMessages } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { withRule } from '../../commands/rules.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { annotate, documentedAs, list, named, oneOf } from '../../domain/kernel/schema.js';
import { itemChecker, listedProblems, problemsInList } from '../kernel/items.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../kernel/route.js';
import { acceptedBatch, acceptedMessage, bulkItem } from './schemas.js';

export const MAX_MESSAGES_PER_BULK = 10_000;
const MAX_BULK_BODY_BYTES = 32 * 1024 * 1024;

const checker = itemChecker('messages', messageRequest);

const countProblems = (count: number): FieldProblem[] =>
  count === 0 ? [{ field: 'messages', code: 'too_few', message: 'Give at least one message.' }] : [];

const envelope = withRule(
  Type.Object(
    {
      messages: documentedAs(
        Type.Array(Type.Unknown(), { description: `1 to ${MAX_MESSAGES_PER_BULK} messages, each with the fields of a single send.` }),
        list(bulkItem),
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
  async ({ messages = [], defaults }, { context, isMalformed }) => {
    if (messages.length > MAX_MESSAGES_PER_BULK || messages.length === 0) return countProblems(messages.length);
    const found = await checker.allProblems(withDefaults(messages, defaults), context);
    // What a malformed default would have given is not asked of the messages.
    const inherited = ({ field, code }: FieldProblem): boolean =>
      isMalformed(`defaults.${field}`) || (isMalformed('defaults') && code === 'required');
    return [
      ...defaultProblems(defaults, context),
      ...problemsInList(
        'messages',
        found.filter((problem) => !inherited(problem)),
      ),
    ];
  },
);
const bulkBody = Type.Union([named('SendMessagesRequest', envelope), documentedAs(Type.Array(Type.Unknown()), list(bulkItem))]);
const bulkQuery = Type.Object({
  response: Type.Optional(annotate(named('BulkResponseDetail', oneOf('full', 'summary')), { description: '`summary` leaves out `messages`.' })),
});

/** Sending: one message, or many. */
export const sendRoutes: AnyRoute[] = [
  route({
    method: 'POST',
    path: '/v1/messages/send',
    operationId: 'sendMessage',
    summary: 'Send one message',
    description:
      'Accepts the message and answers at once; what becomes of it is in the history and is told to `webhook_url`. A recipient who must not be messaged is no error: the message is recorded as `suppressed`.',
    tag: 'messages',
    access: 'write',
    limit: 'send',
    body: sendMessage.input,
    responses: {
      202: { description: 'Accepted, and on disk.', schema: acceptedMessage },
      200: { description: 'With `dry_run`: what would have been accepted.', schema: acceptedMessage },
    },
    errors: ['unsupported_channel', 'invalid_url', 'recipient_not_found', 'message_too_long'],
    async handle(request) {
      const { output } = await request.execute(sendMessage, request.body);
      return { status: output.dry_run ? 200 : 202, body: output };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/messages/bulk',
    operationId: 'sendMessages',
    summary: 'Send many messages',
    description: `Up to ${MAX_MESSAGES_PER_BULK} messages, each with its own fields over the \`defaults\`; a bare array is taken as \`messages\`. All that are valid are accepted together or, after a crash, none of them. Counts as one request for the rate limit.`,
    tag: 'messages',
    access: 'write',
    limit: 'bulk',
    query: bulkQuery,
    body: bulkBody,
    bodyLimit: MAX_BULK_BODY_BYTES,
    responses: { 202: { description: 'Accepted, and on disk.', schema: acceptedBatch } },
    errors: ['too_many_messages'],
    handle: handleBulk,
  }),
];

async function handleBulk({
  body,
  query,
  execute,
  ruleContext,
}: Request<unknown, Static<typeof bulkQuery>, Static<typeof bulkBody>>): Promise<HttpResponse> {
  const { messages, defaults, mode }: Static<typeof envelope> = Array.isArray(body) ? { messages: body } : body;
  if (messages.length > MAX_MESSAGES_PER_BULK) throw tooManyMessages(MAX_MESSAGES_PER_BULK, messages.length);
  if (messages.length === 0) throw invalid([{ field: 'messages', code: 'too_few', message: 'Give at least one message.' }]);
  const wrongDefaults = defaultProblems(defaults, ruleContext());
  const { items, problems, warnings } = await checker.checkItems(withDefaults(messages, defaults), ruleContext);
  if (wrongDefaults.length > 0) {
    const others = await checker.allProblems(withDefaults(messages, defaults), ruleContext());
    throw invalid([
      ...wrongDefaults,
      ...problemsInList(
        'messages',
        others.filter(({ field }) => !wrongDefaults.some((wrong) => wrong.field === `defaults.${field}`)),
      ),
    ]);
  }
  const requests = items.map(({ index, value }) => ({ index, request: value }));
  const { output } = await execute(sendBulk, { received: messages.length, items: requests, problems, atomic: mode === 'atomic' });
  const { messages: accepted, errors, ...counts } = output;
  const summary = { ...counts, ...listedProblems(errors) };
  const shown = query.response === 'summary' ? summary : { ...summary, messages: accepted };
  return { status: 202, body: warnings.length > 0 ? { ...shown, warnings } : shown };
}

function withDefaults(messages: readonly unknown[], defaults: object | undefined): unknown[] {
  return messages.map((own) => (defaults && isRecord(own) ? { ...defaults, ...own } : own));
}

/** Defaults that no message can have, whatever its own fields are. */
function defaultProblems(
  defaults: { readonly channel?: string; readonly webhook_url?: string; readonly template_id?: string } = {},
  context: Context,
) {
  const { channel, webhook_url, template_id } = defaults;
  const given = {
    ...(channel !== undefined && { channel }),
    ...(webhook_url !== undefined && { webhook_url }),
    ...(template_id !== undefined && { template_id }),
  };
  return messageProblems(given, context).map((problem) => ({ ...problem, field: `defaults.${problem.field}` }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
