import type { Position } from '../../../domain/kernel/ports.js';
import { entryCache } from '../../../log/vault/entry-cache.js';
import type { LastWrites } from '../services.js';

/** Accounts in the cache. The read models have reached the writes of an account that was evicted. */
const MAX_ACCOUNTS = 100_000;

/** The position of the last write of each account, in this process's memory. Positions only grow. */
export class InMemoryLastWrites implements LastWrites {
  readonly #positions = entryCache<string, Position>(MAX_ACCOUNTS);

  of(account: string): Position | undefined {
    return this.#positions.get(account);
  }

  note(account: string, position: Position): void {
    const known = this.#positions.get(account);
    if (known === undefined || known < position) this.#positions.set(account, position);
  }
}
