import { expect } from 'chai';
import type { Position, ReadModels, ViewWriter } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { createClock } from '../../ops/system/clock.js';
import { ListWatch, Pace } from '../../processes/runtime/list-progress.js';
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

describe('the pace of long work', () => {
  const position = (n: number): string => String(n).padStart(20, '0');
  let now: number;
  let slept: number[];
  let pace: Pace;
  const pause = async () => {
    await pace.pause(new AbortController().signal);
    return slept.at(-1);
  };
  beforeEach(() => {
    [now, slept] = [0, []];
    const clock = {
      monotonic: () => now,
      sleep: async (ms: number) => {
        slept.push(ms);
      },
    };
    pace = new Pace(clock, { slowMs: 50, stopMs: 250, pauseMs: 100 });
  });

  it('has no pause while the list has what was recorded', async () => {
    pace.recorded(position(1));
    pace.reached(position(1));
    now = 1_000;
    expect(pace.lagMs()).to.equal(0);
    expect(await pause()).to.equal(undefined);
  });

  it('pauses the longer the further the list is behind, up to a limit', async () => {
    pace.recorded(position(1));
    const pauses: (number | undefined)[] = [];
    for (now of [50, 150, 250, 1_000]) pauses.push(await pause());
    expect(pauses).to.deep.equal([undefined, 25, 100, 100]);
  });

  it('counts from the oldest record that the list does not have', () => {
    pace.recorded(position(1));
    now = 100;
    pace.recorded(position(2));
    now = 150;
    expect(pace.lagMs()).to.equal(150);
    pace.reached(position(1));
    expect(pace.lagMs()).to.equal(50);
  });
});
