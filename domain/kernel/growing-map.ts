/**
 * An immutable map for entries that are stored for the whole life of an aggregate. Adding does not copy it: entries lie in layers that
 * double in size, so n additions cost n log n in all, and a look-up asks at most log n layers.
 */
export class GrowingMap<V> {
  private constructor(
    /** The largest first. */
    private readonly layers: readonly ReadonlyMap<string, V>[],
  ) {}

  static readonly empty: GrowingMap<never> = new GrowingMap<never>([]);

  get size(): number {
    return this.layers.reduce((sum, { size }) => sum + size, 0);
  }

  /** Each entry once, in no particular order. */
  entries(): [key: string, value: V][] {
    return [...new Map(this.layers.flatMap((layer) => [...layer]))];
  }

  static of<V>(entries: Iterable<readonly [key: string, value: V]>): GrowingMap<V> {
    const layer = new Map(entries);
    return new GrowingMap(layer.size === 0 ? [] : [layer]);
  }

  has(key: string): boolean {
    return this.layers.some((layer) => layer.has(key));
  }

  /** The value that was added last. */
  get(key: string): V | undefined {
    return this.layers.findLast((layer) => layer.has(key))?.get(key);
  }

  with(key: string, value: V): GrowingMap<V> {
    const layers = [...this.layers];
    let added: ReadonlyMap<string, V> = new Map([[key, value]]);
    for (let last = layers.at(-1); last && last.size <= added.size; last = layers.at(-1)) {
      added = new Map([...last, ...added]);
      layers.pop();
    }
    return new GrowingMap([...layers, added]);
  }
}
