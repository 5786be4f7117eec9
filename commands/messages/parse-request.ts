import { channelNames, channels, isChannel } from '../../domain/kernel/channels.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import type { Acceptance, Accepted } from '../../domain/messages/message.js';
import type { StatusReason } from '../../domain/messages/status.js';
import { textParts } from '../../domain/messages/text-parts.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import type { Context } from '../kernel.js';
import { suppressionGate, webhookUrlCheck } from './dependencies.js';
import type { MessageRequest } from './request.js';

/** A problem, and what the caller is told besides. */
export interface RequestProblem extends FieldProblem {
  readonly details?: Readonly<Record<string, unknown>>;
}

export type ParsedRequest = { readonly acceptance: Omit<Acceptance, 'refused'> } | { readonly problems: readonly RequestProblem[] };

const PHONE_HINT = 'Use a country prefix, for example +14155550100.';

/**
 * Makes of a request what is accepted: the address in its one spelling, the text measured, times in one form. Finds
 * everything that is wrong at once. The shape was checked before.
 */
export function parseMessageRequest(request: MessageRequest, context: Pick<Context, 'now' | 'cause' | 'addresses' | 'use'>): ParsedRequest {
  const problems: RequestProblem[] = [];
  const { channel } = request;
  if (!isChannel(channel)) {
    problems.push({
      field: 'channel',
      code: 'unsupported_channel',
      message: `There is no channel '${channel}'.`,
      details: { allowed: channelNames },
    });
  }
  const to = isChannel(channel) ? readAddress(request.to, channels[channel].address, problems) : null;
  if (isChannel(channel)) checkText(request, channel, problems);
  if (request.webhook_url !== undefined) {
    const wrong = context.use(webhookUrlCheck)(request.webhook_url);
    if (wrong) problems.push({ field: 'webhook_url', ...wrong });
  }
  if (request.template_id !== undefined) {
    problems.push({ field: 'template_id', code: 'not_found', message: `There is no template with the id '${request.template_id}'.` });
  }
  if (problems.length > 0 || to === null || !isChannel(channel)) return { problems };
  return { acceptance: open(request, channel, to, context) };
}

function readAddress(to: string, kind: 'phone' | 'email' | 'contact', problems: RequestProblem[]): string | null {
  if (kind === 'contact') {
    problems.push({
      field: 'to',
      code: 'recipient_not_found',
      message: 'No contact has this id, email or phone, so there is no device or inbox to reach.',
    });
    return null;
  }
  const address = kind === 'phone' ? normalizePhone(to) : normalizeEmail(to);
  if (address !== null) return address;
  problems.push(
    kind === 'phone'
      ? { field: 'to', code: 'invalid_phone', message: PHONE_HINT }
      : { field: 'to', code: 'invalid_email', message: 'Use an email address, for example ada@example.com.' },
  );
  return null;
}

function checkText({ message, html }: MessageRequest, channel: keyof typeof channels, problems: RequestProblem[]): void {
  const { maxLength } = channels[channel];
  const check = (field: string, length: number, unit: string) => {
    if (length <= maxLength) return;
    problems.push({
      field,
      code: 'message_too_long',
      message: `A message on ${channel} has at most ${maxLength} ${unit}, this one has ${length}.`,
      details: { limit: maxLength, received: length },
    });
  };
  if (channel === 'email') {
    check('message', Buffer.byteLength(message), 'bytes');
    if (html !== undefined) check('html', Buffer.byteLength(html), 'bytes');
  } else check('message', message.length, 'characters');
}

function open(
  request: MessageRequest,
  channel: keyof typeof channels,
  to: string,
  { now, cause, addresses }: Pick<Context, 'now' | 'cause' | 'addresses'>,
) {
  const { message, subject, html, reply_to, title, action_url, media_urls, data } = request;
  const wanted = request.send_at === undefined ? null : new Date(request.send_at).toISOString();
  const send_at = wanted !== null && wanted > now ? wanted : null;
  const accepted: Accepted = {
    to_key: addresses.key(cause.account, to),
    to,
    channel,
    category: request.category ?? 'transactional',
    content: given({ message, subject, html, reply_to, title, action_url, media_urls, data }),
    ...(channels[channel].segmented && measured(message)),
    ...given({
      metadata: request.metadata,
      from: request.from,
      webhook_url: request.webhook_url,
      webhook_events: request.webhook_events,
      tags: request.tags,
      contact_id: request.contact_id,
      expires_at: request.ttl_seconds && new Date(Date.parse(send_at ?? now) + request.ttl_seconds * 1_000).toISOString(),
    }),
    created_at: now,
  } as Accepted;
  return { accepted, send_at };
}

const measured = (message: string) => {
  const { segments, encoding } = textParts(message);
  return { segments, encoding };
};

/** The fields that have a value. A copy: an object from which fields are deleted is slow for all that comes after. */
function given<T extends Record<string, unknown>>(fields: T): T {
  const copy: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) copy[key] = fields[key];
  return copy as T;
}

/** Codes that stand at the top of an error when they are its only problem. */
const NAMED = new Set(['unsupported_channel', 'recipient_not_found', 'message_too_long', 'invalid_url']);

/** The error of a request whose fields are wrong. */
export function throwProblems(problems: readonly RequestProblem[]): never {
  const plain = problems.map(({ field, code, message }) => ({ field, code, message }));
  const [only] = problems;
  if (only && problems.length === 1 && NAMED.has(only.code))
    throw new DomainError(only.code, only.message, { field: only.field, ...only.details, errors: plain });
  throw invalid(plain);
}

/** What the gate at acceptance says of an acceptance. */
export const refusalAtAcceptance = ({ accepted }: Omit<Acceptance, 'refused'>, { use }: Pick<Context, 'use'>): Promise<StatusReason | null> =>
  use(suppressionGate).refusal({ toKey: accepted.to_key, channel: accepted.channel, category: accepted.category, at: 'acceptance' });
