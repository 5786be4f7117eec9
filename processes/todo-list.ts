import type { CollectionSpec, Doc, DocumentRef } from '../domain/kernel/ports.js';
import type { Projection, View } from '../projections/kernel.js';
import type { AnyProcessManager, Intention, LoadedState, Reads, Todo } from './kernel.js';
import { groupKey } from './scheduler.js';

export const TODOS = 'todos';
export const NOTES = 'notes';

/** Raised when lists are stored in another way: those of all processes are rebuilt. */
const LAYOUT = 1;

/** A to-do as it is stored: also with priority and account as one field, by which it is found. */
export interface StoredTodo extends Todo {
  readonly group: string;
}

/**
 * Whether a lane can be full while its account may start more: then the to-dos of other lanes must be found behind those of a
 * full one.
 */
export const hasManyLanes = ({ concurrency: { lane, total } }: AnyProcessManager): boolean => lane < Math.floor(total / 2);

const collectionsOf = (process: AnyProcessManager): Record<string, CollectionSpec> => ({
  [TODOS]: { indexes: [['priority', 'due_at'], ['group', 'due_at'], ...(hasManyLanes(process) ? [['group', 'lane', 'due_at']] : [])] },
  [NOTES]: { indexes: [] },
});

/** The to-do list of a process, as the projection that it is. */
export function todoList(process: AnyProcessManager): Projection {
  return {
    name: `todo/${process.name}`,
    version: process.version + LAYOUT,
    handles: process.handles,
    collections: collectionsOf(process),
    reads: (stored) => refs(process.reads?.(stored)),
    ...(process.readsMore && { readsMore: (stored, view) => refs(process.readsMore?.(stored, memoryOf(view))) }),
    apply: (stored, view) => {
      for (const intention of process.react(stored, memoryOf(view))) change(view, intention);
    },
  };
}

const refs = ({ todos = [], notes = [], fresh = false }: Reads = {}): DocumentRef[] => [
  ...todos.map((id) => ({ collection: TODOS, id, fresh })),
  ...notes.map((id) => ({ collection: NOTES, id, fresh })),
];

const memoryOf = (view: View): LoadedState => ({
  todo: (id) => view.get<Todo>(TODOS, id),
  note: <N extends Doc>(id: string) => view.get<N>(NOTES, id),
});

const changes: { [K in Intention['do']]: (view: View, intention: Extract<Intention, { do: K }>) => void } = {
  schedule: (view, { todo }) => view.put(TODOS, { ...todo, group: groupKey(todo.priority, todo.account) } satisfies StoredTodo),
  cancel: (view, { id }) => view.remove(TODOS, id),
  'store-note': (view, { note }) => view.put(NOTES, note),
  'delete-note': (view, { id }) => view.remove(NOTES, id),
  ignore: () => {},
};

const change = <I extends Intention>(view: View, intention: I): void =>
  (changes[intention.do] as (view: View, intention: I) => void)(view, intention);
