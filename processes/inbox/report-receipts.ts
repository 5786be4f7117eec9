import { type ReportedReceipt, recordReceipt } from '../../commands/messages/record-receipt.js';
import type { SealedInboxEvent } from '../../domain/inbox/item.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type Intention, type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

type Report = Extract<SealedMessageEvent, { type: 'MessageDelivered' | 'MessageRead' | 'MessageClicked' | 'ReceiptIgnored' }>;
type HandledEvent =
  | Extract<SealedMessageEvent, { type: 'MessageSent' }>
  | Report
  | Extract<SealedInboxEvent, { type: 'InboxItemRead' | 'InboxItemClicked' }>;

type ReceiptKind = 'delivered' | 'read' | 'clicked';

/** A receipt of a message. The id is the message's, and the raw status, which no receipt of a message repeats. */
export interface InboxReceiptTodo extends Todo {
  readonly correlation: string;
  readonly message_id: string;
  readonly carrier_message_id: string;
  readonly kind: ReceiptKind;
  readonly raw_status: string;
}

/**
 * Reports what becomes of in-app messages, as other carriers do by receipts: a message that is stored in an inbox is delivered, and
 * reading and clicking it there are engagement.
 */
export const reportInboxReceipts = (carrier: string): ProcessManager<HandledEvent, InboxReceiptTodo> => ({
  name: 'inbox/report-receipts',
  version: 1,
  handles: ['MessageSent', 'MessageDelivered', 'MessageRead', 'MessageClicked', 'ReceiptIgnored', 'InboxItemRead', 'InboxItemClicked'],
  partitionsOf: (stored) => [messageOf(stored)],
  reads: (stored) => {
    const { event } = stored;
    if ('carrier' in event.data && event.data.carrier !== carrier) return {};
    return { todos: [todoId(messageOf(stored), rawStatusOf(event))] };
  },
  react: (stored) => {
    const { event } = stored;
    switch (event.type) {
      case 'MessageSent':
        if (event.data.carrier !== carrier) return [{ do: 'ignore', reason: 'another_carrier' }];
        return [scheduled(stored, 'delivered', event.data.carrier_message_id)];
      case 'InboxItemRead':
        return event.data.first ? [scheduled(stored, 'read', event.data.item_id)] : [{ do: 'ignore', reason: 'read_before' }];
      case 'InboxItemClicked':
        return [scheduled(stored, 'clicked', event.data.item_id)];
      default:
        if (event.data.carrier !== carrier) return [{ do: 'ignore', reason: 'another_carrier' }];
        return [{ do: 'cancel', id: todoId(messageOf(stored), event.data.raw_status) }];
    }
  },
  concurrency: { lane: 64, total: 64 },

  perform: performEach(async (todo, { execute }) => {
    const { id, account, correlation } = todo;
    const { position } = await execute(recordReceipt, receiptOf(carrier, todo), { account, correlation, about: id });
    return position;
  }),
});

const messageOf = ({ event, stream }: LogEvent<HandledEvent>): string => ('message_id' in event.data ? event.data.message_id : messageIdOf(stream));
const todoId = (messageId: string, rawStatus: string): string => `${messageId}/${rawStatus}`;

function rawStatusOf(event: HandledEvent): string {
  switch (event.type) {
    case 'MessageSent':
      return 'delivered';
    case 'InboxItemRead':
      return 'read';
    case 'InboxItemClicked':
      return `clicked ${event.data.nth}`;
    default:
      return event.data.raw_status;
  }
}

function scheduled(stored: LogEvent<HandledEvent>, kind: ReceiptKind, carrier_message_id: string): Intention {
  const { event, meta } = stored;
  const message_id = messageOf(stored);
  const raw_status = rawStatusOf(event);
  const about = { message_id, carrier_message_id, kind, raw_status };
  const due_at = Date.parse(event.data.at);
  const base = { account: meta.account, correlation: meta.$correlationId, priority: 1, lane: 'inbox' } as const;
  const todo: InboxReceiptTodo = { id: todoId(message_id, raw_status), due_at, ...base, ...about };
  return { do: 'schedule', todo };
}

function receiptOf(carrier: string, { message_id: id, carrier_message_id, kind, raw_status, due_at }: InboxReceiptTodo): ReportedReceipt {
  const at = new Date(due_at).toISOString();
  return { id, receipt: { carrier, carrier_message_id, kind, raw_status, code: null, at } };
}
