import { expect } from 'chai';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { rebuild } from '../../projections/runtime/build.js';
import { NewerRelease, runProjections } from '../../projections/runtime/runner.js';
import { projectionStatuses } from '../../projections/runtime/status.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { type NoteDoc, notesByOwner } from '../ops/cli/notes-projection.js';
import { eventually } from '../support/eventually.js';
import { system } from '../support/system.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

describe('nodes of two releases', () => {
  const newer = { ...notesByOwner, version: notesByOwner.version + 1 };
  let notes: NotesFixture;
  let views: ReturnType<typeof openMemoryViews>['views'];
  let ending: AbortController;
  let running: Promise<unknown>[];
  const halts: unknown[] = [];
  beforeEach(async () => {
    notes = new NotesFixture(openMemoryLog());
    ({ views } = openMemoryViews(system));
    ending = new AbortController();
    running = [];
    await notes.take('ann', 'x', 'blue');
  });
  afterEach(async () => {
    ending.abort();
    await Promise.all(running);
  });
  const run = (projection: typeof notesByOwner) => {
    const parts = { log: notes.log, views, ...uncontendedLeases(), onHalt: (_: string, error: unknown) => void halts.push(error) };
    running.push(runProjections([projection], parts, ending.signal));
  };
  const statusOf = async (projection: typeof notesByOwner) => {
    const [status] = await projectionStatuses([projection], { log: notes.log, views, now: Date.now });
    return status;
  };
  const upToDate = async () => {
    const { version, position } = await views.status(newer);
    return version === newer.version && position === (await notes.log.store.head());
  };

  it('leave the newer read model in force, which continues', async () => {
    run(notesByOwner);
    run(newer);
    await eventually('the newer version is in force and up to date', upToDate);
    await notes.take('bob', 'y', 'red');
    await eventually('the newer version continues', upToDate);
    expect(await views.docs<NoteDoc>(newer, 'notes').get('bob')).to.deep.include({ color: 'red' });
    await eventually('the older one says why it does nothing', () => halts.some((error) => error instanceof NewerRelease));
    expect(await statusOf(notesByOwner)).to.deep.include({ version: newer.version, status: 'live' });
  });

  it('can go back to the older version by a rebuild', async () => {
    run(newer);
    await eventually('the newer version is in force', upToDate);
    ending.abort();
    await Promise.all(running);
    await rebuild(notesByOwner, { log: notes.log, views }, new AbortController().signal);
    expect(await statusOf(notesByOwner)).to.deep.include({ version: notesByOwner.version, status: 'live' });
  });
});
