import { hash } from 'node:crypto';
import { type Message, type MessageCommand, message } from '../../domain/messages/message.js';
import { hashId, newId } from '../../log/ids.js';
import { systemEntropy } from '../entropy.js';

/** Messages as they lie in a store that was used for months: each number always gives the same recipient, time and outcome. */
export interface MessageHistory {
  readonly id: string;
  readonly nth: number;
  readonly createdMs: number;
  state: Message;
  revision: number;
}

const RECIPIENTS = 100_000;
const SPACING_MS = 2_000;
const FIRST = Date.UTC(2026, 0, 1);

export function messageHistory(nth: number): MessageHistory {
  const createdMs = FIRST + nth * SPACING_MS;
  return { id: newId(systemEntropy, 'msg', createdMs), nth, createdMs, state: message.initial, revision: -1 };
}

const at = ({ createdMs }: MessageHistory, afterMs: number): string => new Date(createdMs + afterMs).toISOString();
/** One in twelve is undelivered. */
const outcomeOf = ({ nth }: MessageHistory): 'delivered' | 'undelivered' => (nth % 12 === 7 ? 'undelivered' : 'delivered');
const carrierIdOf = (life: MessageHistory): string => `sbx_${outcomeOf(life)}_${hash('sha256', life.id).slice(0, 24)}`;
/** With a million messages each recipient gets ten. */
export const recipientOf = (nth: number): string => `+1415${String(2_000_000 + ((nth * 7_919) % RECIPIENTS)).padStart(7, '0')}`;

/** What happens to a message, one command an event: accepted, taken, accepted by the carrier, reported. `keyOf` gives an address's key. */
export const steps: readonly ((life: MessageHistory, keyOf: (to: string) => string) => MessageCommand)[] = [
  (life, keyOf) => {
    const to = recipientOf(life.nth);
    const content = { message: `Your parcel ${life.nth} has left our warehouse and will be with you by Friday.` };
    const about = {
      category: 'transactional',
      metadata: { order: `A${life.nth}` },
      segments: 1,
      encoding: 'GSM-7',
      created_at: at(life, 0),
    } as const;
    const accepted = { to_key: keyOf(to), to, channel: life.nth % 5 === 0 ? 'whatsapp' : 'sms', content, ...about } as const;
    return { type: 'Accept', acceptance: { accepted, send_at: null, refused: null }, now: at(life, 0) };
  },
  (life) => ({ type: 'Take', carrier: 'sandbox', epoch: 1, refused: null, on_unknown_outcome: 'retry', now: at(life, 5) }),
  (life) => ({ type: 'RecordAcceptedByCarrier', carrier: 'sandbox', carrier_message_id: carrierIdOf(life), now: at(life, 8) }),
  (life) => {
    const raw_status = outcomeOf(life);
    const carrier_message_id = carrierIdOf(life);
    const time = at(life, 158);
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
