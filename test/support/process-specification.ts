import { expect } from 'chai';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type Doc, UNDIVIDED } from '../../domain/kernel/ports.js';
import type { LogEvent, Metadata } from '../../log/runtime/log-event.js';
import type { Intention, ProcessManager, ReactionMemory, Reads, Todo } from '../../processes/runtime/process-manager.js';

/** The envelope of an event, if it matters. */
export interface Envelope {
  readonly stream?: string;
  readonly revision?: number;
  readonly id?: string;
  readonly meta?: Partial<Metadata>;
}

const META: Metadata = {
  account: 'acc_1',
  $correlationId: 'req_1',
  $causationId: 'req_1',
  actor: { kind: 'key', id: 'key_1' },
  schemaVersion: 1,
  occurredAt: '2026-01-15T10:30:00.000Z',
};

/** The event as read from the log. */
export const recorded = <E>(event: E, { stream = 'stream-1', revision = 0, id = 'event-1', meta }: Envelope = {}): LogEvent<E> => ({
  event,
  stream,
  revision,
  position: '00000000000000000001',
  id,
  meta: { ...META, ...meta },
});

/**
 * Specs of a process manager over events: `given(…past).when(event)`, then `.then(…intentions)` or `.thenIgnored(reason)`.
 * Past events build the to-do list as the runner does; `holding` adds to-dos and notes to it. A to-do or note that
 * `reads` and `readsMore` do not name throws, as it does in the runner.
 */
export function processSpecification<E extends AnyEvent, T extends Todo>(process: ProcessManager<E, T>, envelope: Envelope = {}) {
  const toLogEvent = (event: E | LogEvent<E>): LogEvent<E> => ('event' in event ? event : recorded(event, envelope));
  const given = (past: readonly (E | LogEvent<E>)[], list: TodoList) => {
    for (const event of past) list.apply(reactTo(process, toLogEvent(event), list));
    return {
      /** To-dos and notes beside those of the past events. */
      holding: ({ todos = [], notes = [] }: { readonly todos?: readonly T[]; readonly notes?: readonly Doc[] }) => {
        list.apply([...todos.map((todo) => ({ do: 'schedule', todo }) as const), ...notes.map((note) => ({ do: 'store-note', note }) as const)]);
        return given([], list);
      },
      when: (event: E | LogEvent<E>) => {
        const intentions = reactTo(process, toLogEvent(event), list);
        return {
          // biome-ignore lint/suspicious/noThenProperty: the step of a specification, which is never awaited
          then: (...expected: readonly Intention[]) => {
            expect(intentions).to.deep.equal(expected);
          },
          thenIgnored: (reason: string) => {
            expect(intentions).to.deep.equal([{ do: 'ignore', reason }]);
          },
        };
      },
    };
  };
  return { given: (...past: readonly (E | LogEvent<E>)[]) => given(past, new TodoList()) };
}

class TodoList {
  readonly todos = new Map<string, Todo>();
  readonly notes = new Map<string, Doc>();

  apply(intentions: readonly Intention[]): void {
    for (const intention of intentions) {
      if (intention.do === 'schedule') this.todos.set(intention.todo.id, intention.todo);
      else if (intention.do === 'cancel') this.todos.delete(intention.id);
      else if (intention.do === 'store-note') this.notes.set(intention.note.id, intention.note);
      else if (intention.do === 'delete-note') this.notes.delete(intention.id);
    }
  }
}

function reactTo<E extends AnyEvent, T extends Todo>(process: ProcessManager<E, T>, event: LogEvent<E>, list: TodoList): readonly Intention[] {
  const loaded = { todos: new Set<string>(), notes: new Set<string>() };
  const load = ({ todos = [], notes = [] }: Reads = {}): boolean => {
    const before = loaded.todos.size + loaded.notes.size;
    for (const id of todos) loaded.todos.add(id);
    for (const id of notes) loaded.notes.add(id);
    return loaded.todos.size + loaded.notes.size > before;
  };
  const find = <D extends Doc>(kind: 'todos' | 'notes', id: string): D | undefined => {
    if (!loaded[kind].has(id)) throw new Error(`${kind}/${id} was not named by reads()`);
    return list[kind].get(id) as D | undefined;
  };
  const state: ReactionMemory<T> = {
    partition: UNDIVIDED,
    isLoaded: (kind, id) => loaded[kind === 'todo' ? 'todos' : 'notes'].has(id),
    todo: (id) => find<T>('todos', id),
    note: <N extends Doc>(id: string) => find<N>('notes', id),
  };
  load(process.reads?.(event, UNDIVIDED));
  while (load(process.readsMore?.(event, state)));
  return process.react(event, state);
}
