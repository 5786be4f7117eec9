import Type, { type Static } from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { annotate, documentedAs, lineOf, named, oneOf } from '../../domain/kernel/schema.js';
import { needed, textPattern } from '../../domain/kernel/text-patterns.js';
import { category, MAX_COPIES } from '../../domain/messages/accepted-fields.js';
import { messageMetadata } from '../../domain/messages/resource.js';
import { webhookEventSchema, webhookEvents } from '../../domain/messages/status.js';
import { type WhatsappTemplate, whatsappTemplateSchema } from '../../domain/messages/whatsapp-template.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';
import { type TemplatedRequest, templateProblems } from '../templates/message-templates.js';
import { internationalProblems } from './email-fields.js';
import { messageProblems, missingText, sendTimeProblems } from './message-problems.js';
import { recipientProblems } from './recipient-contacts.js';
import { missingSenderProblems, routeProblems } from './route-problems.js';

/** No control characters: what goes into a header of a mail or into an URL has no line breaks. */
const line = (maxLength: number, description: string) => Type.Optional(Type.String({ ...lineOf(maxLength), description }));
const short = (maxLength: number, description: string) => Type.Optional(Type.String({ minLength: 1, maxLength, description }));

/** Characters of an address with a name. */
const MAX_MAILBOX = 500;
const mailboxes = (description: string) => Type.Optional(Type.Array(Type.String(lineOf(MAX_MAILBOX)), { maxItems: MAX_COPIES, description }));

/** Somebody who gives a URL should know what to do with it. */
const ATTACHMENT_HINT =
  'Give an object with `filename`, `content_type` and, as `content`, the bytes of the file in Base64. Files are not fetched from a URL: read the file yourself, or put a link into the text.';

const messageAttachment = named(
  'Attachment',
  Type.Object(
    {
      filename: Type.String({ ...lineOf(255), examples: ['invoice.pdf'] }),
      content_type: Type.Optional(
        Type.String({
          maxLength: 255,
          ...textPattern('^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *; *[ -~]+)?$', 'Use a media type, for example application/pdf.'),
          default: 'application/octet-stream',
          description: 'Media type of the file.',
        }),
      ),
      // Without bounds of its length, which would be counted in characters one by one.
      content: Type.String({ ...needed(ATTACHMENT_HINT), description: 'The bytes of the file in Base64.', examples: ['SGVsbG8='] }),
    },
    { ...needed(ATTACHMENT_HINT), additionalProperties: false },
  ),
);

const pushRequest = named(
  'PushOptions',
  Type.Object(
    {
      image: line(1_024, 'URL of a large picture, http or https.'),
      actions: Type.Optional(
        Type.Array(
          named(
            'PushAction',
            Type.Object(
              {
                id: Type.String(lineOf(64)),
                title: Type.String(lineOf(100)),
                url: line(1_024, 'Opened by the button; without it the `action_url`.'),
              },
              { additionalProperties: false },
            ),
          ),
          { maxItems: 3, description: 'Buttons. Browsers show two.' },
        ),
      ),
      collapse_key: line(64, 'A later message with the same key takes the place of this one, also on the screen.'),
      priority: Type.Optional(named('PushPriority', oneOf('normal', 'high'))),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Your own values for the app, 1 kB of JSON.' })),
    },
    { additionalProperties: false, description: 'Of a push message.' },
  ),
);

