import { expect } from 'chai';
import type { StartedRange } from '../../domain/messages/batch-dispatch.js';
import { interruptedDispatch } from '../../domain/messages/interrupted-dispatch.js';

const range = (from: number, count: number, more: Partial<StartedRange> = {}): StartedRange => ({
  ...{ batch_id: 'bat_1', chunks: 1, chunk: 0, channel: 'sms', category: 'marketing', except: [], repeats: [], carrier: 'x' },
  ...{ from, count, epoch: 1, window: 4, at: '2026-01-15T10:30:00.000Z' },
  ...more,
});
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const interrupted = (ranges: readonly StartedRange[], ...recorded: number[]) => interruptedDispatch(ranges, (index) => recorded.includes(index));

describe('an interrupted dispatch', () => {
  it('may have called as many as can be called and not recorded at a time; the rest it has not called', () =>
    expect(interrupted([range(0, 10)])).to.deep.equal({ unknown: [0, 1, 2, 3], uncalled: [4, 5, 6, 7, 8, 9] }));

  it('counts from the first that is not recorded', () =>
    expect(interrupted([range(0, 10)], 0, 1, 2)).to.deep.equal({ unknown: [3, 4, 5, 6], uncalled: [7, 8, 9] }));

  it('counts those that are not recorded before a later one that is', () =>
    expect(interrupted([range(0, 10)], 0, 2, 4)).to.deep.equal({ unknown: [1, 3, 5, 6], uncalled: [7, 8, 9] }));

  it('leaves nothing once all are recorded', () => expect(interrupted([range(0, 3)], ...upTo(3))).to.deep.equal({ unknown: [], uncalled: [] }));

  it('takes several ranges of one epoch for one', () =>
    expect(interrupted([range(0, 3), range(3, 5)], 0, 1)).to.deep.equal({ unknown: [2, 3, 4, 5], uncalled: [6, 7] }));

  it('knows nothing of messages that were left out', () =>
    expect(interrupted([range(0, 8, { except: [0, 5] })])).to.deep.equal({ unknown: [1, 2, 3, 4], uncalled: [6, 7] }));

  it('has called none after it has returned them', () =>
    expect(interrupted([range(0, 3, { window: 0 })], 0)).to.deep.equal({ unknown: [], uncalled: [1, 2] }));

  it('takes for unknown what a later epoch has not started again', () =>
    expect(interrupted([range(0, 10), range(4, 6, { epoch: 2 })], 0)).to.deep.equal({ unknown: [1, 2, 3, 4, 5, 6, 7], uncalled: [8, 9] }));

  it('takes for unknown what it repeats, even if the repeat was not called', () =>
    expect(interrupted([range(0, 8), range(0, 8, { epoch: 2, repeats: [0, 1, 2, 3], window: 0 })])).to.deep.equal({
      unknown: [0, 1, 2, 3],
      uncalled: [4, 5, 6, 7],
    }));

  it('has started nothing without a range', () => expect(interrupted([])).to.deep.equal({ unknown: [], uncalled: [] }));
});
