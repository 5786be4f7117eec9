/** What becomes of to-dos that were performed: their outcomes, when they are tried again, and what is set aside for an operator. */

import { parkWork } from '../../commands/parked/park-work.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { type Checkpoint, OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import { hashId } from '../../log/runtime/ids.js';
import type { AnyProcessManager, PerformContext, PerformOutcome, Todo } from './process-manager.js';
import { groupKey } from './scheduler.js';
import type { StoredTodo } from './todo-list.js';
import type { ProcessTuning } from './tuning.js';

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

/** A to-do that waits after an error, or because nothing was recorded. Times in milliseconds since 1970. */
interface WaitingTodo {
  readonly group: string;
  /** Failed attempts; those for which a store or a read model was unavailable do not count. */
  readonly attempts: number;
  readonly firstAt: number;
  /** How often in a row it was put off, for whatever reason. */
  readonly times: number;
  readonly until: number;
  /** It failed together with others: it is tried by itself. */
  readonly alone: boolean;
}

/** Why a to-do waits: nothing was recorded, a store or a read model was unavailable, or it failed. */
type Reason = 'nothing_recorded' | 'unavailable' | 'failed';

/** An entry is forgotten this long after its to-do was due again: then the to-do has left the list. */
const RETENTION_MS = 600_000;

/** To-dos that are tried again later, in memory. After a restart they are tried at once. */
export class Retries {
  readonly #waiting = new Map<string, WaitingTodo>();

  constructor(private readonly tuning: Pick<ProcessTuning, 'retry' | 'unavailableDelaysMs' | 'behindDelaysMs'>) {}

  /** Puts the to-do off. `retryAt` in milliseconds since 1970, or null for the delay that the number of attempts gives. */
  putOff(todo: Todo, now: number, reason: Reason, { retryAt = null, alone = false }: { retryAt?: number | null; alone?: boolean } = {}): void {
    const last = this.#waiting.get(todo.id);
    const times = (last?.times ?? 0) + 1;
    const { retry, unavailableDelaysMs, behindDelaysMs } = this.tuning;
    const delays = { nothing_recorded: behindDelaysMs, unavailable: unavailableDelaysMs, failed: retry.delaysMs }[reason];
    this.#waiting.set(todo.id, {
      group: groupKey(todo.priority, todo.account),
      attempts: (last?.attempts ?? 0) + (reason === 'failed' ? 1 : 0),
      firstAt: last?.firstAt ?? now,
      times,
      until: retryAt ?? now + (delays[Math.min(times, delays.length) - 1] ?? 0),
      alone: alone || (last?.alone ?? false),
    });
  }

  /** Failed attempts so far, and the time of the first one. */
  of(todo: Todo): { readonly attempts: number; readonly firstAt: number } | undefined {
    return this.#waiting.get(todo.id);
  }

  waits(id: string, now: number): boolean {
    return (this.#waiting.get(id)?.until ?? 0) > now;
  }

  isAlone(todo: Todo): boolean {
    return this.#waiting.get(todo.id)?.alone ?? false;
  }

  done(todo: Todo): void {
    this.#waiting.delete(todo.id);
  }

  /** By group, those that wait; and when the next one may be tried. */
  waiting(now: number): { readonly groups: ReadonlyMap<string, number>; readonly nextDue: number } {
    const groups = new Map<string, number>();
    let nextDue = Number.POSITIVE_INFINITY;
    for (const [id, { group, until }] of this.#waiting) {
      if (until > now) {
        groups.set(group, (groups.get(group) ?? 0) + 1);
        nextDue = Math.min(nextDue, until);
      } else if (until + RETENTION_MS < now) this.#waiting.delete(id);
    }
    return { groups, nextDue };
  }
}

interface TodoFailure {
  readonly attempts: number;
  readonly error: Error;
  /** The first failed attempt, in milliseconds since 1970. */
  readonly firstAt: number;
}

/** Sets a to-do of a process aside, until an operator retries or drops it. Returns the position of that record. */
export async function parkTodo(
  process: string,
  todo: Todo,
  { attempts, error, firstAt }: TodoFailure,
  { execute }: PerformContext,
): Promise<Checkpoint> {
  const { account, id: about } = todo;
  const parked_id = hashId('prk', process, about);
  const first_at = new Date(firstAt).toISOString();
  const { code } = error as { code?: unknown };
  const fields = {
    parked_id,
    process,
    account,
    about,
    attempts,
    first_at,
    error: { class: error.name, code: typeof code === 'string' ? code : null },
  };
  const { position } = await execute(parkWork, fields, { account, correlation: parked_id, about: `park/${about}/${first_at}` });
  return position;
}
