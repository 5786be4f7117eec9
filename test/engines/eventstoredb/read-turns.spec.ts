import { expect } from 'chai';
import { StoreUnavailable } from '../../../domain/kernel/ports.js';
import { READS_IN_FLIGHT, ReadTurns } from '../../../engines/eventstoredb/read-turns.js';
import { eventually } from '../../support/eventually.js';
import { ManualClock } from '../../support/manual-clock.js';

const MS = 5_000;

/** Reads that are answered by hand. */
function reads(turns: ReadTurns) {
  const open: { readonly n: number; readonly answer: () => void; readonly refuse: (e: Error) => void }[] = [];
  const begin = (n: number, ms: number): Promise<number> =>
    turns.run(ms, () => new Promise<number>((resolve, reject) => open.push({ n, answer: () => resolve(n), refuse: reject })));
  return { open, begin };
}

const fill = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('the turns of reads', () => {
  it('let some begin at once, and the others in order as those end', async () => {
    const { open, begin } = reads(new ReadTurns(new ManualClock()));
    const all = fill(READS_IN_FLIGHT + 3).map((n) => begin(n, MS));
    expect(open.map(({ n }) => n)).to.deep.equal(fill(READS_IN_FLIGHT));
    for (let n = 0; n < all.length; n++) {
      await eventually(`read ${n} has begun`, () => open.length > n);
      open[n]?.answer();
      expect(await all[n]).to.equal(n);
    }
    expect(open.map(({ n }) => n)).to.deep.equal(fill(READS_IN_FLIGHT + 3));
  });

  it('let one wait longer than the time limit of a call while the server answers others', async () => {
    const clock = new ManualClock();
    const { open, begin } = reads(new ReadTurns(clock));
    const all = fill(READS_IN_FLIGHT + 20).map((n) => begin(n, MS));
    for (let n = 0; n < all.length; n++) {
      await clock.advance(MS / 5);
      open[n]?.answer();
      expect(await all[n]).to.equal(n);
    }
    expect(clock.monotonic()).to.be.above(10 * MS);
  });

  it('fail those that wait where the server answers none, and lose no turn', async () => {
    const clock = new ManualClock();
    const { open, begin } = reads(new ReadTurns(clock));
    const silent = fill(READS_IN_FLIGHT).map((n) => begin(n, MS));
    const failure = begin(READS_IN_FLIGHT, MS).then(
      () => null,
      (e: unknown) => e,
    );
    await clock.advance(MS);
    expect(await failure).to.be.instanceOf(StoreUnavailable);
    for (const { answer } of open) answer();
    await Promise.all(silent);
    const next = fill(READS_IN_FLIGHT).map((n) => begin(n, MS));
    expect(open).to.have.length(2 * READS_IN_FLIGHT);
    for (const { answer } of open) answer();
    expect(await Promise.all(next)).to.have.length(READS_IN_FLIGHT);
  });

  it('pass on after a read that failed', async () => {
    const { open, begin } = reads(new ReadTurns(new ManualClock()));
    const refused = fill(READS_IN_FLIGHT).map((n) =>
      begin(n, MS).then(
        () => 'answered',
        (e: Error) => e.message,
      ),
    );
    const next = begin(READS_IN_FLIGHT, MS);
    for (const { refuse } of [...open]) refuse(new Error('no such stream'));
    expect(new Set(await Promise.all(refused))).to.deep.equal(new Set(['no such stream']));
    await eventually('the next has begun', () => open.length > READS_IN_FLIGHT);
    open.at(-1)?.answer();
    expect(await next).to.equal(READS_IN_FLIGHT);
  });
});
