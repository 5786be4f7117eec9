import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from '../../../domain/kernel/clock.js';
import type { Scheduled, World } from './world.js';

/**
 * One life of a node, from its start to its crash. What it waits for after the crash never settles, and none of its timers
 * fires: its memory is gone.
 */
export class Life {
  #alive = true;
  readonly #watchers = new Set<() => void>();
  readonly #over = new AbortController();
  /** For work that goes on until the end of this life. It does not abort while a run lasts: after a crash nothing of the node could react. */
  readonly signal: AbortSignal = this.#over.signal;

  constructor(readonly name: string) {
    setMaxListeners(0, this.signal);
  }

  get alive(): boolean {
    return this.#alive;
  }

  end(): void {
    this.#alive = false;
    for (const notify of this.#watchers) notify();
  }

  /** After the run: Node holds signals that depend on others, and all that listens to them, until they abort. */
  release(): void {
    this.end();
    this.#over.abort(null);
  }

  /** Calls back at the end of this life. Returns a function that cancels it. */
  onEnd(notify: () => void): () => void {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
  }
}

/** A promise of its own for each that waits: one for all would hold the memory of every run. */
const never = (): Promise<never> => new Promise(() => {});

interface Sleepers {
  readonly due: number;
  readonly wakes: Set<() => void>;
  readonly waking: Scheduled;
}

/** Time as one component of a node has it. */
export class NodeClock implements Clock {
  readonly #startedAt: number;
  /** Those that sleep until the same millisecond wake in one step. */
  readonly #sleepers = new Map<number, Sleepers>();

  constructor(
    private readonly world: World,
    private readonly life: Life,
    private readonly actor: string,
    /** How far the node's clock is ahead of the world's, in milliseconds. */
    private readonly skew: () => number,
  ) {
    this.#startedAt = world.now;
  }

  now(): number {
    return Math.floor(this.world.now + this.skew());
  }

  monotonic(): number {
    return this.world.now - this.#startedAt;
  }

  timer(ms: number, callback: () => void): Timer {
    return this.world.after(ms, this.actor, () => this.life.alive && callback());
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.life.alive) return never();
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', end);
        if (this.life.alive) resolve();
      };
      const { now } = this.world;
      const sleepers = this.#until(ms < 1 ? now + ms : Math.floor(now + ms));
      const end = () => {
        sleepers.wakes.delete(wake);
        if (sleepers.wakes.size === 0) this.#forget(sleepers);
        wake();
      };
      sleepers.wakes.add(wake);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  #until(due: number): Sleepers {
    const known = this.#sleepers.get(due);
    if (known) return known;
    const wakes = new Set<() => void>();
    const waking = this.world.after(due - this.world.now, this.actor, () => {
      this.#sleepers.delete(due);
      for (const wake of wakes) wake();
    });
    const sleepers = { due, wakes, waking };
    this.#sleepers.set(due, sleepers);
    return sleepers;
  }

  #forget({ due, waking }: Sleepers): void {
    waking.cancel();
    this.#sleepers.delete(due);
  }

  yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => void this.world.after(0, this.actor, () => this.life.alive && resolve()));
  }
}

/** The way from one component of a node to a store or another outside part, with its delays and faults. */
export class Link {
  constructor(
    readonly world: World,
    readonly life: Life,
    readonly actor: string,
  ) {}

  /** Resolves after a time, never where the node has crashed meanwhile. */
  delay(ms: number): Promise<void> {
    if (!this.life.alive) return never();
    return new Promise((resolve) => void this.world.after(ms, this.actor, () => this.life.alive && resolve()));
  }

  /** Calls back after a time, unless the node has crashed meanwhile. */
  after(ms: number, callback: () => void): void {
    if (this.life.alive) this.world.after(ms, this.actor, this.whileAlive(callback));
  }

  /** The same function, which does nothing once the node has crashed. */
  whileAlive<T extends unknown[]>(callback: (...args: T) => void): (...args: T) => void {
    return (...args) => {
      if (this.life.alive) callback(...args);
    };
  }

  /** The same value, unless the node has crashed meanwhile: then it never settles. */
  async alive<T>(value: Promise<T>): Promise<T> {
    try {
      const settled = await value;
      return this.life.alive ? settled : await never();
    } catch (e) {
      if (!this.life.alive) return never();
      throw e;
    }
  }
}
