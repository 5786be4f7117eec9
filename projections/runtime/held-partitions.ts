import { setMaxListeners } from 'node:events';
import type { Clock } from '../../domain/kernel/ports.js';

/** Partitions that come or go within this time are one change. */
const GATHER_MS = 50;

interface Session {
  readonly partitions: readonly number[];
  readonly ended: Promise<void>;
}

/** The partitions that this node holds, for readers that work on all of them together: each event is then read once. */
export class HeldPartitions {
  readonly #held = new Set<number>();
  readonly #sessions = new Set<Session>();
  #change = newController();

  constructor(private readonly clock: Pick<Clock, 'sleep'>) {}

  /** Adds a partition until the signal aborts. Resolves when nothing works on it any more. */
  async hold(partition: number, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      this.#held.add(partition);
      this.#changed();
      await aborted(signal);
      this.#held.delete(partition);
      this.#changed();
    }
    await Promise.all([...this.#sessions].filter(({ partitions }) => partitions.includes(partition)).map(({ ended }) => ended));
  }

  /** Runs `work` over what is held, anew after each change, until the signal aborts. The signal that `work` gets aborts at a change, too. */
  async run(signal: AbortSignal, work: (partitions: readonly number[], signal: AbortSignal) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const both = AbortSignal.any([signal, this.#change.signal]);
      setMaxListeners(0, both);
      if (this.#held.size === 0) await aborted(both);
      else await this.clock.sleep(GATHER_MS, both);
      if (both.aborted) continue;
      const partitions = [...this.#held].sort((a, b) => a - b);
      const ended = work(partitions, both);
      const session: Session = { partitions, ended: ended.catch(() => {}) };
      this.#sessions.add(session);
      await ended.finally(() => this.#sessions.delete(session));
    }
  }

  #changed(): void {
    this.#change.abort();
    this.#change = newController();
  }
}

function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
