/** A real server left 10 of 64 identical appends without an answer. */
const UNANSWERED_OF = 6;
const IN_FLIGHT_MS = 25;

/**
 * Identical appends in flight at the same time: one is written, and some of the others get no answer before their deadline,
 * as with a real server.
 */
export class IdenticalAppends {
  readonly #inFlight = new Map<string, number>();

  /** Resolves with the answer of the append, or null if it gets none. */
  async answerOf<A>(stream: string, expected: unknown, ids: readonly string[], append: () => Promise<A>): Promise<A | null> {
    const key = [stream, String(expected), ...ids].join(' ');
    const others = this.#inFlight.get(key) ?? 0;
    this.#inFlight.set(key, others + 1);
    // The engine may answer at once. What a client has sent together is in flight together.
    const passed = new Promise<void>((resolve) => setTimeout(resolve, IN_FLIGHT_MS)).then(() => this.#end(key));
    const answer = await append();
    if (others > 0) await passed;
    return others % UNANSWERED_OF === UNANSWERED_OF - 1 ? null : answer;
  }

  #end(key: string): void {
    const left = (this.#inFlight.get(key) ?? 1) - 1;
    if (left > 0) this.#inFlight.set(key, left);
    else this.#inFlight.delete(key);
  }
}
