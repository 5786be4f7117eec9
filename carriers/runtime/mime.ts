import { isWrittenByMachine } from '../../domain/messages/machine-marks.js';
import { type IncomingEmail, type UnreadableElement, unreadable } from './incoming.js';
import { loadMail, mailContentOf } from './mail.js';

/** A mail as an incoming one. `envelope`: the addresses that received it, if they are known. */
export async function emailOfMime(bytes: Buffer, carrier: string, envelope: readonly string[]): Promise<IncomingEmail | UnreadableElement> {
  const mail = loadMail(bytes);
  if (!mail.sender?.address.includes('@')) return unreadable('no sender');
  const content = await mailContentOf(mail);
  const { address: from, name: from_name } = mail.sender;
  const ms = Date.parse(mail.field('date').replace(/\([^()]*\)\s*$/, ''));
  return {
    kind: 'email',
    carrier,
    ...content,
    carrier_message_id: content.email_message_id,
    from,
    to: envelope.length > 0 ? envelope : addressesIn(mail.field('to')),
    references: `${mail.field('in-reply-to')} ${mail.field('references')}`,
    token: null,
    automatic: isWrittenByMachine({ header: mail.markedHeader, from, from_name, subject: mail.subject, types: mail.types }),
    at: Number.isFinite(ms) ? new Date(ms).toISOString() : null,
  };
}

/** Characters; longer words are no addresses. */
const MAX_ADDRESS = 320;
/** The addresses in a header field. Not by one expression: on a long line without an @ that takes quadratic time. */
export const addressesIn = (field: string): string[] =>
  field.split(/[\s<>,;"()]+/).filter((word) => word.length <= MAX_ADDRESS && word.indexOf('@') > 0);
