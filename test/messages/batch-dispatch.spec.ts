import { expect } from 'chai';
import { type BatchDispatchCommand, type BatchDispatchEvent, batchDispatch, startsOf } from '../../domain/messages/batch-dispatch.js';
import { specification } from '../given.js';
import { now } from './message-examples.js';

const { given } = specification(batchDispatch);
const batch = { batch_id: 'bat_1', chunks: 2 };
const group = { chunk: 1, channel: 'sms', category: 'transactional' } as const;
const start = (more: Partial<Extract<BatchDispatchCommand, { type: 'Start' }>> = {}): BatchDispatchCommand => ({
  ...{ type: 'Start', batch, group, range: { from: 0, to: 3 }, indexes: [0, 1, 2, 3], repeats: [] },
  ...{ carrier: 'sandbox', epoch: 5, window: 32, now },
  ...more,
});
const started = (more: object = {}): Extract<BatchDispatchEvent, { type: 'BulkDispatchStarted' }> => ({
  type: 'BulkDispatchStarted',
  data: { ...batch, ...group, from: 0, count: 4, except: [], repeats: [], carrier: 'sandbox', epoch: 5, window: 32, at: now, ...more },
});
const cancel = (index: number): BatchDispatchCommand => ({ type: 'CancelItem', batch, chunk: 1, index, message_id: 'msg_1', now });
const canceled = (index: number): BatchDispatchEvent => ({
  type: 'BulkItemCanceled',
  data: { ...batch, chunk: 1, index, message_id: 'msg_1', at: now },
});
const returned: BatchDispatchEvent = { type: 'BulkDispatchReturned', data: { ...batch, ...group, epoch: 5, at: now } };

describe('BatchDispatch', () => {
  it('starts the messages of a range', () => given().when(start()).then(started()));
  it('leaves out canceled messages', () =>
    given(canceled(2))
      .when(start())
      .then(started({ except: [2] })));
  it('leaves out those that are not named', () =>
    given()
      .when(start({ indexes: [1, 3], repeats: [3] }))
      .then(started({ except: [0, 2], repeats: [3] })));
  it('records a range of which no message is left', () =>
    given(canceled(0), canceled(1))
      .when(start({ range: { from: 0, to: 1 }, indexes: [0, 1] }))
      .then(started({ count: 2, except: [0, 1] })));
  it('starts nothing once a later epoch has started messages of the group', () =>
    given(started({ epoch: 6 }))
      .when(start())
      .thenNothing());
  it('starts messages of another group whatever the epochs', () =>
    given(started({ epoch: 6, channel: 'email' }))
      .when(start())
      .then(started()));

  it('cancels a message that is not started', () =>
    given(started({ count: 2 }))
      .when(cancel(2))
      .then(canceled(2)));
  it('cancels a message that was left out of a start', () =>
    given(started({ except: [1] }))
      .when(cancel(1))
      .then(canceled(1)));
  it('changes nothing when a cancel is repeated', () => given(canceled(2)).when(cancel(2)).thenNothing());
  it('refuses to cancel a message that is started', () => given(started()).when(cancel(3)).thenRefused('invalid_state', { current: 'sending' }));

  it('returns what its epoch has started', () => given(started()).when({ type: 'Return', batch, group, epoch: 5, now }).then(returned));
  it('returns nothing that it has not started', () => given().when({ type: 'Return', batch, group, epoch: 5, now }).thenNothing());
  it('returns nothing after a later epoch has started messages', () =>
    given(started(), started({ epoch: 6 }))
      .when({ type: 'Return', batch, group, epoch: 5, now })
      .thenNothing());
  it('knows that what was returned is not called', () =>
    expect(
      given(started(), returned)
        .state()
        .ranges.map(({ window }) => window),
    ).to.deep.equal([0]));
});

describe('the starts of a message', () => {
  const attempts = (...ranges: { data: Parameters<typeof startsOf>[0][number] }[]) =>
    startsOf(
      ranges.map(({ data }) => data),
      1,
    ).map(({ data: { attempt, epoch, repeat } }) => [attempt, epoch, repeat]);

  it('are none where no range has it', () => expect(attempts(started({ from: 2, count: 2 }), started({ except: [1] }))).to.deep.equal([]));
  it('are counted where an earlier outcome is unknown', () =>
    expect(attempts(started(), started({ epoch: 6, repeats: [1] }))).to.deep.equal([
      [1, 5, false],
      [2, 6, true],
    ]));
  it('begin again where it was not called', () => expect(attempts(started(), started({ epoch: 6 }))).to.deep.equal([[1, 6, false]]));
});
