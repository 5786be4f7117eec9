import { invalid } from '../../domain/kernel/errors.js';
import { parseAddress, parseTextSender } from '../../formats/contacts/parse-address.js';
import { inboundId } from '../../log/aggregates/messages/inbound-id.js';
import type { Context } from '../runtime/command.js';

interface ReportedInbound {
  readonly carrier: string;
  /** Null if the carrier has no ids; then every report is new. */
  readonly carrier_message_id: string | null;
  /** The sender in any spelling; of a text also a short code or a name, which stay as they are. */
  readonly from: string;
}

/**
 * What identifies a text or an email that a carrier reports, and its sender: the same carrier and id give the same `inbound_id`. Throws
 * `validation_error` where `from` is no sender of that kind.
 */
export function inboundIdentity(kind: 'email' | 'phone', { carrier, carrier_message_id, from: reported }: ReportedInbound, context: Context) {
  const { account } = context.cause;
  const from = (kind === 'phone' ? parseTextSender(reported) : null) ?? parseAddress(kind, reported);
  if (typeof from !== 'string') throw invalid([{ ...from, field: 'from' }]);
  const carrierId = carrier_message_id ?? context.newId('evt');
  return {
    inbound_id: inboundId(account, carrier, carrierId),
    carrier,
    carrier_message_id: carrierId,
    from_key: context.addresses.key(account, from),
    from,
  };
}
