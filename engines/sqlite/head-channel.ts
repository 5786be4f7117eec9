import { realpathSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';

/** Tells all threads of this process that the log has grown. Other processes notice by looking (see SqliteEventStore.follow). */
export class HeadChannel {
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Set<() => void>();

  constructor(dir: string, topic = 'log') {
    this.#channel = new BroadcastChannel(`heliograph:${topic}:${realpathSync(dir)}`);
    this.#channel.onmessage = (message) => {
      this.onMessage?.((message as { data: unknown }).data);
      this.#wake();
    };
    this.#channel.unref();
  }

  onMessage: ((data: unknown) => void) | undefined;

  announce(data: unknown = null): void {
    this.#channel.postMessage(data);
    this.#wake();
  }

  /** Resolves at the next announcement, after `ms`, or when the signal aborts. */
  next(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
      if (signal?.aborted) done();
    });
  }

  close(): void {
    this.#channel.close();
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
