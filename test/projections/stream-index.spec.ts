import { expect } from 'chai';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import type { ChangedStreamsPage } from '../../log/feed/changed-streams.js';
import { SuppressionIndex } from '../../projections/suppressions/suppression-index.js';
import { system } from '../support/system.js';

const at = (n: number): string => String(n).padStart(20, '0');
const { signal } = new AbortController();

describe('the index of suppressed addresses', () => {
  const stored = (keys: readonly string[], position: Checkpoint) => ({
    page: async (after: string) => (after === '' ? { keys, last: 'last' } : { keys: [], last: undefined }),
    position: async () => position,
  });
  const pages = (...keys: string[]) =>
    async function* (after: Checkpoint): AsyncIterable<ChangedStreamsPage> {
      yield { after, upTo: at(9), streams: keys.map((key) => [suppressionStream(key), at(9)]), events: [], changes: [], size: 0 };
    };

  it('might contain anything until it has loaded the stored keys and those appended since', async () => {
    const index = new SuppressionIndex(system.clock);
    expect(index.mightContain('x')).to.equal(true);
    await index.load(stored(['a'], at(5)), pages('b'), signal);
    expect(['a', 'b', 'x'].map((key) => index.mightContain(key))).to.deep.equal([true, true, false]);
    index.noteAppended(suppressionStream('x'));
    expect(index.mightContain('x')).to.equal(true);
  });

  it('catches up from the position of the read model', async () => {
    const index = new SuppressionIndex(system.clock);
    const asked: Checkpoint[] = [];
    const noPages = (after: Checkpoint): AsyncIterable<ChangedStreamsPage> => {
      asked.push(after);
      return { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) };
    };
    await index.load(stored([], at(5)), noPages, signal);
    expect(asked).to.deep.equal([at(5)]);
  });

  it('says when it has reached a position, or that it has not in time', async () => {
    const index = new SuppressionIndex(system.clock);
    expect(await index.waitUntilReached(at(3), 1)).to.equal(false);
    const [early, late] = [index.waitUntilReached(at(3), 60_000), index.waitUntilReached(at(4), 60_000)];
    index.noteReached(at(3));
    expect(await early).to.equal(true);
    expect(index.position).to.equal(at(3));
    index.noteReached(at(7));
    expect(await late).to.equal(true);
    expect(await index.waitUntilReached(at(6), 0)).to.equal(true);
  });
});
