import { expect } from 'chai';
import type { Position, ReadModels, ViewWriter } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { createClock } from '../../ops/system/clock.js';
import { ListWatch } from '../../processes/runtime/list-watch.js';
import type { Projection } from '../../projections/runtime/projection.js';

const list = { name: 'todo/chores', version: 1, collections: { todos: { fields: {} } }, handles: [], apply: () => {} } as unknown as Projection;
const at = (place: number): Position => String(place).padStart(20, '0');

describe('the watch of a to-do list', () => {
  let views: ReadModels;
  let writer: ViewWriter;
  let end: AbortController;
  beforeEach(async () => {
    ({ views } = openMemoryViews({ clock: createClock() }));
    writer = await views.writer(list);
    end = new AbortController();
  });
  afterEach(() => end.abort());

  const commit = (place: number, id?: string) =>
    writer.commit(place === 1 ? 'start' : at(place - 1), at(place), id ? [{ collection: 'todos', id, before: undefined, after: { id } }] : []);
  /** Whether a wait since the last look has ended, after everything that could end it has run. */
  async function ended(watch: ListWatch, everyPage: boolean, act: () => Promise<unknown>): Promise<boolean> {
    let over = false;
    await watch.begin();
    watch.change(60_000, end.signal, everyPage).then(() => (over = true));
    await act();
    await new Promise((resolve) => setImmediate(resolve));
    return over;
  }

  it('reports a page that changes documents, and no other one', async () => {
    const watch = new ListWatch(views, list, 0, end.signal);
    expect(await ended(watch, false, () => commit(1))).to.equal(false);
    expect(await ended(watch, false, () => commit(2, 'a'))).to.equal(true);
  });

  it('reports every page where records are awaited', async () => {
    const watch = new ListWatch(views, list, 0, end.signal);
    expect(await ended(watch, true, () => commit(1))).to.equal(true);
    expect(await watch.begin()).to.equal(at(1));
  });

  it('reports every page of an engine that does not watch documents', async () => {
    const watch = new ListWatch(
      { ...views, positions: views.positions.bind(views), waitUntilReached: views.waitUntilReached.bind(views) },
      list,
      0,
      end.signal,
    );
    expect(await ended(watch, false, () => commit(1))).to.equal(true);
  });
});
