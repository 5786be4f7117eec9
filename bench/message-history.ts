import { hash } from 'node:crypto';
import { type Message, type MessageCommand, message } from '../domain/messages/message.js';
import { hashId, newId } from '../log/runtime/ids.js';
import { systemEntropy } from '../ops/system/entropy.js';

/** Messages of months of use. Each number always has the same recipient, time and outcome. */
export interface GeneratedMessage {
  readonly id: string;
  readonly nth: number;
  readonly createdMs: number;
  state: Message;
  revision: number;
}

const RECIPIENTS = 100_000;
const SPACING_MS = 2_000;
const FIRST = Date.UTC(2026, 0, 1);

export function messageHistory(nth: number): GeneratedMessage {
  const createdMs = FIRST + nth * SPACING_MS;
  return { id: newId(systemEntropy, 'msg', createdMs), nth, createdMs, state: message.initial, revision: -1 };
}

const at = ({ createdMs }: GeneratedMessage, afterMs: number): string => new Date(createdMs + afterMs).toISOString();
/** One in twelve is undelivered. */
const outcomeOf = ({ nth }: GeneratedMessage): 'delivered' | 'undelivered' => (nth % 12 === 7 ? 'undelivered' : 'delivered');
const carrierIdOf = (history: GeneratedMessage): string => `sbx_${outcomeOf(history)}_${hash('sha256', history.id).slice(0, 24)}`;
/** With a million messages each recipient gets ten. */
export const recipientOf = (nth: number): string => `+1415${String(2_000_000 + ((nth * 7_919) % RECIPIENTS)).padStart(7, '0')}`;

/** The commands of a message, each with one event: accepted, taken, accepted by the carrier, reported. `keyOf` returns an address key. */
export const steps: readonly ((history: GeneratedMessage, keyOf: (to: string) => string) => MessageCommand)[] = [
  (history, keyOf) => {
    const to = recipientOf(history.nth);
    const content = { message: `Your parcel ${history.nth} has left our warehouse and will be with you by Friday.` };
    const about = {
      category: 'transactional',
      metadata: { order: `A${history.nth}` },
      segments: 1,
      encoding: 'GSM-7',
      created_at: at(history, 0),
    } as const;
    const accepted = { to_key: keyOf(to), to, channel: history.nth % 5 === 0 ? 'whatsapp' : 'sms', content, ...about } as const;
    return { type: 'Accept', acceptance: { accepted, send_at: null, refused: null }, now: at(history, 0) };
  },
  (history) => ({ type: 'StartDispatch', carrier: 'sandbox', epoch: 1, refused: null, on_unknown_outcome: 'retry', now: at(history, 5) }),
  (history) => ({ type: 'RecordAcceptedByCarrier', carrier: 'sandbox', carrier_message_id: carrierIdOf(history), now: at(history, 8) }),
  (history) => {
    const raw_status = outcomeOf(history);
    const carrier_message_id = carrierIdOf(history);
    const time = at(history, 158);
    const raw = JSON.stringify({ id: carrier_message_id, status: raw_status, at: time });
    const receipt_key = hashId('evt', carrier_message_id, raw_status);
    const receipt = {
      kind: raw_status,
      carrier: 'sandbox',
      carrier_message_id,
      raw_status,
      code: null,
      raw,
      at: time,
      received_at: time,
      receipt_key,
    };
    return { type: 'RecordReceipt', receipt };
  },
];
