import { type DispatchTodo, dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { processSpecification, recorded } from '../support/process-specification.js';

const AT = '2026-01-15T10:30:00.000Z';
const process = dispatchMessages({
  routes: () => {
    throw new Error('react() calls no carrier');
  },
});
type Handled = Parameters<typeof process.react>[0]['event'];
const { given } = processSpecification<Handled, DispatchTodo>(process);

const item = (id: string) => ({ id, to_key: 'key-of-ada', channel: 'sms', category: 'transactional', created_at: AT, sealed: 'box' });
const event = (type: Handled['type'], data: object) => ({ type, data }) as Handled;
const chunk = event('BulkChunkAccepted', { batch_id: 'bat_1', chunk: 0, items: [item('msg_1'), item('msg_2')] });
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

describe('dispatching messages of a batch, event by event', () => {
  it('stores the items of a chunk, and schedules none of them yet', () =>
    given()
      .when(chunk)
      .then({ do: 'store-note', note: { id: 'bat_1/0', items: [item('msg_1'), item('msg_2')] } as never }));

  it('schedules all items once the batch is accepted', () =>
    given(chunk)
      .when(bulkAccepted)
      .then({ do: 'schedule', todo: todoOf('msg_1') }, { do: 'schedule', todo: todoOf('msg_2') }, { do: 'delete-note', id: 'bat_1/0' }));

  it('cancels the to-do of an item whose message exists already (MessageRepeated)', () =>
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageRepeated', { batch_id: 'bat_1', at: AT }))
      .then({ do: 'cancel', id: 'msg_1' }));

  it('keeps the to-do while a hand-over runs', () =>
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageDispatchStarted', { carrier: 'sandbox', attempt: 1, epoch: 1, repeat: false, at: AT }))
      .thenIgnored('stays_until_its_outcome'));

  it('schedules a deferred message at its retry time, without the item of the batch', () => {
    const { item: _, ...todo } = todoOf('msg_1');
    given(chunk, bulkAccepted)
      .when(ofMessage('MessageDispatchDeferred', { retry_at: '2026-01-15T10:30:01.000Z' }))
      .then({ do: 'schedule', todo: { ...todo, begun: true, due_at: Date.parse('2026-01-15T10:30:01.000Z') } as never });
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
