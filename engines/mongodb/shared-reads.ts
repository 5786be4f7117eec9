/** More reads than this are not in flight at once: one may have no answer for seconds. */
const MOST_IN_FLIGHT = 2;

/** A read that callers can still join. */
interface Group<Found> {
  readonly ids: Set<string>;
  readonly begin: () => void;
  readonly found: Promise<ReadonlyMap<string, Found>>;
}

/**
 * Reads documents by id. Callers share reads: those that ask while some are in flight are answered together by the next one. The
 * answer is always that of a read which began after the call.
 */
export class SharedReads<Found extends { readonly _id: string }> {
  /** Gathers callers until it begins. */
  #next: Group<Found> | null = null;
  #inFlight = 0;

  /** `load` reads those of these documents that there are. */
  constructor(private readonly load: (ids: readonly string[]) => Promise<readonly Found[]>) {}

  async read(id: string): Promise<Found | null> {
    this.#next ??= this.#gather();
    this.#next.ids.add(id);
    return (await this.#next.found).get(id) ?? null;
  }

  #gather(): Group<Found> {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ids = new Set<string>();
    const found = begun.then(() => this.#load(ids));
    // Other callers of this turn of the event loop still join it.
    setImmediate(() => this.#beginNext());
    return { ids, begin, found };
  }

  #beginNext(): void {
    if (!this.#next || this.#inFlight >= MOST_IN_FLIGHT) return;
    const { begin } = this.#next;
    this.#next = null;
    this.#inFlight += 1;
    begin();
  }

  async #load(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Found>> {
    try {
      return new Map((await this.load([...ids])).map((one) => [one._id, one]));
    } finally {
      this.#inFlight -= 1;
      this.#beginNext();
    }
  }
}
