import { expect } from 'chai';
import type { ViewEngine } from '../../domain/kernel/ports.js';
import { ManualClock } from '../support/manual-clock.js';
import type { ViewsUnderTest } from './engines.js';
import { newStream, ownFolder } from './helpers.js';

/** The contract of every store of snapshots. */
export function snapshotsContract({ durable, open, clear }: ViewsUnderTest): void {
  const dir = ownFolder(clear);
  let engine: ViewEngine;
  before(async () => {
    engine = await open(dir(), new ManualClock());
  });
  // Undefined when the engine is skipped.
  after(() => engine?.views.close());

  it('finds the last snapshot of a stream and fold, and nothing where there is none', async () => {
    const stream = newStream();
    expect(await engine.snapshots.find(stream, 'a')).to.equal(undefined);
    await engine.snapshots.put(stream, 'a', { revision: 10, content: '{"text":"é \u{1F600} \\u0000"}' });
    await engine.snapshots.put(stream, 'b', { revision: 20, content: 'other' });
    expect(await engine.snapshots.find(stream, 'a')).to.deep.equal({ revision: 10, content: '{"text":"é \u{1F600} \\u0000"}' });
    expect(await engine.snapshots.find(newStream(), 'a')).to.equal(undefined);
  });

  it('replaces a snapshot, also by one of an earlier revision', async () => {
    const stream = newStream();
    for (const revision of [1, 3, 2]) await engine.snapshots.put(stream, 'a', { revision, content: `state ${revision}` });
    expect(await engine.snapshots.find(stream, 'a')).to.deep.equal({ revision: 2, content: 'state 2' });
  });

  it('keeps names of streams and folds apart', async () => {
    await engine.snapshots.put('s-a', 'b', { revision: 1, content: 'x' });
    expect(await engine.snapshots.find('s', 'a-b')).to.equal(undefined);
    expect(await engine.snapshots.find('b', 's-a')).to.equal(undefined);
  });

  it('keeps large snapshots', async () => {
    const content = 'é'.repeat(2_000_000);
    await engine.snapshots.put('large', 'a', { revision: 1, content });
    expect((await engine.snapshots.find('large', 'a'))?.content).to.equal(content);
  });

  if (durable)
    it('keeps snapshots for later processes', async () => {
      const stream = newStream();
      await engine.snapshots.put(stream, 'a', { revision: 1, content: 'x' });
      await engine.views.close();
      engine = await open(dir(), new ManualClock());
      expect(await engine.snapshots.find(stream, 'a')).to.deep.equal({ revision: 1, content: 'x' });
    });
}
