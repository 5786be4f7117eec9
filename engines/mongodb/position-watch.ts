import type { Checkpoint, Position } from '../../domain/kernel/ports.js';
import type { CatalogEntry } from './catalog.js';

/** How often commits of other processes are polled for. Within one process `note` is called. */
const POLL_INTERVAL_MS = 50;

interface Waiter {
  readonly position: Position;
  readonly done: (reached: boolean) => void;
  readonly failed: (e: unknown) => void;
}

/** The position of the active generation. */
export const positionOf = (entry: CatalogEntry | null): Checkpoint => entry?.generations[entry.generation]?.checkpoint ?? 'start';

/** Waits for projections to reach positions. All waiters of one projection share its polling. */
export class PositionWatch {
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #reached = new Map<string, Position>();
  #closed = false;

  constructor(private readonly load: (name: string) => Promise<CatalogEntry | null>) {}

  /** Notes an entry that was read or written. Positions never go back: a promoted generation is not behind the last one. */
  note(entry: CatalogEntry): void {
    const position = positionOf(entry);
    if (position === 'start' || position <= (this.#reached.get(entry._id) ?? '')) return;
    this.#reached.set(entry._id, position);
    for (const waiter of this.#waiting.get(entry._id) ?? []) if (position >= waiter.position) waiter.done(true);
  }

  async waitUntilReached(name: string, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#has(name, position)) return true;
    const entry = await this.load(name);
    if (entry) this.note(entry);
    if (this.#has(name, position)) return true;
    if (timeoutMs <= 0 || signal?.aborted || this.#closed) return false;
    return this.#wait(name, position, timeoutMs, signal);
  }

  close(): void {
    this.#closed = true;
    for (const waiters of this.#waiting.values()) for (const { done } of waiters) done(false);
  }

  #has(name: string, position: Position): boolean {
    return (this.#reached.get(name) ?? '') >= position;
  }

  #wait(name: string, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise<boolean>((resolve, reject) => {
      const waiters = this.#waiting.get(name) ?? new Set();
      const giveUp = () => waiter.done(false);
      const timer = setTimeout(giveUp, timeoutMs);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        waiters.delete(waiter);
      };
      const waiter: Waiter = {
        position,
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
      waiters.add(waiter);
      if (this.#waiting.has(name)) return;
      this.#waiting.set(name, waiters);
      void this.#poll(name, waiters);
    });
  }

  async #poll(name: string, waiters: ReadonlySet<Waiter>): Promise<void> {
    while (waiters.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      if (waiters.size === 0) break;
      try {
        const entry = await this.load(name);
        if (entry) this.note(entry);
      } catch (e) {
        for (const { failed } of [...waiters]) failed(e);
      }
    }
    this.#waiting.delete(name);
  }
}
