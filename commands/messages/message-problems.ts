import { type ChannelName, channelNames, channels, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { addressKind, parseAddress } from '../../formats/contacts/parse-address.js';
import type { Context } from '../kernel.js';
import { webhookUrlCheck } from './dependencies.js';

/** The fields of a message that have rules. Any may be missing. */
interface MessageText {
  readonly to?: string;
  readonly channel?: string;
  readonly message?: string;
  readonly html?: string;
  readonly webhook_url?: string;
  readonly template_id?: string;
}

/** The rules of a message's fields that its schema cannot express. */
export function messageProblems(request: MessageText, context: Pick<Context, 'use'>): FieldProblem[] {
  const { channel, to, webhook_url } = request;
  const target = webhook_url === undefined ? null : context.use(webhookUrlCheck)(webhook_url);
  return [
    ...(channel === undefined || isChannel(channel) ? [] : [unsupportedChannel(channel)]),
    ...(to === undefined ? [] : recipientProblems(to, channel)),
    ...(channel !== undefined && isChannel(channel) ? textProblems(request, channel) : []),
    ...(target === null ? [] : [{ field: 'webhook_url', ...target }]),
    ...(request.template_id === undefined ? [] : [unknownTemplate(request.template_id)]),
  ];
}

const unsupportedChannel = (channel: string): FieldProblem => ({
  field: 'channel',
  code: 'unsupported_channel',
  message: `There is no channel '${channel}'. Use one of: ${channelNames.join(', ')}.`,
  details: { allowed: channelNames },
});

const unknownTemplate = (id: string): FieldProblem => ({
  field: 'template_id',
  code: 'not_found',
  message: `There is no template with the id '${id}'.`,
});

/** Without a valid channel, an address is a problem only if it is valid on no channel. */
function recipientProblems(to: string, channel: string | undefined): FieldProblem[] {
  if (channel !== undefined && isChannel(channel) && channels[channel].address === 'contact') {
    return [
      { field: 'to', code: 'recipient_not_found', message: 'No contact has this id, email or phone, so there is no device or inbox to reach.' },
    ];
  }
  if ((channel === undefined || !isChannel(channel)) && /^(con_|custom_field\.)/.test(to)) return [];
  const parsed = parseAddress(kindOf(to, channel), to);
  return typeof parsed === 'string' ? [] : [{ ...parsed, field: 'to' }];
}

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
