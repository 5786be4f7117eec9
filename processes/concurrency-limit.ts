/** Waits after a try while a store is away, in milliseconds; the last one is repeated. */
const PAUSES_MS = [200, 1_000];

/**
 * How many to-dos of a process run at a time. While a store is away or choked, trying hundreds of them over and over would
 * help nobody, and fill the log: so half as many after each failure, down to one, and one more after each success.
 */
export class ConcurrencyLimit {
  #limit: number;
  #failures = 0;
  #pauses = 0;
  #pausedUntil = 0;

  constructor(private readonly most: number) {
    this.#limit = most;
  }

  /** How many more may begin. Times in milliseconds since 1970. */
  available(running: number, now: number): number {
    return now < this.#pausedUntil ? 0 : Math.floor(this.#limit) - running;
  }

  /** When it goes on after a failure; in the past where nothing failed. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** To be kept by each to-do from its beginning for `failed`: tells which of them ran together. */
  get round(): number {
    return this.#failures;
  }

  succeeded(): void {
    this.#limit = Math.min(this.most, this.#limit + 1);
    this.#pauses = 0;
    this.#pausedUntil = 0;
  }

  /** A store was away for a to-do of a round. True for the first of that round, which tells for all of them. */
  failed(round: number, now: number): boolean {
    if (round < this.#failures) return false;
    this.#failures += 1;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#pausedUntil = now + (PAUSES_MS[Math.min(this.#pauses++, PAUSES_MS.length - 1)] as number);
    return true;
  }
}
