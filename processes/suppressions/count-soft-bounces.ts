import { countSoftBounce } from '../../commands/suppressions/count-soft-bounce.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { SoftBounceEvent } from '../../domain/suppressions/soft-bounces.js';
import { loadRecipientAddress } from '../../projections/messages/recipient-address.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A soft bounce that is not counted yet. The id consists of the address key and the message. */
export interface SoftBounceTodo extends Todo {
  readonly correlation: string;
  readonly address_key: string;
  readonly message_id: string;
  readonly occurred_at: string;
}

type Bounce = Extract<SealedMessageEvent, { type: 'MessageBounced' | 'ReceiptIgnored' }>;

/** When the last message to an address arrived, before a time; null where none is known. */
export type LastDelivery = (account: string, addressKey: string, before: string) => Promise<string | null>;

const todoId = ({ address_key, message_id }: { address_key: string; message_id: string }): string => `${address_key}/${message_id}`;

/** Counts soft bounces of addresses, of which so many within a time suppress one for marketing. Those of an unknown kind do not count. */
export const countSoftBounces = (lastDelivery: LastDelivery): ProcessManager<Bounce | SoftBounceEvent, SoftBounceTodo> => ({
  name: 'suppressions/count-soft-bounces',
  version: 1,
  handles: ['MessageBounced', 'ReceiptIgnored', 'SoftBounceCounted'],
  partitionsOf: ({ event }) => ['to_key' in event.data ? event.data.to_key : event.data.address_key],
  reads: ({ event: { type, data }, stream }) => {
    const id = type === 'SoftBounceCounted' ? todoId(data) : todoId({ address_key: data.to_key, message_id: messageIdOf(stream) });
    return { todos: [id], notes: [id] };
  },
  react: ({ event: { type, data }, stream, meta }, memory) => {
    // With a note: another report on the same message changes nothing, and would leave its to-do for ever.
    if (type === 'SoftBounceCounted')
      return [
        { do: 'store-note', note: { id: todoId(data) } },
        { do: 'cancel', id: todoId(data) },
      ];
    if (data.test) return [{ do: 'ignore', reason: 'test_message' }];
    if (data.bounce_class !== 'soft' || data.channel !== 'email') return [{ do: 'ignore', reason: 'no_soft_bounce' }];
    const about = { address_key: data.to_key, message_id: messageIdOf(stream) };
    const id = todoId(about);
    if (memory.note(id)) return [{ do: 'ignore', reason: 'counted_already' }];
    const from = { account: meta.account, correlation: meta.$correlationId, lane: 'feedback', priority: 1 } as const;
    return [{ do: 'schedule', todo: { id, due_at: Date.parse(data.received_at), ...from, ...about, occurred_at: data.at } }];
  },
  concurrency: { lane: 16, total: 16 },

  perform: performEach(async ({ id, account, correlation, address_key, message_id, occurred_at }, { execute, log }) => {
    const address = await loadRecipientAddress(log, message_id);
    const delivered_at = await lastDelivery(account, address_key, occurred_at);
    const bounce = { address_key, address, message_id, occurred_at, delivered_at };
    const { position } = await execute(countSoftBounce, bounce, { account, correlation, about: id });
    return position;
  }),
});
