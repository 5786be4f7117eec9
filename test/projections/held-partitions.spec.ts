import { expect } from 'chai';
import { HeldPartitions } from '../../projections/runtime/held-partitions.js';
import { ManualClock } from '../support/manual-clock.js';

describe('partitions that a node holds', () => {
  it('are worked on together, anew after each change, and given away when the work has ended', async () => {
    const clock = new ManualClock();
    const held = new HeldPartitions(clock);
    const ending = new AbortController();
    const pass = async (): Promise<void> => {
      await clock.advance(0);
      await clock.advance(1_000);
    };
    const sessions: (readonly number[])[] = [];
    let finish: () => void = () => {};
    const running = held.run(ending.signal, async (partitions, signal) => {
      sessions.push(partitions);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const [second, first] = [new AbortController(), new AbortController()];
    const left: number[] = [];
    void held.hold(2, second.signal).then(() => left.push(2));
    void held.hold(1, first.signal).then(() => left.push(1));
    await pass();
    expect(sessions).to.deep.equal([[1, 2]]);

    second.abort();
    await pass();
    expect([sessions.length, left]).to.deep.equal([1, []]);
    finish();
    await pass();
    expect([sessions, left]).to.deep.equal([[[1, 2], [1]], [2]]);

    first.abort();
    finish();
    ending.abort();
    await pass();
    finish();
    await running;
  });
});
