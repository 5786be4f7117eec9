/**
 * Runs work on the same keys one after the other within this process. It saves retries and is not needed for correctness:
 * conflicts are detected by the expected revision of each append.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work on any of these keys has ended. */
  async runExclusive<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const earlier = keys.map((key) => this.#last.get(key));
    let end = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const key of keys) this.#last.set(key, mine);
    try {
      await Promise.all(earlier);
      return await work();
    } finally {
      end();
      for (const key of keys) if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
