import type { Priority, Todo } from './process-manager.js';
import { groupKey } from './scheduler.js';
import type { WindowQuery } from './todo-windows.js';

const increment = <K>(counts: Map<K, number>, key: K, by: number): void => void counts.set(key, (counts.get(key) ?? 0) + by);

/**
 * How many to-dos of the list a look leaves out: `waiting` after an error and those in flight or under suspicion, by group, and the
 * groups of those that are recorded.
 */
export function skippedTodos(
  waiting: ReadonlyMap<string, number>,
  todos: readonly ReadonlyMap<string, Todo>[],
  recorded: Iterable<string>,
): WindowQuery['skipped'] {
  const group = new Map(waiting);
  for (const each of todos) for (const todo of each.values()) increment(group, groupKey(todo.priority, todo.account), 1);
  for (const name of recorded) increment(group, name, 1);
  const priority = new Map<Priority, number>();
  for (const [name, n] of group) increment(priority, Number(name[0]) as Priority, n);
  return { group, priority };
}
