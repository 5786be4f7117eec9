import { expect } from 'chai';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { rebuild } from '../../projections/runtime/build.js';
import { PoisonEvent } from '../../projections/runtime/fold-page.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { projectionStatuses } from '../../projections/runtime/status.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { type NoteDoc, notesByOwner } from '../ops/cli/notes-projection.js';
import { eventually } from '../support/eventually.js';
import { system } from '../support/system.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

/** Throws at events of one color. */
const refusing = (color: string): AnyProjection => ({
  ...notesByOwner,
  apply(stored, view) {
    if (stored.event.data.color === color) throw new Error(`no such color: ${color}`);
    notesByOwner.apply(stored, view);
  },
});

describe('a poison event', () => {
  let notes: NotesFixture;
  let views: ReturnType<typeof openMemoryViews>['views'];
  let halts: unknown[];
  let stop: () => Promise<void>;
  beforeEach(() => {
    notes = new NotesFixture(openMemoryLog());
    ({ views } = openMemoryViews({ clock: system.clock }));
    halts = [];
  });
  afterEach(() => stop());

  function run(...projections: AnyProjection[]): void {
    const ending = new AbortController();
    const parts = { log: notes.log, views, ...uncontendedLeases(), onHalt: (_: string, error: unknown) => void halts.push(error) };
    const running = runProjections(projections, parts, ending.signal);
    stop = async () => {
      ending.abort();
      await running;
    };
  }
  const statusOf = async (projection: AnyProjection) => {
    const [status] = await projectionStatuses([projection], { log: notes.log, views, now: Date.now });
    return status;
  };
  const halted = () => eventually('the projection is halted', async () => (await statusOf(notesByOwner))?.status === 'halted');

  it('halts its projection with the reason, at the last checkpoint before it', async () => {
    await notes.take('ann', 'x', 'blue');
    run(refusing('red'));
    await eventually('the first event is applied', async () => (await views.docs<NoteDoc>(notesByOwner, 'notes').get('ann')) !== undefined);
    const before = await notes.log.store.head();
    await notes.take('bob', 'y', 'red');
    await halted();
    const head = await notes.log.store.head();
    expect(await statusOf(notesByOwner)).to.deep.include({ position: before, head });
    expect((await statusOf(notesByOwner))?.reason).to.equal(`notes@1 cannot take NoteTaken at ${head}: no such color: red`);
    expect(halts).to.have.length(1);
    expect(halts[0]).to.be.instanceOf(PoisonEvent);
  });

  it('does not stop other projections', async () => {
    const other = { ...notesByOwner, name: 'other-notes' };
    await notes.take('bob', 'y', 'red');
    run(refusing('red'), other);
    await halted();
    await notes.take('cid', 'z', 'red');
    await eventually('the other projection has applied all events', async () => (await views.docs<NoteDoc>(other, 'notes').get('cid')) !== undefined);
  });

  it('is applied after a rebuild by code that supports it, and the projection continues', async () => {
    let color = 'red';
    const projection: AnyProjection = { ...notesByOwner, apply: (stored, view) => refusing(color).apply(stored, view) };
    await notes.take('bob', 'y', 'red');
    run(projection);
    await halted();
    color = 'none';
    await rebuild(projection, { log: notes.log, views }, new AbortController().signal);
    await notes.take('cid', 'z', 'red');
    await eventually('later events are applied', async () => (await views.docs<NoteDoc>(notesByOwner, 'notes').get('cid')) !== undefined, {
      within: 30_000,
    });
    expect(await views.docs<NoteDoc>(notesByOwner, 'notes').get('bob')).to.deep.include({ color: 'red' });
    expect(await statusOf(notesByOwner)).to.deep.include({ status: 'live', reason: null });
  });

  it('is also one that cannot be decoded', async () => {
    await notes.engine.events.append('note-eve', 'no-stream', [
      { id: '00000000-0000-4000-8000-000000000001', type: 'NoteTaken', data: '{', metadata: '{"schemaVersion":1}' },
    ]);
    run(notesByOwner);
    await halted();
    expect((await statusOf(notesByOwner))?.reason).to.match(/^notes@1 cannot read NoteTaken at \d{20}: /);
  });
});
