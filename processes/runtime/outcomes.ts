import { isDomainError } from '../../domain/kernel/errors.js';
import { OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import type { AnyProcessManager, PerformContext, PerformOutcome, Todo } from './process-manager.js';
import type { StoredTodo } from './todo-list.js';

/** Performs to-dos with one call, or ends one that was dropped. Resolves with one outcome for each; never throws. */
export async function outcomesOf(process: AnyProcessManager, todos: readonly Todo[], context: PerformContext): Promise<readonly PerformOutcome[]> {
  try {
    const [first] = todos;
    const found = first && isDropped(first) && process.drop ? [await process.drop(first, context)] : await process.perform(todos, context);
    return todos.map((_, i) => found[i] ?? new Error(`${process.name} returned no outcome`));
  } catch (e) {
    const error = e instanceof Error ? e : new Error(String(e));
    return todos.map(() => error);
  }
}

/** An operator has dropped it: the process ends what it is about. */
export const isDropped = (todo: StoredTodo | Todo): boolean => 'dropped' in todo && todo.dropped === true;

/** A read model that it needs is being caught up, perhaps by a node that has just taken it over: no fault of the to-do. */
export const isBehind = (e: unknown): boolean => isDomainError(e) && e.code === 'projection_behind';

/** A store was unavailable: no fault of the to-do. */
export const isStoreFailure = (e: unknown): boolean => e instanceof StoreUnavailable || e instanceof OutcomeUnknown;
