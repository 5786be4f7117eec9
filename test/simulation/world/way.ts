import { StoreUnavailable } from '../../../domain/kernel/ports.js';
import type { FaultRates } from './faults.js';
import type { Link } from './life.js';
import type { Random } from './random.js';

export type StoreName = 'log' | 'views';

/** Calls that one component made at one moment. */
interface Together {
  readonly at: number;
  readonly runs: ((answered: Promise<void> | null) => void)[];
}

/** Calls of one component to the stores. */
export class Way {
  readonly random: Random;
  #together: Together | null = null;

  constructor(
    private readonly stores: { readonly away: ReadonlySet<StoreName>; readonly refusesWrites: boolean },
    readonly link: Link,
    readonly rates: () => FaultRates,
  ) {
    this.random = link.world.random(link.actor);
  }

  isAway(store: StoreName): boolean {
    return this.stores.away.has(store);
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
        if (this.isAway(store)) reject(away(store));
        else run().then(link.whileAlive(answer), link.whileAlive(reject));
      });
    });
  }

  /** Throws while all stores refuse writes. */
  requireWritable(): void {
    if (this.stores.refusesWrites) throw new StoreUnavailable('the disk is full');
  }

  /** A call that writes. */
  write<T>(store: StoreName, run: () => Promise<T>): Promise<T> {
    return this.call(store, this.#writing(run));
  }

  writeTogether<T>(store: StoreName, run: () => Promise<T>): Promise<T> {
    return this.callTogether(store, this.#writing(run));
  }

  #writing<T>(run: () => Promise<T>): () => Promise<T> {
    return async () => {
      this.requireWritable();
      return run();
    };
  }

  /** The same for what is called in one moment: it travels together, and so do the answers. */
  callTogether<T>(store: StoreName, run: () => Promise<T>): Promise<T> {
    const { link } = this;
    if (this.#together?.at !== link.world.now) this.#together = this.#depart();
    const { runs } = this.#together;
    return new Promise((resolve, reject) => {
      runs.push((answered) => {
        if (this.isAway(store)) return reject(away(store));
        const answer = (value: T) => (answered ? answered.then(() => resolve(value)) : resolve(value));
        run().then(link.whileAlive(answer), link.whileAlive(reject));
      });
    });
  }

  #depart(): Together {
    const { link } = this;
    const runs: Together['runs'] = [];
    link.after(this.latency(), () => {
      this.#together = null;
      const answered = this.chance(0.25) ? link.delay(this.latency()) : null;
      for (const run of runs) run(answered);
    });
    return { at: link.world.now, runs };
  }

  async arrive(store: StoreName): Promise<void> {
    await this.link.delay(this.latency());
    if (this.isAway(store)) throw away(store);
  }
}

const away = (store: StoreName) => new StoreUnavailable(`${store} is away`);

/** An object whose methods are calls to a store. Made of closures: a proxy would cost a tenth of a run. */
export function remote<T extends object>(inner: T, call: <R>(run: () => Promise<R>) => Promise<R>, own: Partial<T> = {}): T {
  const made: Record<string, unknown> = {};
  for (const name of memberNames(inner)) {
    const member = inner[name as keyof T];
    if (typeof member === 'function') made[name] = (...args: unknown[]) => call(async () => member.apply(inner, args));
    else Object.defineProperty(made, name, { get: () => inner[name as keyof T], enumerable: true });
  }
  return Object.assign(made, own) as T;
}

/** Of an object and of its classes. */
function memberNames(inner: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let of = inner; of && of !== Object.prototype; of = Object.getPrototypeOf(of))
    for (const name of Object.getOwnPropertyNames(of)) names.add(name);
  names.delete('constructor');
  return names;
}
