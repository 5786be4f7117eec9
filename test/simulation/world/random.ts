import { hash } from 'node:crypto';

/**
 * Random numbers of one actor, from the seed of the run and the actor's name. So one more draw of an actor changes nothing for
 * the others. The generator is SplitMix32.
 */
export class Random {
  #state: number;

  constructor(seed: number, actor: string) {
    this.#state = Number.parseInt(hash('sha256', `${seed}/${actor}`).slice(0, 8), 16);
  }

  /** From 0 to below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let z = this.#state ^ (this.#state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[Math.floor(this.fraction() * items.length)] as T;
  }

  /** One of the items, with a probability in proportion to its weight. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.fraction() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return this.pick(items);
  }

  /** A duration with this mean, exponentially distributed and at most ten times as long. */
  duration(meanMs: number): number {
    return Math.min(10 * meanMs, -meanMs * Math.log(1 - this.fraction()));
  }
}
