import { channels, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { Acceptance, Accepted } from '../../domain/messages/message.js';
import type { StatusReason } from '../../domain/messages/status.js';
import { textParts } from '../../domain/messages/text-parts.js';
import { parseAddress } from '../../formats/contacts/parse-address.js';
import type { Context } from '../kernel.js';
import { suppressionGate } from './dependencies.js';
import { messageProblems } from './message-problems.js';
import type { MessageRequest } from './request.js';

export type ParsedRequest = { readonly acceptance: Omit<Acceptance, 'refused'> } | { readonly problems: readonly FieldProblem[] };

/**
 * Converts a request of valid shape to an acceptance: the address normalized, the text measured, times in one format. Returns
 * all problems at once.
 */
export function parseMessageRequest(request: MessageRequest, context: Pick<Context, 'now' | 'cause' | 'addresses' | 'use'>): ParsedRequest {
  const problems = messageProblems(request, context);
  const { channel } = request;
  if (problems.length > 0 || !isChannel(channel)) return { problems };
  const to = parseAddress(channels[channel].address === 'email' ? 'email' : 'phone', request.to);
  return typeof to === 'string' ? { acceptance: open(request, channel, to, context) } : { problems: [{ ...to, field: 'to' }] };
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

/** The fields that have a value. A copy, because deleting fields makes later accesses of an object slow. */
function given<T extends Record<string, unknown>>(fields: T): T {
  const copy: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) copy[key] = fields[key];
  return copy as T;
}

/** The input of the gate for an acceptance. */
export const refusalAtAcceptance = ({ accepted }: Omit<Acceptance, 'refused'>, { use }: Pick<Context, 'use'>): Promise<StatusReason | null> =>
  use(suppressionGate).refusal({ toKey: accepted.to_key, channel: accepted.channel, category: accepted.category, at: 'acceptance' });
