import { type ChannelName, channels, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import type { Copy } from '../../domain/messages/accepted-fields.js';
import type { Acceptance, AcceptedMessage } from '../../domain/messages/message.js';
import { textParts } from '../../domain/messages/text-parts.js';
import { inOneLine } from '../../domain/messages/whatsapp-template.js';
import { formatMailbox, type Mailbox, parseMailbox } from '../../formats/messages/mailbox.js';
import { laneText } from '../../formats/webhooks/lanes.js';
import type { Context } from '../runtime/command.js';
import { attachmentsOf, copiesOf, type RequestedCopy } from './email-fields.js';
import { domainKeys, firstRefusal, refusalAtAcceptance } from './gates.js';
import { messageProblems, missingText, parseRecipient } from './message-problems.js';
import { isToContact } from './recipient-contacts.js';
import type { MadeRequest } from './request.js';

/** A valid request. Where it has HTML alone its text is still empty, and its copies are not checked yet: `completeRequest` does both. */
export interface ReadRequest {
  readonly acceptance: Omit<Acceptance, 'refused'>;
  readonly copies: readonly RequestedCopy[];
}
export type ParsedRequest = ReadRequest | { readonly problems: readonly FieldProblem[] };

/**
 * Converts a request of valid shape to an acceptance: the address normalized, the text measured, times in one format. Returns
 * all problems at once, but those of contacts: see recipient-contacts.ts. `contact`: whom a request on a channel to contacts reaches; null
 * where there is nobody, and the request is refused or repeats one that was accepted.
 */
export function parseMessageRequest(
  request: MadeRequest,
  context: Pick<Context, 'now' | 'cause' | 'addresses' | 'ports'>,
  contact: string | null = null,
): ParsedRequest {
  const problems = [...messageProblems(request, context), ...missingText(request)];
  const { channel } = request;
  if (problems.length > 0 || !isChannel(channel)) return { problems };
  const reached = channels[channel].address === 'contact' ? (contact ?? NOBODY) : null;
  const to = reached === null ? parseRecipient(request.to, channel) : { address: reached, name: null };
  if (!('address' in to)) return { problems: [to] };
  const copies = channel === 'email' ? copiesOf(request, to.address) : [];
  return { acceptance: open(request, channel, to, context), copies };
}

/** Never stored. */
const NOBODY = 'con_NOBODY';

/** The key of a recipient. On a channel that reaches contacts both are the id of the contact: what is personal is sealed under it. */
export const recipientKey = (channel: ChannelName, to: string, { addresses, cause }: Pick<Context, 'addresses' | 'cause'>): string =>
  channels[channel].address === 'contact' ? to : addresses.key(cause.account, to);

/** Whether there is nothing left for `completeRequest` to do, as with most messages. */
const isComplete = ({ acceptance, copies }: ReadRequest): boolean =>
  copies.length === 0 && (acceptance.accepted.content.message !== '' || acceptance.accepted.content.html === undefined);

/** Makes the text of a message that has HTML alone, and checks its copies. The keys of its copies are stored. */
export async function completeRequest(read: ReadRequest, context: Context): Promise<ReadRequest['acceptance']> {
  const { acceptance, copies } = read;
  if (isComplete(read)) return acceptance;
  const { accepted } = acceptance;
  const { message, html, subject } = accepted.content;
  const text = message === '' && html !== undefined ? (await context.ports.messages.textOfHtml(html)) || subject || NO_TEXT : message;
  const checked = await checkedCopies(copies, accepted, context);
  return {
    ...acceptance,
    accepted: { ...accepted, content: { ...accepted.content, message: text }, ...(checked.length > 0 && { copies: checked }) },
  };
}

async function checkedCopies(copies: readonly RequestedCopy[], accepted: AcceptedMessage, context: Context): Promise<Copy[]> {
  if (copies.length === 0) return [];
  const keys = copies.map(({ recipient }) => context.addresses.key(context.cause.account, recipient.address));
  const boxes = await context.log.sealBoxes(copies.map(({ recipient }, i) => ({ subject: keys[i] as string, content: { ...recipient } })));
  return Promise.all(
    copies.map(async ({ kind, recipient }, i) => {
      const key = keys[i] as string;
      const asked = [key, ...domainKeys({ channel: accepted.channel, to: recipient.address }, context)];
      const refused = await firstRefusal(asked, (one) => refusalAtAcceptance(accepted, one, context));
      return { kind, key, sealed: boxes[i] as string, ...(refused && { refused }) };
    }),
  );
}

function open(
  request: MadeRequest,
  channel: keyof typeof channels,
  to: Mailbox,
  { now, cause, addresses }: Pick<Context, 'now' | 'cause' | 'addresses'>,
) {
  const { message = '', subject, html, title, action_url, media_urls, data, push, template_id, template_version, content_language } = request;
  const whatsapp_template = request.whatsapp_template && inOneLine(request.whatsapp_template);
  const wanted = request.send_at === undefined ? null : new Date(request.send_at).toISOString();
  const send_at = wanted !== null && wanted > now ? wanted : null;
  const { sender, ...named } = channel === 'email' ? ofEmail(request, to) : { sender: request.from, reply_to: request.reply_to };
  const accepted: AcceptedMessage = {
    to_key: recipientKey(channel, to.address, { addresses, cause }),
    to: to.address,
    channel,
    category: request.category ?? 'transactional',
    content: omitUndefined({ message, ...named, subject, html, title, action_url, media_urls, data, push, whatsapp_template }),
    ...(channels[channel].segmented && measured(message)),
    ...omitUndefined({
      metadata: request.metadata,
      from: sender,
      webhook_url: request.webhook_url,
      webhook_lane: request.webhook_url && addresses.key(cause.account, laneText(request.webhook_url)),
      webhook_events: request.webhook_events,
      tags: request.tags,
      contact_id: request.contact_id ?? (isToContact(request) ? to.address : undefined),
      template_id,
      template_version,
      content_language,
      expires_at: request.ttl_seconds && new Date(Date.parse(send_at ?? now) + request.ttl_seconds * 1_000).toISOString(),
    }),
    ...(cause.test && { test: true }),
    created_at: now,
  } as AcceptedMessage;
  return { accepted, send_at };
}

/** The fields that only email has, in the form in which they are stored. */
function ofEmail(request: MadeRequest, to: Mailbox) {
  const { from, reply_to } = request;
  const sender = from === undefined ? null : parseMailbox(from);
  const replies = reply_to === undefined ? null : parseMailbox(reply_to);
  return {
    sender: sender?.address,
    to_name: to.name ?? undefined,
    from_name: sender?.name ?? undefined,
    reply_to: replies ? formatMailbox(replies) : undefined,
    headers: request.headers,
    attachments: attachmentsOf(request),
  };
}

const measured = (message: string) => {
  const { segments, encoding } = textParts(message);
  return { segments, encoding };
};

/** Stands for the content of a request whose template gives none: such a request is refused, or repeats one that was accepted. Never stored. */
export const NO_CONTENT = { message: '-' } as const;

/** The text of an email that shows nothing but pictures without a description, and has no subject. */
const NO_TEXT = ' ';
