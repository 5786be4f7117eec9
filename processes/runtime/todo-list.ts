import type { AnyEvent } from '../../domain/kernel/event.js';
import {
  type CollectionSpec,
  type Doc,
  type Docs,
  type DocumentRef,
  type Find,
  type Partition,
  type PartitionKeys,
  partitionAt,
  UNDIVIDED,
} from '../../domain/kernel/ports.js';
import { type ParkedEvent, parkedEvents } from '../../domain/parked/parked-work.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { openedProjection } from '../../projections/runtime/opened.js';
import type { Projection, View } from '../../projections/runtime/projection.js';
import type { AnyProcessManager, Intention, Priority, ReactionMemory, Reads, Todo } from './process-manager.js';
import { groupKey } from './scheduler.js';

export const TODOS = 'todos';
export const NOTES = 'notes';

/** Raised when lists are stored in another way: those of all processes are rebuilt. */
const LAYOUT = 1;

/** A to-do as it is stored: also with priority and account as one field, by which it is found. */
export interface StoredTodo extends Todo {
  readonly group: string;
  /** True while it is parked, and never due. */
  readonly parked?: true;
  /** True once an operator has dropped it: the process ends what it is about. */
  readonly dropped?: true;
}

/** Later than any time. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Whether a lane can be full while its account may start more: then the to-dos of other lanes must be found behind those of a
 * full one.
 */
export const hasManyLanes = ({ concurrency: { lane, total } }: AnyProcessManager): boolean => lane < Math.floor(total / 2);

const collectionsOf = (process: AnyProcessManager): Record<string, CollectionSpec> => ({
  [TODOS]: {
    indexes: [
      ['priority', 'due_at'],
      ['group', 'due_at'],
      ...(hasManyLanes(process) ? [['group', 'lane', 'due_at']] : []),
      ...(process.awaiting ? [['awaits', 'due_at']] : []),
    ],
  },
  [NOTES]: { indexes: [] },
});

/** The to-do list of a process, as the projection that it is. */
export function todoList(process: AnyProcessManager): Projection {
  const list = plainList(process);
  return process.list?.(list) ?? list;
}

interface OpenedTodos<E extends AnyEvent, T extends Todo> {
  /** Events whose personal fields `reads` and `react` decide by: `openedFieldsOf(stored)` gives them. */
  readonly types: readonly E['type'][];
  /** See `OpenedFieldsSpec.furtherSubjects`. */
  readonly furtherSubjects?: (todo: T) => readonly string[];
  /** Of a divided list whose keys are no data subjects. */
  readonly partitionsOfErasure?: (stored: LogEvent) => PartitionKeys;
}

/**
 * A list that depends on personal fields. An event of the `types` schedules only to-dos whose id begins with its data subject and a
 * slash; an erasure of the subject removes them, and notes cannot depend on them.
 */
export const openedTodos = <E extends AnyEvent, T extends Todo>(
  plain: Projection<E>,
  { types, furtherSubjects, partitionsOfErasure }: OpenedTodos<E, T>,
): Projection<E> =>
  openedProjection(plain, {
    types,
    collections: [TODOS],
    ...(furtherSubjects && { furtherSubjects: furtherSubjects as (doc: Doc) => readonly string[] }),
    ...(partitionsOfErasure && { partitionsOfErasure }),
  });

function plainList(process: AnyProcessManager): Projection {
  return {
    name: `todo/${process.name}`,
    version: process.version + LAYOUT,
    handles: [...process.handles, ...parkedTypes],
    collections: collectionsOf(process),
    ...(process.partitionsOf && { partitionsOf: (stored) => keysOf(process, stored) }),
    reads: (stored, partition) => (isParkedEvent(stored.event) ? parkedRefs(process, stored.event) : refs(process.reads?.(stored, partition))),
    ...(process.readsMore && {
      readsMore: (stored, view) => (isParkedEvent(stored.event) ? [] : refs(process.readsMore?.(stored, memoryOf(view)))),
    }),
    apply: (stored, view) => {
      if (isParkedEvent(stored.event)) return applyParked(process, stored.event, view);
      const memory = memoryOf(view);
      if (process.reactNotes) for (const intention of process.reactNotes(stored, memory)) change(view, intention);
      for (const intention of process.react(stored, memory)) change(view, intention);
    },
  };
}

