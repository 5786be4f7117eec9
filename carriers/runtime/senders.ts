import type { FieldProblem } from '../../domain/kernel/errors.js';
import { isInternational } from '../../domain/messages/international.js';
import { senderProblems } from '../../domain/messages/senders.js';
import type { CarrierDescriptor } from './descriptor.js';
import { mailboxOf } from './mailbox.js';

/** Some carriers take numbers without a plus. */
const NUMBER = /^\+?\d{3,15}$/;

/** What is wrong with the sender in the settings of a carrier: it is one on no channel that the carrier serves, or one that the carrier refuses. */
export function carrierSenderProblems(carrier: SendingCarrier, from: string, field: string): readonly FieldProblem[] {
  if (NUMBER.test(from)) return [];
  const { channels, senders = {} } = carrier;
  const found = channels.map((channel) => senderProblems(field, from, channel, senders[channel] ?? []));
  if (found.every((problems) => problems.length > 0)) return found[0] ?? [];
  return isRefusedMailbox(carrier, from) ? [{ field, code: 'invalid_sender', message: refusedMailbox(carrier.name) }] : [];
}

type SendingCarrier = Pick<CarrierDescriptor, 'name' | 'channels' | 'senders' | 'international'>;

/** Whether a carrier of email refuses this sender at each message. */
export function isRefusedMailbox({ channels, international }: SendingCarrier, from: string): boolean {
  const address = mailboxOf(from)?.address ?? '';
  return channels.includes('email') && !international && isInternational(address.slice(0, address.lastIndexOf('@')));
}

/** Why. */
export const refusedMailbox = (carrier: string): string =>
  `Letters such as ö before the @ are not supported by ${carrier}. Use another address, for example shop@example.com.`;
