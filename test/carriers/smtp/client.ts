import type { OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import { createSmtp } from '../../../carriers/smtp/send.js';
import type { SmtpSettings } from '../../../carriers/smtp/settings.js';
import type { SendResult } from '../../../domain/messages/send-result.js';
import { systemClock } from '../../../ops/system/clock.js';

export const ID = 'msg_01JZ0000000000000000000000';

/** A message, as the carrier gets it. */
export const outgoing: OutgoingMessage = {
  message_id: ID,
  account: 'acc_01JZ0000000000000000000000',
  channel: 'email',
  to: 'ada@example.org',
  from: 'grace@example.com',
  category: 'transactional',
  content: { message: 'Hello', subject: 'Hello' },
  attempt: 1,
};

/** The carrier of a server, and what becomes of a message: the answer, or the error of an unknown outcome. */
export function smtpClient(url: string, settings: SmtpSettings = {}, clock = systemClock) {
  const carrier = createSmtp({ url, ...settings }, { clock, track: null, tagOf: null, own: null });
  const send = (given: Partial<OutgoingMessage> = {}, signal = new AbortController().signal): Promise<SendResult | Error> =>
    carrier.send({ ...outgoing, ...given }, signal).catch((e: Error) => e);
  return { carrier, send };
}
