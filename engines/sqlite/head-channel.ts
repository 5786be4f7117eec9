import { realpathSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';

/** Tells all threads of this process that the log has grown. Other processes notice by looking (see SqliteEventStore.follow). */
export class HeadChannel {
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Set<() => void>();
  #heard = 0;

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

  /** How many announcements there were. Taken before a look, so that what comes between the look and the wait is not missed. */
  get heard(): number {
    return this.#heard;
  }

  /** Resolves once there were more announcements than `heard`, after `ms`, or when the signal aborts. */
  news(heard: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#heard > heard || signal?.aborted) return Promise.resolve();
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
    });
  }

  close(): void {
    this.#channel.close();
    this.#wake();
  }

  #wake(): void {
    this.#heard += 1;
    for (const wake of [...this.#waiting]) wake();
  }
}
