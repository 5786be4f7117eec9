import { type Message, message, messageStream } from '../../domain/messages/message.js';
import type { Receipt } from '../../domain/messages/receipt.js';
import { matchKeyword } from '../../domain/suppressions/keywords.js';
import { fingerprint } from '../../log/ids.js';
import { internalCommand } from '../kernel.js';

export interface ReportedReceipt {
  readonly id: string;
  /** As the carrier reports it. `keyword` only if the carrier classifies answers itself; otherwise it is found in the text. */
  readonly receipt: Omit<Receipt, 'received_at' | 'receipt_key'>;
}

/**
 * Records a receipt and updates the status of its message. A repeated receipt changes nothing. Throws `not_found` if the
 * message does not exist (yet).
 */
export const recordReceipt = internalCommand({
  name: 'RecordReceipt',

  async handle({ id, receipt: given }: ReportedReceipt, context): Promise<{ id: string; status: Message['status'] }> {
    const at = new Date(given.at).toISOString();
    const receipt_key = fingerprint([given.carrier, given.carrier_message_id, given.raw_status, at]);
    const keyword = given.keyword ?? matchKeyword(given.text ?? '')?.kind ?? null;
    const receipt: Receipt = { ...given, at, received_at: context.now, receipt_key, keyword };
    const { state } = await context.decide(message, messageStream(id), { type: 'RecordReceipt', receipt }, { cached: true, sealed: true });
    return { id, status: state.status };
  },
});