/** One message to send: the fields of a single send, of an item of a bulk, and of a bulk's defaults. */
export const messageFields = {
  to: Type.String({
    minLength: 1,
    maxLength: MAX_MAILBOX,
    description:
      'Recipient: a phone number with country prefix, an email address, alone or as `Name <address>`, or for `push` and `in_app` also a contact id.',
    examples: ['+14155550100'],
  }),
  channel: documentedAs(Type.String({ minLength: 1, maxLength: 32 }), channelSchema),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_048_576,
      description: 'The text. Its maximum length depends on the channel. Required, except in an email with `html`: its text is made of the HTML.',
      examples: ['Code 1234'],
    }),
  ),
  webhook_url: short(2_048, 'Absolute URL that receives a webhook for every change of status of this message.'),
  webhook_events: Type.Optional(
    Type.Array(webhookEventSchema, {
      maxItems: webhookEvents.length,
      description: 'The events that are sent to the `webhook_url`. Default: all changes of status, without engagement and deferrals.',
    }),
  ),
  subject: line(998, 'Subject line of an email.'),
  html: short(1_048_576, 'HTML body of an email, beside the text.'),
  from: line(MAX_MAILBOX, 'Sender: a number or a sender name; of an email its address, or `Name <address>`. Default: the sender of the account.'),
  reply_to: line(MAX_MAILBOX, 'Address for replies to an email, or `Name <address>`.'),
  cc: mailboxes(`Further recipients of an email, with \`bcc\` at most ${MAX_COPIES}. One who must not be written to gets no copy.`),
  bcc: mailboxes('Recipients of an email whom the others do not see.'),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(lineOf(998)), {
      maxProperties: 20,
      description: 'Further headers of an email: `X-*`, and a few others such as `In-Reply-To`, `References` and `List-Id`.',
    }),
  ),
  attachments: Type.Optional(Type.Array(messageAttachment, { maxItems: 50, description: 'Files of an email, 10 MB together.' })),
  title: short(200, 'Title of a push or in-app message.'),
  action_url: line(2_048, 'What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app.'),
  push: Type.Optional(pushRequest),
  media_urls: Type.Optional(
    Type.Array(Type.String(lineOf(2_048)), { maxItems: 10, description: 'Pictures and files to send along: http or https URLs.' }),
  ),
  whatsapp_template: Type.Optional(
    annotate(whatsappTemplateSchema, {
      description:
        'The template of a WhatsApp message that the recipient sees; `message` is what history shows of it. Needed where the recipient has not written within 24 hours: without it the carrier refuses the message then (`status_reason` is `template_required`).',
    }),
  ),
  template_id: short(
    64,
    'Template that the content is made from, in the language of the contact where it has a translation to that. Fields of the message come before those of the template.',
  ),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values of `data.*` in the template.' })),
  send_at: Type.Optional(Type.String({ format: 'date-time', description: 'Time to send. One that passed more than a minute ago is refused.' })),
  ttl_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_592_000, description: 'Seconds after its time until the message expires if it is not handed over.' }),
  ),
  category: Type.Optional(annotate(category, { default: 'transactional' })),
  contact_id: short(64, 'The contact this message is for. It must exist.'),
  create_contact: Type.Optional(Type.Boolean({ description: 'Creates a contact for an address that has none, unless `contact_id` names one.' })),
  metadata: Type.Optional(messageMetadata),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Labels to find messages by. Not encrypted: do not put personal data into them.',
    }),
  ),
  idempotency_key: short(255, 'Identifies this message: a repeated key sends nothing.'),
};

/**
 * The rule of everything that holds the fields of a message. Contacts and templates are looked up only where the request is refused anyway, so that
 * the answer has all problems: a repeat of an accepted request is answered, whatever became of its contact.
 */
export const messageRule: ValidationRule<object> = async (message, { context, isMalformed }) => {
  const missing = missingText(message).filter(() => !isMalformed('message') && !isMalformed('html') && !isMalformed('template_id'));
  const { channel, from, whatsapp_template } = message as { channel?: string; from?: string; whatsapp_template?: Partial<WhatsappTemplate> };
  const sender = { channel, from };
  const isSender = !isMalformed('from') && !isMalformed('channel');
  const ofRoute = isSender
    ? [...(await routeProblems({ ...sender, whatsapp_template }, context, { isMalformed })), ...(await missingSenderProblems(sender, context))]
    : [];
  const ofAddresses = ['to', 'from', 'reply_to', 'cc', 'bcc', 'channel'].some(isMalformed) ? [] : await internationalProblems(message, context);
  const problems = [...messageProblems(message, context), ...ofRoute, ...ofAddresses, ...missing];
  if (problems.length === 0 && !Object.keys(messageFields).some(isMalformed)) return [];
  const ofTime = isMalformed('send_at') ? [] : sendTimeProblems(message, context.now);
  const ofTemplate = (await templateProblems([message as TemplatedRequest], context)).get(0) ?? [];
  return [...problems, ...ofTime, ...ofTemplate, ...((await recipientProblems([message], context)).get(0) ?? [])];
};

export const messageRequest = withRule(Type.Object(messageFields, { additionalProperties: false }), messageRule);
export type MessageRequest = Static<typeof messageRequest>;
/** A request whose content was made from a template. No caller gives its version, or the translation. */
export type MadeRequest = MessageRequest & { readonly template_version?: number; readonly content_language?: string };

/** What a bulk says once for all its messages. */
export const messageDefaults = named(
  'MessageDefaults',
  Type.Partial(Type.Omit(messageRequest, ['idempotency_key']), { additionalProperties: false }),
);
