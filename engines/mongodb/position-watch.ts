import { type Checkpoint, isAfter, lowestOf, type Position } from '../../domain/kernel/ports.js';
import { type CatalogEntry, positionsOf } from './catalog.js';

/**
 * Commits of other threads and processes are polled for, in milliseconds: at the beginning of a wait, but at most once in `least`;
 * then after `first`, and more and more seldom, up to `most`, while no position changes. Within one thread `note` is called.
 */
const INTERVAL_MS = { least: 20, first: 50, most: 200, factor: 1.5 } as const;

/** One partition, or undefined for all. */
type Scope = number | undefined;

interface Waiter {
  readonly name: string;
  readonly position: Position;
  readonly partition: Scope;
  /** Whether a load that began after the wait was answered. Until then, the wait does not end: the store may not answer at all. */
  isAnswered: boolean;
  isOverdue: boolean;
  readonly done: (reached: boolean) => void;
  readonly failed: (e: unknown) => void;
}

/** Waits for projections to reach positions. All waiters share one polling. If it fails, all waits fail. */
export class PositionWatch {
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #reached = new Map<string, { readonly generation: number; readonly positions: readonly Checkpoint[] }>();
  #polls = false;
  /** Whether someone began to wait since the last poll began. */
  #isNew = false;
  #endPause: () => void = () => {};
  #pauseMs: number = INTERVAL_MS.first;
  #closed = false;

  /** `load` reads the entries of these projections, those that there are. */
  constructor(private readonly load: (names: readonly string[]) => Promise<readonly CatalogEntry[]>) {}

  /**
   * Notes an entry that was read or written. Entries may arrive out of order, but positions never go back: a promoted generation is
   * not behind the last one.
   */
  note(entry: CatalogEntry): void {
    const name = entry._id;
    const known = this.#reached.get(name);
    if (known && known.generation > entry.generation) return;
    const before = known?.generation === entry.generation ? known.positions : [];
    const positions = positionsOf(entry).map((position, i) => (isAfter(before[i] ?? 'start', position) ? (before[i] as Position) : position));
    this.#reached.set(name, { generation: entry.generation, positions });
    if (positions.every((position, i) => position === before[i])) return;
    this.#pauseMs = INTERVAL_MS.first;
    for (const waiter of this.#waiting.get(name) ?? []) if (this.#has(name, waiter.position, waiter.partition)) waiter.done(true);
  }

  /** The positions noted last; undefined if there are none. */
  known(name: string): readonly Checkpoint[] | undefined {
    return this.#reached.get(name)?.positions;
  }

  async waitUntilReached(name: string, position: Position, timeoutMs: number, signal?: AbortSignal, partition?: number): Promise<boolean> {
    if (this.#has(name, position, partition)) return true;
    if (timeoutMs <= 0) {
      for (const entry of await this.load([name])) this.note(entry);
      return this.#has(name, position, partition);
    }
    if (signal?.aborted || this.#closed) return false;
    return this.#wait(name, position, timeoutMs, signal, partition);
  }

  close(): void {
    this.#closed = true;
    for (const waiters of this.#waiting.values()) for (const { done } of waiters) done(false);
  }

  #has(name: string, position: Position, partition: Scope): boolean {
    const { positions } = this.#reached.get(name) ?? { positions: [] };
    if (positions.length === 0) return false;
    const reached = partition === undefined || positions.length === 1 ? lowestOf(positions) : (positions[partition] ?? 'start');
    return reached !== 'start' && reached >= position;
  }

  #wait(name: string, position: Position, timeoutMs: number, signal: AbortSignal | undefined, partition: Scope): Promise<boolean> {
    return new Promise<boolean>((resolve, reject) => {
      const giveUp = () => waiter.done(false);
      const timer = setTimeout(() => {
        if (waiter.isAnswered) giveUp();
        else waiter.isOverdue = true;
      }, timeoutMs);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#remove(waiter);
      };
      const waiter: Waiter = {
        name,
        position,
        partition,
        isAnswered: false,
        isOverdue: false,
        done: (reached) => {
          end();
          resolve(reached);
        },
        failed: (e) => {
          end();
          reject(e);
        },
      };
      signal?.addEventListener('abort', giveUp);
      this.#add(waiter);
      if (!this.#polls) void this.#poll();
    });
  }

  #add(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.name) ?? new Set();
    this.#waiting.set(waiter.name, waiters.add(waiter));
    this.#isNew = true;
    this.#pauseMs = INTERVAL_MS.first;
    this.#endPause();
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.name);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(waiter.name);
  }

  async #poll(): Promise<void> {
    this.#polls = true;
    while (this.#waiting.size > 0) {
      const began = performance.now();
      this.#isNew = false;
      await this.#loadAll();
      await this.#pauseFrom(began);
    }
    this.#polls = false;
  }

  async #loadAll(): Promise<void> {
    const waiters = this.#waiters();
    try {
      for (const entry of await this.load([...this.#waiting.keys()])) this.note(entry);
      for (const waiter of waiters) {
        waiter.isAnswered = true;
        if (waiter.isOverdue) waiter.done(false);
      }
    } catch (e) {
      for (const { failed } of this.#waiters()) failed(e);
    }
  }

  #waiters(): readonly Waiter[] {
    return [...this.#waiting.values()].flatMap((of) => [...of]);
  }

  /** Waits until the next poll is due, or sooner if someone begins to wait. */
  async #pauseFrom(began: number): Promise<void> {
    const untilMs = (ms: number): number => Math.max(0, began + ms - performance.now());
    if (!this.#isNew && this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilMs(this.#pauseMs));
        this.#endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (!this.#isNew) this.#pauseMs = Math.min(INTERVAL_MS.most, this.#pauseMs * INTERVAL_MS.factor);
    }
    const least = untilMs(INTERVAL_MS.least);
    if (least > 0) await new Promise((resolve) => setTimeout(resolve, least));
  }
}
