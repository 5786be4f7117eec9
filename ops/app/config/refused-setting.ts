import { StoreUnavailable } from '../../../domain/kernel/ports.js';
import { scrub } from './scrub.js';
import type { Variable } from './variable.js';

/** Opens what a setting names. An error says which setting it is; its value is not shown. Throws StoreUnavailable where that was the reason. */
export async function openedBy<T>({ name }: Pick<Variable<unknown>, 'name'>, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `What ${name} names cannot be opened: ${scrub(reason)}`;
    throw cause instanceof StoreUnavailable ? new StoreUnavailable(message, { cause }) : new Error(message, { cause });
  }
}
