/** Bounds of the number of permits. */
const MAX_PERMITS = 256;
const MIN_PERMITS = 4;

/**
 * Limits the appends in flight by additive increase and multiplicative decrease, as TCP does. A slow server must not get
 * more appends than it answers in time, since every timeout is a repeated append. The number of permits is halved after
 * a timeout, and grows by one per round of answers.
 */
export class AdaptiveSemaphore {
  #size = MAX_PERMITS;
  #acquired = 0;
  #halvedAt = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves with the time of the acquisition, or with null when no permit became free within `ms` milliseconds. */
  async acquire(ms: number): Promise<number | null> {
    if (this.#free > 0) this.#acquired += 1;
    else if (!(await this.#wait(ms))) return null;
    return performance.now();
  }

  /** Returns a permit. `late`: the append timed out. */
  release(acquiredAt: number, late: boolean): void {
    this.#acquired -= 1;
    if (!late) this.#size = Math.min(MAX_PERMITS, this.#size + 1 / this.#size);
    // Halve once for all appends that were in flight together.
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
