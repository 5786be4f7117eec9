import { StoreUnavailable } from '../../../domain/kernel/ports.js';
import type { FaultRates } from './faults.js';
import type { Link } from './life.js';
import type { Random } from './random.js';

export type StoreName = 'log' | 'views';

/** Calls of one component to the stores. */
export class Way {
  readonly random: Random;

  constructor(
    private readonly stores: { readonly away: ReadonlySet<StoreName> },
    readonly link: Link,
    readonly rates: () => FaultRates,
  ) {
    this.random = link.world.random(link.actor);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.random.chance(probability);
  }

  /** Whether a fault of this kind happens now. */
  fails(kind: keyof FaultRates): boolean {
    const happens = this.chance(this.rates()[kind]);
    if (happens) this.link.world.fault(kind);
    return happens;
  }

  /** The time that a call takes one way. */
  latency(): number {
    return this.random.duration(this.rates().latencyMs) * (this.fails('slowCalls') ? 100 : 1);
  }

  /** The call travels, is made, and one in four answers takes a time of its own. */
  call<T>(store: StoreName, run: () => Promise<T>): Promise<T> {
    const { link } = this;
    return new Promise((resolve, reject) => {
      const answer = (value: T) => {
        if (this.chance(0.25)) link.after(this.latency(), () => resolve(value));
        else resolve(value);
      };
      link.after(this.latency(), () => {
        if (this.stores.away.has(store)) reject(away(store));
        else run().then(link.whileAlive(answer), link.whileAlive(reject));
      });
    });
  }

  async arrive(store: StoreName): Promise<void> {
    await this.link.delay(this.latency());
    if (this.stores.away.has(store)) throw away(store);
  }
}

const away = (store: StoreName) => new StoreUnavailable(`${store} is away`);

/** An object whose methods are calls to a store. */
export function remote<T extends object>(inner: T, call: <R>(run: () => Promise<R>) => Promise<R>, own: Partial<T> = {}): T {
  const calls = new Map<string | symbol, unknown>(Object.entries(own));
  return new Proxy(inner, {
    get(target, name) {
      if (calls.has(name)) return calls.get(name);
      const member = target[name as keyof T];
      if (typeof member !== 'function') return member;
      const made = (...args: unknown[]) => call(async () => member.apply(target, args));
      calls.set(name, made);
      return made;
    },
  });
}
