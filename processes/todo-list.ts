import type { CollectionSpec, Doc, DocumentRef } from '../domain/kernel/ports.js';
import type { Projection, View } from '../projections/kernel.js';
import type { AnyProcessManager, Intention, LoadedState, Reads, Todo } from './kernel.js';

export const TODOS = 'todos';
export const NOTES = 'notes';

const collections: Record<string, CollectionSpec> = {
  [TODOS]: { indexes: [['lane', 'due_at'], ['due_at']] },
  [NOTES]: { indexes: [] },
};

/** The to-do list of a process, as the projection that it is. */
export function todoList(process: AnyProcessManager): Projection {
  return {
    name: `todo/${process.name}`,
    version: process.version,
    handles: process.handles,
    collections,
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
  schedule: (view, { todo }) => view.put(TODOS, todo),
  cancel: (view, { id }) => view.remove(TODOS, id),
  'store-note': (view, { note }) => view.put(NOTES, note),
  'delete-note': (view, { id }) => view.remove(NOTES, id),
  ignore: () => {},
};

const change = <I extends Intention>(view: View, intention: I): void =>
  (changes[intention.do] as (view: View, intention: I) => void)(view, intention);
