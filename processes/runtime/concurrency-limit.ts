/** Pauses after failures of a store, in milliseconds; the last one is repeated. */
const PAUSES_MS = [200, 1_000];

/**
 * Limits how many to-dos of a process run at a time, by additive increase and multiplicative decrease: half as many after each
 * failure of a store, down to one; one more after each success. Without it, hundreds of to-dos would retry against a store
 * that is unavailable.
 */
export class ConcurrencyLimit {
  #limit: number;
  #failures = 0;
  #pauses = 0;
  #pausedUntil = 0;

  constructor(private readonly most: number) {
    this.#limit = most;
  }

  /** How many may run at the same time now; 0 during a pause. `now` in milliseconds since 1970. */
  at(now: number): number {
    return now < this.#pausedUntil ? 0 : Math.floor(this.#limit);
  }

  /** End of the pause after a failure, in milliseconds since 1970; in the past where nothing failed. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Number of failures so far. A to-do that starts passes it to `failed` later: to-dos with the same number ran together. */
  get round(): number {
    return this.#failures;
  }

  succeeded(): void {
    this.#limit = Math.min(this.most, this.#limit + 1);
    this.#pauses = 0;
    this.#pausedUntil = 0;
  }

  /** A store failed for a to-do that started in this round. Only the first failure of a round counts; true for that one. */
  failed(round: number, now: number): boolean {
    if (round < this.#failures) return false;
    this.#failures += 1;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#pausedUntil = now + (PAUSES_MS[Math.min(this.#pauses++, PAUSES_MS.length - 1)] as number);
    return true;
  }
}
