import type { Clock, DocumentWatch } from '../../domain/kernel/ports.js';

/** Who waits for the next change of something. */
export class Listeners implements DocumentWatch {
  readonly #waiting = new Set<() => void>();
  #notified = 0;

  constructor(private readonly clock: Pick<Clock, 'timer'>) {}

  get notified(): number {
    return this.#notified;
  }

  waitForNext(notified: number, { ms, signal }: { readonly ms?: number; readonly signal?: AbortSignal | undefined }): Promise<void> {
    if (this.#notified > notified || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        timer?.cancel();
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = ms === undefined ? undefined : this.clock.timer(ms, done);
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  notify(): void {
    this.#notified += 1;
    for (const wake of [...this.#waiting]) wake();
  }
}
