import { parkWork } from '../../commands/parked/park-work.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { hashId } from '../../log/runtime/ids.js';
import type { PerformContext, Todo } from './process-manager.js';

export interface TodoFailure {
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
