import { expect } from 'chai';
import { openMemoryViews } from '../../engines/memory/index.js';
import type { AnyProcessManager } from '../../processes/runtime/process-manager.js';
import { groupKey } from '../../processes/runtime/scheduler.js';
import { type StoredTodo, TODOS, todoList } from '../../processes/runtime/todo-list.js';
import { TodoWindows, type WindowQuery } from '../../processes/runtime/todo-windows.js';
import { PROCESS_TUNING } from '../../processes/runtime/tuning.js';
import { SkippingClock } from '../support/skipping-clock.js';

const BYTES = 90_000;
const COUNT = 300;
const BUDGET = 1_000_000;

/** A list of many large to-dos of two accounts, all due. */
describe('windows of large to-dos', () => {
  const clock = new SkippingClock('2026-01-15T10:00:00.000Z');
  const { views } = openMemoryViews({ clock });
  const list = todoList({ name: 'large', version: 1, handles: [], concurrency: { lane: 256, total: 1_024 } } as unknown as AnyProcessManager);
  const ids = Array.from({ length: COUNT }, (_, n) => `todo-${String(n).padStart(4, '0')}`);

  before(async () => {
    const writer = await views.writer(list);
    const ops = ids.map((id, n) => {
      const account = n % 2 ? 'odd' : 'even';
      const todo = { id, due_at: n, account, priority: 1, lane: 'email', group: groupKey(1, account), content: 'x'.repeat(BYTES) };
      return { collection: TODOS, id, before: undefined, after: todo };
    });
    await writer.commit('start', '1'.padStart(20, '0'), ops);
  });

  const windows = () => {
    const window = { ...PROCESS_TUNING.window, bytes: BUDGET, aheadBytes: 2 * BUDGET };
    return new TodoWindows(views.docs<StoredTodo>(list, TODOS), false, clock, window);
  };
  const look = (skip: ReadonlySet<string>): WindowQuery => {
    const skipped = [...skip].length;
    return {
      now: clock.now(),
      skip: ({ id }) => skip.has(id),
      skipped: {
        group: new Map([
          [groupKey(1, 'odd'), skipped],
          [groupKey(1, 'even'), skipped],
        ]),
        priority: new Map([[1, skipped]]),
      },
      capacity: () => 512,
      laneCapacity: () => 512,
    };
  };

  it('hold no more than their budget, of each account', async () => {
    const { groups } = await windows().read(look(new Set()));
    expect(groups.map(({ account }) => account).sort()).to.deep.equal(['even', 'odd']);
    for (const { todos } of groups) expect(todos.length).to.be.within(1, BUDGET / BYTES + 1);
  });

  it('come to every to-do in its order', async () => {
    const read = windows();
    const done = new Set<string>();
    for (let n = 0; n < COUNT && done.size < COUNT; n++) {
      const { groups } = await read.read(look(done));
      const found = groups.flatMap(({ todos }) => todos).filter(({ id }) => !done.has(id));
      read.started(found);
      for (const { id } of found) done.add(id);
    }
    expect([...done].sort()).to.deep.equal(ids);
  });

  it('find those behind many that wait after an error', async () => {
    const waiting = new Set(ids.slice(0, 200));
    const { groups } = await windows().read(look(waiting));
    expect(groups.flatMap(({ todos }) => todos.map(({ id }) => id)))
      .to.include('todo-0200')
      .and.to.include('todo-0201');
  });
});
