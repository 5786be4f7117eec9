import type { FieldProblem } from '../../domain/kernel/errors.js';
import { senderProblems } from '../../domain/messages/senders.js';
import type { CarrierDescriptor } from './descriptor.js';

/** Some carriers take numbers without a plus. */
const NUMBER = /^\+?\d{3,15}$/;

/** What is wrong with the sender in the settings of a carrier: it is one on no channel that the carrier serves. */
export function carrierSenderProblems(
  { channels, senders = {} }: Pick<CarrierDescriptor, 'channels' | 'senders'>,
  from: string,
  field: string,
): readonly FieldProblem[] {
  if (NUMBER.test(from)) return [];
  const found = channels.map((channel) => senderProblems(field, from, channel, senders[channel] ?? []));
  return found.some((problems) => problems.length === 0) ? [] : (found[0] ?? []);
}
