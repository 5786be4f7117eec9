import { boundedText, count, flag, list, nullable, optional, record, type Static, text, time } from '../../domain/kernel/schema.js';
import { inboundEmail, KEPT_CHARACTERS, MAX_KEPT_ATTACHMENTS } from '../../domain/messages/inbound-email.js';
import { inboundStream } from '../../domain/suppressions/inbound-text.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import { command } from '../runtime/command.js';
import { inboundIdentity } from './inbound-identity.js';

const input = record({
  carrier: text,
  /** The carrier's own id, or a hash of the header field `Message-ID`: the same id again is a repeat. Null: a new email every time. */
  carrier_message_id: nullable(text),
  /** An address in any spelling, without a name. */
  from: text,
  from_name: nullable(boundedText({})),
  to: nullable(boundedText({})),
  subject: nullable(boundedText({})),
  text: boundedText({}),
  html: nullable(boundedText({})),
  attachments: list(record({ filename: nullable(boundedText({})), content_type: boundedText({}), size: count })),
  /** The header field `Message-ID`. */
  email_message_id: nullable(boundedText({})),
  /** Whether a program wrote it (RFC 3834). */
  automatic: flag,
  /** The message of this account that it replies to. */
  message_id: optional(text),
  /** Default: now. */
  at: optional(time),
});
export type InboundEmailReport = Static<typeof input>;

/** Records an email that a person wrote to the account. A repeat has no effect. Throws `validation_error` where `from` is no email address. */
export const recordInboundEmail = command({
  name: 'RecordInboundEmail',
  input,

  async handle({ carrier, carrier_message_id, from, at, ...given }, context): Promise<{ id: string; duplicate: boolean }> {
    const { now } = context;
    const identity = inboundIdentity('email', { carrier, carrier_message_id, from }, context);
    const notifies = (await loadSettings(context.log, context.cause.account))?.received_webhooks.channels.includes('email') !== false;
    const received = {
      ...identity,
      ...kept(given),
      ...(!notifies && { notifies }),
      ...(given.message_id !== undefined && { message_id: given.message_id }),
      automatic: given.automatic,
      at: at === undefined ? now : new Date(at).toISOString(),
      received_at: now,
    };
    const { position } = await context.decide(inboundEmail, inboundStream(identity.inbound_id), { type: 'Receive', received }, { assumeNew: true });
    return { id: identity.inbound_id, duplicate: position === null };
  },
});

const orNull = (value: string | null): string | null => (value === null || value === '' ? null : value);
/** The beginning, without half of a surrogate pair at its end. */
const startOf = (value: string): string => value.slice(0, KEPT_CHARACTERS).toWellFormed();

function kept({
  from_name,
  to,
  subject,
  text: body,
  html,
  attachments,
  email_message_id,
}: Omit<InboundEmailReport, 'from' | 'carrier' | 'carrier_message_id'>) {
  return {
    from_name: orNull(from_name),
    to: orNull(to),
    subject: orNull(subject),
    text: startOf(body),
    html: html === null ? null : orNull(startOf(html)),
    attachments: attachments.slice(0, MAX_KEPT_ATTACHMENTS).map(({ filename, content_type, size }) => ({
      filename: orNull(filename),
      content_type: content_type === '' ? 'application/octet-stream' : content_type,
      size,
    })),
    email_message_id: orNull(email_message_id),
    truncated: body.length > KEPT_CHARACTERS || (html?.length ?? 0) > KEPT_CHARACTERS,
  };
}
