import { expect } from 'chai';
import { openMemoryViews } from '../../engines/memory/index.js';
import { Tenures } from '../../processes/runtime/tenure.js';
import { ManualClock } from '../support/manual-clock.js';

const TTL_MS = 6_000;

describe('the tenure of a holder', () => {
  const setUp = () => {
    const clock = new ManualClock();
    const { leases } = openMemoryViews({ clock });
    return { clock, acquire: async () => (await leases.acquire('work', TTL_MS))?.epoch ?? 0 };
  };

  it('covers the epochs of a node that acquires its own lease again after it has expired', async () => {
    const { clock, acquire } = setUp();
    const tenures = new Tenures();
    const first = tenures.of(await acquire());
    await clock.advance(TTL_MS + 1);
    const second = tenures.of(await acquire());
    expect([first.continued, second.continued]).to.deep.equal([false, true]);
    expect(second.tenure.since).to.equal(first.tenure.since);
    expect(first.tenure.ended.aborted).to.equal(false);
  });

  it('ends where another holder was in between', async () => {
    const { clock, acquire } = setUp();
    const tenures = new Tenures();
    const first = tenures.of(await acquire());
    await clock.advance(TTL_MS + 1);
    await acquire();
    await clock.advance(TTL_MS + 1);
    const later = tenures.of(await acquire());
    expect(first.tenure.ended.aborted).to.equal(true);
    expect([later.continued, later.tenure.ended.aborted, later.tenure.since]).to.deep.equal([false, false, 3]);
    tenures.end();
    expect(later.tenure.ended.aborted).to.equal(true);
  });
});
