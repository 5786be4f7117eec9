import { lookupKeysOf, numberIn } from '../comparing.js';
import { type InputValue, isDecided } from './inputs.js';
import type { LiveLeaf } from './live-leaf.js';

interface IndexedLeaf {
  readonly index: number;
  readonly leaf: LiveLeaf;
}

/**
 * The leaves of one field. A change from one value to another leads only to those whose value it leaves or reaches, and to the
 * thresholds between the two numbers, not to all leaves of the field.
 */
export class FieldIndex {
  readonly #byValue = new Map<unknown, number[]>();
  /** In order. A comparison changes exactly where the value passes its threshold. */
  readonly #thresholds: { readonly at: number; readonly index: number }[] = [];
  readonly #others: number[] = [];

  constructor(
    private readonly field: string,
    readonly leaves: readonly IndexedLeaf[],
  ) {
    for (const { index, leaf } of leaves) {
      const { lookup } = leaf;
      if (lookup === undefined) this.#others.push(index);
      else if ('equals' in lookup) for (const value of lookup.equals) this.#add(value, index);
      else for (const at of lookup.thresholds) this.#thresholds.push({ at, index });
    }
    this.#thresholds.sort((a, b) => a.at - b.at);
  }

  /** The leaves that may have changed, each at least once. */
  changed(before: InputValue, after: InputValue): Iterable<number> {
    const from = plain(before);
    const to = plain(after);
    // What is decided of personal values names leaves, and lists equal what they contain.
    if (isDecided(before ?? undefined) || isDecided(after ?? undefined) || typeof from === 'object' || typeof to === 'object')
      return this.leaves.map(({ index }) => index);
    const found = [...this.#others, ...this.#equalTo(from), ...this.#equalTo(to)];
    const low = Math.min(numberOr(from, Number.NEGATIVE_INFINITY), numberOr(to, Number.NEGATIVE_INFINITY));
    const high = Math.max(numberOr(from, Number.NEGATIVE_INFINITY), numberOr(to, Number.NEGATIVE_INFINITY));
    // A missing value makes every comparison false, as if each were passed.
    const all = typeof from !== 'number' || typeof to !== 'number';
    if (all && high === Number.NEGATIVE_INFINITY) return found;
    for (let i = all ? 0 : this.#firstFrom(low); i < this.#thresholds.length; i++) {
      const threshold = this.#thresholds[i] as { at: number; index: number };
      if (!all && threshold.at > high) break;
      found.push(threshold.index);
    }
    return found;
  }

  readonly #equalTo = (stored: unknown): readonly number[] => lookupKeysOf(stored, this.field).flatMap((key) => this.#byValue.get(key) ?? []);

  #add(value: unknown, index: number): void {
    const known = this.#byValue.get(value);
    if (known) known.push(index);
    else this.#byValue.set(value, [index]);
  }

  /** The place of the first threshold that is not below. */
  #firstFrom(low: number): number {
    let [from, to] = [0, this.#thresholds.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#thresholds[middle]?.at ?? 0) < low) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Null where there is none. */
const plain = (value: InputValue): unknown => (value && 'is' in value ? (value.is ?? undefined) : undefined);
const numberOr = (value: unknown, other: number): number => numberIn(value) ?? other;
