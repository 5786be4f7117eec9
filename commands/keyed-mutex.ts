/**
 * Lets those who are about the same things go one after the other within this process. Nothing is safer for it: what must
 * be so is checked where it is appended. But those who wait do not look at the same streams over and over.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Works once nobody who came before is about any of these things. */
  async runExclusive<T>(things: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = things.map((thing) => this.#last.get(thing));
    let end = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const thing of things) this.#last.set(thing, mine);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      end();
      for (const thing of things) if (this.#last.get(thing) === mine) this.#last.delete(thing);
    }
  }
}
