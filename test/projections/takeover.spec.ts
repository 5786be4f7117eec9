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

/** Far more than a node reads ahead of its own read models. */
const PAGES = 60;

describe('a projection whose lease moves to another node', () => {
  let notes: NotesFixture;
  let views: ReturnType<typeof openMemoryViews>['views'];
  let holding: ReturnType<typeof uncontendedLeases>;
  const met: unknown[] = [];
  const nodes: { readonly ending: AbortController; readonly running: Promise<void> }[] = [];
  beforeEach(() => {
    notes = new NotesFixture(openMemoryLog());
    ({ views } = openMemoryViews(system));
    holding = uncontendedLeases();
    met.length = 0;
  });
  afterEach(() => Promise.all(nodes.splice(0).map(stop)));

  function node(projection = notesByOwner) {
    const ending = new AbortController();
    const parts = { log: notes.log, views, ...holding, onHalt: (_: string, error: unknown) => void met.push(error) };
    const started = { ending, running: runProjections([projection], parts, ending.signal) };
    nodes.push(started);
    return started;
  }
  const stop = ({ ending, running }: (typeof nodes)[number]): Promise<void> => {
    ending.abort();
    return running;
  };
  const caughtUp = () =>
    eventually('it has seen the end of the log', async () => (await views.status(notesByOwner)).position === (await notes.log.store.head()));

  it('continues although the first node had read more pages than the second one buffers', async () => {
    const first = node();
    await notes.take('ann', 'x');
    await caughtUp();
    node();
    for (let n = 0; n < PAGES; n++) {
      await notes.take(`owner-${n}`, 'x');
      await caughtUp();
    }
    await stop(first);
    await notes.take('bob', 'x');
    await caughtUp();
    await notes.take('cid', 'x');
    await caughtUp();
  });

  it('starts on a node that was started while the log was unavailable', async () => {
    const head = notes.log.store.head.bind(notes.log.store);
    let failures = 1;
    notes.log.store.head = async () => {
      if (failures-- > 0) throw new StoreUnavailable('away');
      return head();
    };
    await notes.take('ann', 'x');
    node();
    await caughtUp();
    expect(failures).to.be.below(1);
  });

  it('keeps its lease when it halts while the read models are unavailable, and stores the reason once they are available', async () => {
    const halt = views.halt.bind(views);
    let away = 2;
    views.halt = async (spec, reason) => {
      if (reason !== null && away-- > 0) throw new StoreUnavailable('away');
      return halt(spec, reason);
    };
    await notes.take('ann', 'x');
    node({
      ...notesByOwner,
      apply: () => {
        throw new Error('no such note');
      },
    });
    await eventually('the reason is on record', async () => (await views.status(notesByOwner)).halted?.includes('no such note'), { within: 30_000 });
    expect(met.filter((error) => error instanceof PoisonEvent)).to.have.length(1);
    expect(met.filter((error) => error instanceof StoreUnavailable)).to.have.length(2);
  });
});
