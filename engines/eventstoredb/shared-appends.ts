import type { AppendPosition, ExpectedRevision, NewEvent } from '../../domain/kernel/ports.js';

/**
 * Identical appends in flight share one call: the server would leave some of them without an answer until their deadline. They have
 * the same stream, expected revision and ids.
 */
export class SharedAppends {
  readonly #inFlight = new Map<string, Promise<AppendPosition>>();

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    make: () => Promise<AppendPosition>,
  ): Promise<AppendPosition> {
    const key = `${stream} ${expected} ${events.map(({ id }) => id).join(' ')}`;
    const same = this.#inFlight.get(key);
    if (same) return same;
    const made = make().finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, made);
    return made;
  }
}
