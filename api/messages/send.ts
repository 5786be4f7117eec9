import Type, { type Static } from 'typebox';
import { type MessageRequest, messageDefaults, messageRequest } from '../../commands/messages/request.js';
import { type BulkInput, type ItemProblem, sendBulk, tooManyMessages } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { invalid } from '../../domain/kernel/errors.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../kernel/route.js';
import { bodyValidator } from '../kernel/validation.js';
import { acceptedBatch, acceptedMessage } from './schemas.js';

export const MAX_MESSAGES_PER_BULK = 10_000;
const MAX_BULK_BODY_BYTES = 32 * 1024 * 1024;

const checkItem = bodyValidator(messageRequest);

const envelope = Type.Object(
  {
    messages: Type.Array(Type.Unknown(), { description: `1 to ${MAX_MESSAGES_PER_BULK} messages, each with the fields of a single send.` }),
    defaults: Type.Optional(messageDefaults),
    mode: Type.Optional(
      Type.Unsafe<'partial' | 'atomic'>({
        type: 'string',
        enum: ['partial', 'atomic'],
        default: 'partial',
        description: '`atomic` refuses all if one is invalid.',
      }),
    ),
  },
  { additionalProperties: false },
);
const bulkBody = Type.Union([envelope, Type.Array(Type.Unknown())]);
const bulkQuery = Type.Object({
  response: Type.Optional(
    Type.Unsafe<'full' | 'summary'>({ type: 'string', enum: ['full', 'summary'], description: '`summary` leaves out `messages`.' }),
  ),
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
    example: { to: '+14155550100', channel: 'sms', message: 'Code 1234', metadata: { order: 'A1' } },
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
    example: { messages: [{ to: '+14155550100', message: 'Hello' }], defaults: { channel: 'sms' } },
    handle: handleBulk,
  }),
];

async function handleBulk({ body, query, execute }: Request<unknown, Static<typeof bulkQuery>, Static<typeof bulkBody>>): Promise<HttpResponse> {
  const { messages, defaults, mode }: Static<typeof envelope> = Array.isArray(body) ? { messages: body } : body;
  if (messages.length > MAX_MESSAGES_PER_BULK) throw tooManyMessages(MAX_MESSAGES_PER_BULK, messages.length);
  if (messages.length === 0) throw invalid([{ field: 'messages', code: 'too_few', message: 'Give at least one message.' }]);
  const { warnings, ...input } = validateItems(messages, defaults, mode === 'atomic');
  const { output } = await execute(sendBulk, input);
  const { messages: accepted, ...summary } = output;
  const shown = query.response === 'summary' ? summary : { ...summary, messages: accepted };
  return { status: 202, body: warnings.length > 0 ? { ...shown, warnings } : shown };
}

/** Unknown fields of so many items are named; the rest would only repeat them. */
const MAX_NAMED_WARNINGS = 100;

function validateItems(messages: readonly unknown[], defaults: object | undefined, atomic: boolean): BulkInput & { warnings: string[] } {
  const items: { index: number; request: MessageRequest }[] = [];
  const problems: ItemProblem[] = [];
  const warnings: string[] = [];
  messages.forEach((own, index) => {
    const message = defaults && isRecord(own) ? { ...defaults, ...own } : own;
    const verdict = checkItem(message);
    for (const warning of verdict.warnings)
      if (warnings.length < MAX_NAMED_WARNINGS) warnings.push(warning.replace('unknown field: ', `unknown field: messages[${index}].`));
    if (verdict.problems.length > 0)
      problems.push(...verdict.problems.map(({ field, code, message: text }) => ({ index, field, code, message: text })));
    else items.push({ index, request: message as MessageRequest });
  });
  return { received: messages.length, items, problems, atomic, warnings };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
