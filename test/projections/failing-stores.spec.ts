import { expect } from 'chai';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { PoisonEvent } from '../../projections/runtime/fold-page.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { notesByOwner } from '../ops/cli/notes-projection.js';
import { eventually } from '../support/eventually.js';
import { system } from '../support/system.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

/** The same, but its documents are named by `readsMore`, after the events before are applied. */
const asksLate: typeof notesByOwner = { ...notesByOwner, reads: () => [], readsMore: (stored, view) => notesByOwner.reads(stored, view.partition) };

describe('a projection whose store is unavailable for a while', () => {
  it('continues without help, also in the middle of a page', async () => {
    const notes = new NotesFixture(openMemoryLog());
    const { views } = openMemoryViews(system);
    const open = views.writer.bind(views);
    let failures = 1;
    views.writer = async (...args) => {
      const writer = await open(...args);
      const load = writer.load.bind(writer);
      writer.load = async (refs) => {
        if (failures-- > 0) throw new StoreUnavailable('away');
        return load(refs);
      };
      return writer;
    };
    await notes.take('ann', 'x');
    const met: unknown[] = [];
    const ending = new AbortController();
    const parts = { log: notes.log, views, ...uncontendedLeases(), onHalt: (_: string, error: unknown) => void met.push(error) };
    const running = runProjections([asksLate], parts, ending.signal);
    try {
      await eventually('it has taken the event', async () => (await views.status(asksLate)).position === (await notes.log.store.head()));
    } finally {
      ending.abort();
      await running;
    }
    expect(met).to.have.length(1);
    expect(met[0]).to.be.instanceOf(StoreUnavailable).and.not.instanceOf(PoisonEvent);
  });
});
