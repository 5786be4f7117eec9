import { expect } from 'chai';
import type { Position } from '../../../domain/kernel/ports.js';
import type { CatalogEntry } from '../../../engines/mongodb/catalog.js';
import { PositionWatch } from '../../../engines/mongodb/position-watch.js';

const at = (n: number): Position => String(n).padStart(20, '0') as Position;
const NAMES = ['a', 'b', 'c'];

/** A catalog in memory whose loads are counted and can fail. */
function catalog(partitions: number) {
  const positions = new Map(NAMES.map((name) => [name, Array.from({ length: partitions }, () => at(1))]));
  const loads: (readonly string[])[] = [];
  const failures: Error[] = [];
  const entry = (name: string): CatalogEntry => ({
    _id: name,
    version: 1,
    generation: 1,
    newest: 1,
    halted: null,
    generations: {
      1: {
        version: 1,
        checkpoint: 'start',
        fields: [],
        snapshots: [],
        partitions: Object.fromEntries((positions.get(name) ?? []).map((checkpoint, i) => [i, { checkpoint }])),
      },
    },
  });
  const watch = new PositionWatch(async (names) => {
    loads.push(names);
    const failure = failures.pop();
    if (failure) throw failure;
    return names.map(entry);
  });
  const move = (name: string, partition: number, to: number) => positions.get(name)?.splice(partition, 1, at(to));
  return { watch, loads, failures, move, entry };
}

const SHORT_MS = 1;

describe('a watch of positions in MongoDB', () => {
  it('reads the positions of all waiters with one call at a time', async () => {
    const { watch, loads, move } = catalog(16);
    const waits = NAMES.flatMap((name) => Array.from({ length: 16 }, (_, i) => watch.waitUntilReached(name, at(2), 10_000, undefined, i)));
    for (const name of NAMES) for (let i = 0; i < 16; i++) move(name, i, 2);
    expect(new Set(await Promise.all(waits))).to.deep.equal(new Set([true]));
    expect(loads.length).to.be.at.most(3);
    expect(loads.at(-1)).to.have.members(NAMES);
  });

  it('polls more and more seldom while nothing changes', async () => {
    const { watch, loads } = catalog(1);
    expect(await watch.waitUntilReached('a', at(2), 600)).to.equal(false);
    expect(loads.length).to.be.within(1, 7);
  });

  it('ends a wait as soon as a commit of this thread is noted, and knows its positions', async () => {
    const { watch, move, entry } = catalog(2);
    expect(watch.known('a')).to.equal(undefined);
    const wait = watch.waitUntilReached('a', at(5), 10_000, undefined, 1);
    move('a', 1, 5);
    watch.note(entry('a'));
    expect(await wait).to.equal(true);
    expect(watch.known('a')).to.deep.equal([at(1), at(5)]);
  });

  it('fails the waits that a failed read concerns, and serves later ones', async () => {
    const { watch, failures, move } = catalog(1);
    failures.push(new Error('the server is gone'));
    await watch.waitUntilReached('a', at(2), 10_000).then(
      () => expect.fail('it did not fail'),
      (e: Error) => expect(e.message).to.equal('the server is gone'),
    );
    move('a', 0, 2);
    expect(await watch.waitUntilReached('a', at(2), 10_000)).to.equal(true);
  });

  it('does not end a wait before its first read is answered, and fails all waits with that read', async () => {
    let fail: (e: Error) => void = () => {};
    const read = new Promise<readonly CatalogEntry[]>((_, reject) => {
      fail = reject;
    });
    const watch = new PositionWatch(() => read);
    const outcomes: unknown[] = [];
    const note = (outcome: unknown) => outcomes.push(outcome);
    const first = watch.waitUntilReached('a', at(2), SHORT_MS).then(note, note);
    // Timers end in order: the time of the first wait is over.
    await new Promise((resolve) => setTimeout(resolve, 20 * SHORT_MS));
    const joined = watch.waitUntilReached('b', at(2), 10_000).then(note, note);
    expect(outcomes).to.deep.equal([]);
    const failure = new Error('no answer');
    fail(failure);
    await Promise.all([first, joined]);
    expect(outcomes).to.deep.equal([failure, failure]);
  });

  it('returns false after its time, when its signal aborts, and once it is closed', async () => {
    const { watch } = catalog(1);
    const stop = new AbortController();
    const waits = [
      watch.waitUntilReached('a', at(2), 0),
      watch.waitUntilReached('a', at(2), 10_000, stop.signal),
      watch.waitUntilReached('b', at(2), 10_000),
    ];
    stop.abort();
    watch.close();
    expect(await Promise.all(waits)).to.deep.equal([false, false, false]);
    expect(await watch.waitUntilReached('a', at(2), 10_000)).to.equal(false);
  });
});
