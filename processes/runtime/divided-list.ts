import { type Doc, type Docs, type Find, type Partition, partitionAt, UNDIVIDED } from '../../domain/kernel/ports.js';
import type { Priority, Todo } from './process-manager.js';

/**
 * To-dos of a divided list are found by priority or group together with their partition, so that the same indexes serve both kinds
 * of lists. Releases that cannot divide find none of them.
 */
const STRIDE = 8;

/** A to-do with priority and account as one field. */
interface GroupedTodo extends Todo {
  readonly group: string;
}

const numberOf = (priority: number, { index, count }: Partition): number => (count === 1 ? priority : (index + 1) * STRIDE + priority);
const withoutPrefix = (text: string): string => text.slice(text.indexOf(':') + 1);
const prefixOf = ({ index, count }: Partition): string => (count === 1 ? '' : `${index}:`);

/** A to-do as it is stored in its partition. */
export const encodeTodo = <T extends GroupedTodo>(todo: T, partition: Partition): T =>
  partition.count === 1
    ? todo
    : {
        ...todo,
        priority: numberOf(todo.priority, partition) as Priority,
        group: prefixOf(partition) + todo.group,
        ...(todo.awaits !== undefined && { awaits: prefixOf(partition) + todo.awaits }),
      };

/** Whether a to-do, as it is stored, is of this partition. */
export const isTodoOf = ({ priority }: GroupedTodo, { index, count }: Partition): boolean =>
  count === 1 || Math.floor(priority / STRIDE) === index + 1;

/** The to-do of a stored one. */
export const decodeTodo = <T extends Doc>(stored: T, { count }: Partition): T => {
  if (count === 1) return stored;
  const { priority, group, awaits, ...todo } = stored as unknown as GroupedTodo;
  return {
    ...todo,
    priority: priority % STRIDE,
    group: withoutPrefix(group),
    ...(awaits !== undefined && { awaits: withoutPrefix(awaits) }),
  } as unknown as T;
};

/** The to-dos of one partition. */
export function todosOfPartition<T extends GroupedTodo>(docs: Docs<T>, partition: Partition): Docs<T> {
  if (partition.count === 1) return docs;
  const own = (where: Find['where']): Find['where'] => {
    const { priority, group, awaits, ...others } = where;
    return {
      ...others,
      ...(priority !== undefined && { priority: numberOf(Number(priority), partition) }),
      ...(group !== undefined && { group: prefixOf(partition) + group }),
      ...(awaits !== undefined && { awaits: prefixOf(partition) + awaits }),
    };
  };
  const decoded = (todos: readonly T[]): T[] => todos.map((todo) => decodeTodo(todo, partition));
  return {
    get: async (id) => {
      const todo = await docs.get(id);
      return todo && isTodoOf(todo, partition) ? decodeTodo(todo, partition) : undefined;
    },
    getMany: async (ids) => (await docs.getMany(ids)).map((todo) => (todo && isTodoOf(todo, partition) ? decodeTodo(todo, partition) : undefined)),
    find: async (query) => decoded(await docs.find({ ...query, where: own(query.where) })),
    findPage: async (query, maxBytes) => {
      const page = await docs.findPage({ ...query, where: own(query.where) }, maxBytes);
      return { ...page, docs: decoded(page.docs) };
    },
    count: (where) => docs.count(own(where)),
    distinct: async (field) => {
      const values = await docs.distinct(field);
      if (field !== 'group' && field !== 'awaits') return values;
      const prefix = prefixOf(partition);
      return values.flatMap((value) => (String(value).startsWith(prefix) ? [String(value).slice(prefix.length)] : []));
    },
  };
}

/** The partitions of a list whose generation in force has this many. */
export const partitionsOfList = (count: number): readonly Partition[] =>
  count === 1 ? [UNDIVIDED] : Array.from({ length: count }, (_, index) => partitionAt(index, count));
