import { expect } from 'chai';
import type { ChunkTodo } from '../../processes/messages/dispatch-chunk.js';
import type { DispatchTodo } from '../../processes/messages/dispatch-message.js';
import { type AnyDispatchTodo, dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { processSpecification, recorded } from '../support/process-specification.js';

const AT = '2026-01-15T10:30:00.000Z';
const process = dispatchMessages({
  routes: () => {
    throw new Error('react() calls no carrier');
  },
});
type Handled = Parameters<typeof process.react>[0]['event'];
const { given } = processSpecification<Handled, AnyDispatchTodo>(process);

const item = (id: string) => ({ id, to_key: 'key-of-ada', channel: 'sms', category: 'transactional', created_at: AT, sealed: 'box' });
const event = (type: Handled['type'], data: object) => ({ type, data }) as Handled;
const chunk = event('BulkChunkAccepted', { batch_id: 'bat_1', chunk: 0, alone: [0, 1], items: [item('msg_1'), item('msg_2')] });
const bulkAccepted = event('BulkAccepted', { batch_id: 'bat_1', chunks: 1 });
const ofMessage = (type: Handled['type'], data: object = {}) => recorded(event(type, data), { stream: 'message-msg_1', revision: 1 });
const todoOf = (id: string): DispatchTodo =>
  ({
    id,
    due_at: Date.parse(AT),
    priority: 1,
    lane: 'sms',
    to_key: 'key-of-ada',
    channel: 'sms',
    category: 'transactional',
    item: item(id),
    account: 'acc_1',
    correlation: 'req_1',
    begun: false,
  }) as unknown as DispatchTodo;

const group = { chunk: 0, channel: 'sms', category: 'transactional' } as const;
const mixed = event('BulkChunkAccepted', {
  batch_id: 'bat_1',
  chunk: 0,
  alone: [1],
  items: [item('msg_1'), item('msg_2'), item('msg_3'), { ...item('msg_4'), channel: 'email', category: 'marketing' }],
});
const chunkTodo = (of: Partial<ChunkTodo> & Pick<ChunkTodo, 'id' | 'priority' | 'lane' | 'count'>): ChunkTodo => ({
  due_at: Date.parse(AT),
  batch_id: 'bat_1',
  chunks: 1,
  account: 'acc_1',
  correlation: 'req_1',
  ...group,
  ...of,
});
const smsTodo = chunkTodo({ id: 'bat_1/0/transactional/sms', priority: 1, lane: 'sms', count: 2 });

describe('dispatching the messages of a chunk together, event by event', () => {
  it('stores the number of its messages by channel and category, and those that are dispatched by themselves', () =>
    given()
      .when(mixed)
      .then({
        do: 'store-note',
        note: {
          id: 'bat_1/0',
          items: [item('msg_2')],
          groups: [
            { ...group, count: 2, due_at: Date.parse(AT) },
            { ...group, channel: 'email', category: 'marketing', count: 1, due_at: Date.parse(AT) },
          ],
        } as never,
      }));

  it('schedules one to-do for each channel and category once the batch is accepted', () =>
    given(mixed)
      .when(bulkAccepted)
      .then(
        { do: 'schedule', todo: todoOf('msg_2') },
        { do: 'schedule', todo: smsTodo },
        {
          do: 'schedule',
          todo: chunkTodo({ id: 'bat_1/0/marketing/email', priority: 2, lane: 'email', channel: 'email', category: 'marketing', count: 1 }),
        },
        { do: 'delete-note', id: 'bat_1/0' },
      ));

  it('cancels the to-do at the end of the dispatch', () =>
    given(mixed, bulkAccepted)
      .when(event('BulkDispatchEnded', { batch_id: 'bat_1', chunks: 1, ...group, at: AT }))
      .then({ do: 'cancel', id: smsTodo.id }));

  it('counts the messages of a to-do where the rate of an account is limited', () => {
    expect(process.weight?.(smsTodo)).to.equal(2);
    expect(process.weight?.(todoOf('msg_1'))).to.equal(1);
  });
});

describe('dispatching messages of a batch by themselves, event by event', () => {
  it('stores the items of a chunk, and schedules none of them yet', () =>
    given()
      .when(chunk)
      .then({ do: 'store-note', note: { id: 'bat_1/0', items: [item('msg_1'), item('msg_2')], groups: [] } as never }));

  it('schedules all items once the batch is accepted', () =>
    given(chunk)
      .when(bulkAccepted)
      .then({ do: 'schedule', todo: todoOf('msg_1') }, { do: 'schedule', todo: todoOf('msg_2') }, { do: 'delete-note', id: 'bat_1/0' }));

  it('cancels the to-do of an item whose message exists already (MessageRepeated)', () =>
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageRepeated', { batch_id: 'bat_1', at: AT }))
      .then({ do: 'cancel', id: 'msg_1' }));

  it('keeps the to-do while a dispatch runs', () =>
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageDispatchStarted', { carrier: 'sandbox', attempt: 1, epoch: 1, repeat: false, at: AT }))
      .thenIgnored('stays_until_its_outcome'));

  it('schedules a deferred message at its retry time, without the item of the batch', () => {
    const { item: _, ...todo } = todoOf('msg_1');
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageDispatchDeferred', { carrier: 'twilio', code: 'busy', retry_at: '2026-01-15T10:30:01.000Z' }))
      .then({
        do: 'schedule',
        todo: { ...todo, begun: true, last: { carrier: 'twilio', unknown: false }, due_at: Date.parse('2026-01-15T10:30:01.000Z') } as never,
      });
  });

  it('notes the carrier of an unknown outcome for good, and until when a message waits for corrected settings', () => {
    const { item: _, ...todo } = todoOf('msg_1');
    const retry_at = '2026-01-15T10:30:01.000Z';
    const until = '2026-01-18T10:30:00.000Z';
    given(chunk, bulkAccepted, ofMessage('MessageDispatchDeferred', { carrier: 'twilio', code: 'unknown_outcome', retry_at }))
      .when(ofMessage('MessageDispatchDeferred', { carrier: 'twilio', code: '20003', retry_at, waits: { reason: 'carrier_misconfigured', until } }))
      .then({
        do: 'schedule',
        todo: {
          ...{ ...todo, begun: true, last: { carrier: 'twilio', unknown: true }, due_at: Date.parse(until) },
          ...{ waits: { until, retry_at, by: 'carrier' }, awaits: `${todo.priority}/${todo.account}/sms/carrier` },
        } as never,
      });
  });

  it('ignores a deferral of a message that is not on the list', () =>
    given()
      .when(ofMessage('MessageDispatchDeferred', { retry_at: '2026-01-15T10:30:01.000Z' }))
      .thenIgnored('nothing_to_dispatch'));

  it('cancels the to-do of a sent message', () =>
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageSent', { carrier: 'sandbox', carrier_message_id: 'x', at: AT }))
      .then({ do: 'cancel', id: 'msg_1' }));
});
