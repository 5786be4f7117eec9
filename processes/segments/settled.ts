import type { Checkpoint, Clock, ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { partitionOfAccount } from '../runtime/process-manager.js';
import { groupKey } from '../runtime/scheduler.js';
import { type StoredTodo, TODOS, todoList, todosOfPartition } from '../runtime/todo-list.js';
import { keepMemberships } from './keep-memberships.js';
import { MEMBERSHIP_PRIORITY } from './live-todo.js';

/**
 * Waits until the kept memberships of an account's contacts have what was in the log at a position, or at its end, and what time has
 * changed by then: the process has seen it, has recorded what followed, and the read model has the records. False where that takes
 * longer than `withinMs`.
 */
export type MembershipsSettled = (account: string, position: Checkpoint | null, withinMs: number) => Promise<boolean>;

/** Between two looks at the list of the process. */
const LOOK_AGAIN_MS = 10;

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
}

export function membershipsSettled({ log, views, clock }: Stores): MembershipsSettled {
  const list = todoList(keepMemberships({ views: () => views }));
  const docs = views.docs<StoredTodo>(list, TODOS);

  return async (account, position, withinMs) => {
    const end = clock.monotonic() + withinMs;
    const left = () => Math.max(0, end - clock.monotonic());
    const now = clock.now();
    const from = position ?? (await log.store.head());
    if (from === 'start') return true;
    const partition = await partitionOfAccount(list, account, views);
    if (!(await views.waitUntilReached(list, from, left(), undefined, partition.index))) return false;
    const todos = todosOfPartition(docs, partition);
    const due = { where: { group: groupKey(MEMBERSHIP_PRIORITY, account) }, range: { field: 'due_at', lte: now }, limit: 1 };
    while ((await todos.find(due)).length > 0) {
      if (left() === 0) return false;
      await clock.sleep(LOOK_AGAIN_MS);
    }
    // A rebuild has divided the list otherwise: these to-dos were of another one.
    if ((await views.positions(list)).length !== partition.count) return false;
    const recorded = await log.store.head();
    return recorded === 'start' || views.waitUntilReached(segmentMembers, recorded, left());
  };
}