const refs = ({ todos = [], notes = [], fresh = false }: Reads = {}): DocumentRef[] => [
  ...todos.map((id) => ({ collection: TODOS, id, fresh })),
  ...notes.map((id) => ({ collection: NOTES, id, fresh })),
];

/** An event about a to-do does not say to which partition it belongs. */
const keysOf = (process: AnyProcessManager, stored: LogEvent): PartitionKeys =>
  isParkedEvent(stored.event) ? (stored.event.data.process === process.name ? 'all' : []) : (process.partitionsOf?.(stored) ?? 'all');

/** As it is stored; undefined where it belongs to another partition. */
function storedTodo(view: View, id: string): StoredTodo | undefined {
  const stored = view.get<StoredTodo>(TODOS, id);
  return stored && isTodoOf(stored, view.partition) ? stored : undefined;
}

const memoryOf = (view: View): ReactionMemory => ({
  partition: view.partition,
  isLoaded: (kind, id) => view.isLoaded(kind === 'todo' ? TODOS : NOTES, id),
  todo: (id) => {
    const stored = storedTodo(view, id);
    return stored && decodeTodo(stored, view.partition);
  },
  note: <N extends Doc>(id: string) => view.get<N>(NOTES, id),
});

const changes: { [K in Intention['do']]: (view: View, intention: Extract<Intention, { do: K }>) => void } = {
  schedule: (view, { todo }) => {
    // Reactions copy what they have read.
    const { parked: _, dropped: __, ...plain }: Partial<StoredTodo> & Todo = todo;
    view.put(TODOS, encodeTodo({ ...plain, group: groupKey(todo.priority, todo.account) }, view.partition));
  },
  cancel: (view, { id }) => {
    if (view.partition.count === 1 || storedTodo(view, id)) view.remove(TODOS, id);
  },
  'store-note': (view, { note }) => view.put(NOTES, note),
  'delete-note': (view, { id }) => view.remove(NOTES, id),
  ignore: () => {},
};

const change = <I extends Intention>(view: View, intention: I): void =>
  (changes[intention.do] as (view: View, intention: I) => void)(view, intention);

const parkedTypes: readonly string[] = parkedEvents.map(({ name }) => name);
const isParkedEvent = (event: AnyEvent): event is ParkedEvent => parkedTypes.includes(event.type);

const parkedRefs = (process: AnyProcessManager, { data }: ParkedEvent): DocumentRef[] =>
  data.process === process.name ? [{ collection: TODOS, id: data.about }] : [];

/** A parked to-do stays on the list, so that later events still find it. Any other event of it makes it an ordinary one again. */
function applyParked(process: AnyProcessManager, { type, data }: ParkedEvent, view: View): void {
  const stored = data.process === process.name ? storedTodo(view, data.about) : undefined;
  if (!stored) return;
  const { parked: _, dropped: __, awaits: ___, ...todo } = stored;
  if (type === 'WorkParked') view.put(TODOS, { ...todo, due_at: NEVER, parked: true });
  else if (type === 'WorkRetried') view.put(TODOS, { ...todo, due_at: Date.parse(data.at) });
  else if (process.drop) view.put(TODOS, { ...todo, due_at: Date.parse(data.at), dropped: true });
  else view.remove(TODOS, data.about);
}

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
const encodeTodo = <T extends GroupedTodo>(todo: T, partition: Partition): T =>
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
    count: (where, within) => docs.count(own(where), within),
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
