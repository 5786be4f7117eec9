import { type ChannelName, channelNames, channels, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { inexactNumbers } from '../../domain/kernel/exact-numbers.js';
import { contentProblems, type MessageContent } from '../../domain/messages/content-problems.js';
import { addressKind, otherKindOf, parseAddress } from '../../formats/contacts/parse-address.js';
import { isTooDeep, MAX_HTML_DEPTH } from '../../formats/messages/html-text.js';
import { type Mailbox, readMailbox } from '../../formats/messages/mailbox.js';
import type { Context } from '../runtime/command.js';
import { type EmailRequest, emailProblems, fieldsOfEmailOnly } from './email-fields.js';

/** Bytes of JSON of `data` of a push message: push services take 4 kB in all. */
const MAX_PUSH_DATA_BYTES = 1_024;

/** The fields of a message that have rules. Any may be missing. */
interface MessageText extends EmailRequest, Omit<MessageContent, 'push'> {
  readonly to?: string;
  readonly webhook_url?: string;
  readonly template_id?: string;
  readonly metadata?: unknown;
  readonly data?: unknown;
  readonly push?: MessageContent['push'] & { readonly data?: unknown };
}

/** The rules of a message's fields that its schema cannot express. */
export function messageProblems(request: MessageText, context: Pick<Context, 'ports'>): FieldProblem[] {
  const { channel, to, webhook_url } = request;
  const target = webhook_url === undefined ? null : context.ports.messages.checkWebhookUrl(webhook_url);
  return [
    ...(channel === undefined || isChannel(channel) ? [] : [unsupportedChannel(channel)]),
    ...(to === undefined ? [] : recipientProblems(to, channel)),
    ...(channel !== undefined && isChannel(channel) ? textProblems(request, channel) : []),
    ...(channel === 'email' ? emailProblems(request) : channel !== undefined && isChannel(channel) ? fieldsOfEmailOnly(request, channel) : []),
    ...(channel === 'email' && request.html !== undefined && request.message === undefined ? htmlProblems(request.html) : []),
    ...pushProblems(request.push, channel),
    ...contentProblems(request),
    ...inexactNumbers(request.metadata, 'metadata'),
    ...inexactNumbers(request.data, 'data'),
    ...inexactNumbers(request.push?.data, 'push.data'),
    ...(target === null ? [] : [{ field: 'webhook_url', ...target }]),
  ];
}

function pushProblems(push: MessageText['push'], channel: string | undefined): FieldProblem[] {
  if (push === undefined) return [];
  if (channel !== undefined && isChannel(channel) && channel !== 'push')
    return [{ field: 'push', code: 'not_for_channel', message: `Only push has \`push\`, a message on ${channel} has none.` }];
  if (Buffer.byteLength(JSON.stringify(push.data ?? {})) <= MAX_PUSH_DATA_BYTES) return [];
  return [{ field: 'push.data', code: 'too_long', message: `Values of a push message have at most ${MAX_PUSH_DATA_BYTES} bytes of JSON.` }];
}

/** A message has a text, unless that is made of its HTML or its template. */
export function missingText({ channel, message, html, template_id }: MessageText): FieldProblem[] {
  if (message !== undefined || template_id !== undefined) return [];
  if (html !== undefined && (channel === 'email' || channel === undefined || !isChannel(channel))) return [];
  const hint = channel === 'email' ? 'Give `message` or `html`.' : 'Give this field, it is required.';
  return [{ field: 'message', code: 'required', message: hint }];
}

const htmlProblems = (html: string): FieldProblem[] =>
  isTooDeep(html)
    ? [
        {
          field: 'html',
          code: 'html_too_deep',
          message: `Elements are nested deeper than ${MAX_HTML_DEPTH}, so no text can be made of this HTML. Give \`message\` too.`,
          details: { limit: MAX_HTML_DEPTH },
        },
      ]
    : [];

const unsupportedChannel = (channel: string): FieldProblem => ({
  field: 'channel',
  code: 'unsupported_channel',
  message: `There is no channel '${channel}'. Use one of: ${channelNames.join(', ')}.`,
  details: { allowed: channelNames },
});

/** Without a valid channel, an address is a problem only if it is valid on no channel. */
function recipientProblems(to: string, channel: string | undefined): FieldProblem[] {
  // Whether the contact exists is looked up: see recipient-contacts.ts.
  if (channel !== undefined && isChannel(channel) && channels[channel].address === 'contact') return [];
  if ((channel === undefined || !isChannel(channel)) && /^(con_|custom_field\.)/.test(to)) return [];
  const parsed = parseRecipient(to, channel);
  return 'address' in parsed ? [] : [parsed];
}

/** The address that a message goes to, or the problem of `to`. An email address may stand after a name. */
export function parseRecipient(to: string, channel: string | undefined): Mailbox | FieldProblem {
  const kind = kindOf(to, channel);
  const address = kind === 'email' ? readMailbox('to', to) : parseAddress('phone', to);
  if (typeof address === 'string') return { address, name: null };
  if ('address' in address) return address;
  const message = channel !== undefined && isChannel(channel) ? misdirected(to, channel, kind) : null;
  return { ...address, ...(message !== null && { message }), field: 'to' };
}

/** What to do about an address that another channel has; null where the text looks like none. */
function misdirected(to: string, channel: ChannelName, wanted: 'email' | 'phone'): string | null {
  const other = otherKindOf(to, wanted);
  if (other === null) return null;
  const takes = wanted === 'email' ? 'email addresses, such as ada@example.com' : 'phone numbers with country prefix, such as +14155550100';
  const fitting = channelNames.filter((name) => channels[name].address === ADDRESS_OF_KIND.get(other) && name !== channel);
  const instead = fitting.length > 0 ? ` Or use another channel: ${fitting.join(', ')}.` : '';
  return `This is ${other}, and ${channel} goes to ${takes}.${instead}`;
}

/** Which address of a recipient each kind of text is. */
const ADDRESS_OF_KIND: ReadonlyMap<string, (typeof channels)[ChannelName]['address']> = new Map([
  ['an email address', 'email'],
  ['a phone number', 'phone'],
  ['the id of a contact', 'contact'],
  ['a custom field', 'contact'],
]);

function kindOf(to: string, channel: string | undefined): 'email' | 'phone' {
  const { address } = channel !== undefined && isChannel(channel) ? channels[channel] : { address: addressKind(to) };
  return address === 'email' ? 'email' : 'phone';
}

function textProblems({ message, html }: MessageText, channel: ChannelName): FieldProblem[] {
  const limit = channels[channel].maxLength;
  const inBytes = channel === 'email';
  const lengths = { message: lengthOf(message, inBytes), ...(inBytes && { html: lengthOf(html, inBytes) }) };
  return Object.entries(lengths).flatMap(([field, received]) => {
    if (received <= limit) return [];
    const message = `A message on ${channel} has at most ${limit} ${inBytes ? 'bytes' : 'characters'}, this one has ${received}.`;
    return [{ field, code: 'message_too_long', message, details: { limit, received } }];
  });
}

const lengthOf = (text: string | undefined, inBytes: boolean): number => (text === undefined ? 0 : inBytes ? Buffer.byteLength(text) : text.length);

/** A request may take a while to arrive, and clocks differ; what is later was meant for another time. */
export const SEND_TIME_GRACE_MS = 60_000;

/** A time to send that has passed. Such a request is no repeat of one that was accepted. */
export function sendTimeProblems({ send_at }: { readonly send_at?: string }, now: string): FieldProblem[] {
  if (send_at === undefined || Date.parse(send_at) + SEND_TIME_GRACE_MS >= Date.parse(now)) return [];
  return [{ field: 'send_at', code: 'in_the_past', message: `${send_at} has passed. Give a later time, or leave this field out to send now.` }];
}
