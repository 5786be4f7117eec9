/** At most so many appends are under way at a time, and never fewer than these. */
const MAX_PERMITS = 256;
const MIN_PERMITS = 4;

/**
 * How many appends may be under way. A server that is slow for a while must not be given more than it can answer in
 * time: what it answers too late has to be asked again, so that in the end it would answer nothing in time. As TCP does
 * it: half as many after an answer that did not come in time, one more for each round of answers.
 */
export class AdaptiveSemaphore {
  #size = MAX_PERMITS;
  #acquired = 0;
  #halvedAt = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves with the moment at which a place was taken, or null where none came free within so many milliseconds. */
  async acquire(ms: number): Promise<number | null> {
    if (this.#free > 0) this.#acquired += 1;
    else if (!(await this.#wait(ms))) return null;
    return performance.now();
  }

  /** Gives a place back. `late`: there was no answer in time. */
  release(acquiredAt: number, late: boolean): void {
    this.#acquired -= 1;
    if (!late) this.#size = Math.min(MAX_PERMITS, this.#size + 1 / this.#size);
    // Of those that were under way together one tells all there is to tell.
    else if (acquiredAt >= this.#halvedAt) {
      this.#size = Math.max(MIN_PERMITS, this.#size / 2);
      this.#halvedAt = performance.now();
    }
    for (let next = this.#free > 0 && this.#waiting.shift(); next; next = this.#free > 0 && this.#waiting.shift()) {
      this.#acquired += 1;
      next();
    }
  }

  get #free(): number {
    return Math.floor(this.#size) - this.#acquired;
  }

  #wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        const at = this.#waiting.indexOf(go);
        if (at !== -1) this.#waiting.splice(at, 1);
        resolve(false);
      }, ms);
      this.#waiting.push(go);
    });
  }
}
