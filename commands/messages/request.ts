import Type, { type Static } from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { annotate, documentedAs, named } from '../../domain/kernel/schema.js';
import { category } from '../../domain/messages/accepted-fields.js';
import { webhookEventSchema, webhookEvents } from '../../domain/messages/status.js';
import { type Rule, withRule } from '../rules.js';
import { messageProblems } from './message-problems.js';

const short = (maxLength: number, description: string) => Type.Optional(Type.String({ minLength: 1, maxLength, description }));

/** Names of JavaScript's own object properties are refused, because a careless copy of the object would be affected by them. */
const METADATA_KEY = '^(?!__proto__$|constructor$|prototype$)[^\\u0000-\\u001f]{1,64}$';
const scalar = Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean(), Type.Null()]);

export const messageMetadata = named(
  'Metadata',
  Type.Record(Type.String({ pattern: METADATA_KEY }), scalar, {
    maxProperties: 20,
    description: 'Your own keys and values. Responses and webhooks return them.',
  }),
);

/** One message to send: the fields of a single send, of an item of a bulk, and of a bulk's defaults. */
export const messageFields = {
  to: Type.String({
    minLength: 1,
    maxLength: 320,
    description: 'Recipient: a phone number with country prefix, an email address, or for `push` and `in_app` also a contact id.',
    examples: ['+14155550100'],
  }),
  channel: documentedAs(Type.String({ minLength: 1, maxLength: 32 }), channelSchema),
  message: Type.String({
    minLength: 1,
    maxLength: 1_048_576,
    description: 'The text. Its maximum length depends on the channel.',
    examples: ['Code 1234'],
  }),
  webhook_url: short(2_048, 'Absolute URL that receives a webhook for every change of status of this message.'),
  webhook_events: Type.Optional(
    Type.Array(webhookEventSchema, {
      maxItems: webhookEvents.length,
      description: 'The events that are sent to the `webhook_url`. Default: all changes of status, without engagement and deferrals.',
    }),
  ),
  subject: short(998, 'Subject line of an email.'),
  html: short(1_048_576, 'HTML body of an email, beside the text.'),
  from: short(320, 'Sender: a number, a sender name or an email address. Default: the sender of the account.'),
  reply_to: short(320, 'Address for replies to an email.'),
  title: short(200, 'Title of a push or in-app message.'),
  action_url: short(2_048, 'URL that a tap on a push or in-app message opens.'),
  media_urls: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), { maxItems: 10, description: 'Pictures and files to send along.' }),
  ),
  template_id: short(64, 'Template to render instead of `message`.'),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values for the template.' })),
  send_at: Type.Optional(Type.String({ format: 'date-time', description: 'Time to send. A time in the past means now.' })),
  ttl_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_592_000, description: 'Seconds after its time until the message expires if it is not handed over.' }),
  ),
  category: Type.Optional(annotate(category, { default: 'transactional' })),
  contact_id: short(64, 'The contact this message is for.'),
  create_contact: Type.Optional(Type.Boolean({ description: 'Creates a contact for an unknown address.' })),
  metadata: Type.Optional(messageMetadata),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true })),
  idempotency_key: short(255, 'Identifies this message: a repeated key sends nothing.'),
};

/** The rule of everything that holds the fields of a message. */
export const messageRule: Rule<object> = (message, { context }) => messageProblems(message, context);

export const messageRequest = withRule(Type.Object(messageFields, { additionalProperties: false }), messageRule);
export type MessageRequest = Static<typeof messageRequest>;

/** What a bulk says once for all its messages. */
export const messageDefaults = named(
  'MessageDefaults',
  Type.Partial(Type.Omit(messageRequest, ['idempotency_key']), { additionalProperties: false }),
);
