import { realpathSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';

/** Listens for announcements of one kind. */
export class Ear {
  readonly #waiting = new Set<() => void>();
  #heard = 0;

  constructor(readonly concerns: (data: unknown) => boolean) {}

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

  wake(): void {
    this.#heard += 1;
    for (const wake of [...this.#waiting]) wake();
  }
}

const ANYTHING = (): boolean => true;

/**
 * Tells all threads of this process that something has grown, the log or a read model, and in which part. Other processes
 * notice by looking (see SqliteEventStore.follow).
 */
export class HeadChannel {
  readonly #channel: BroadcastChannel;
  readonly #ears = new Set<Ear>();

  constructor(
    dir: string,
    topic = 'log',
    private readonly onNews: (data: unknown) => void = () => {},
  ) {
    this.#channel = new BroadcastChannel(`heliograph:${topic}:${realpathSync(dir)}`);
    this.#channel.onmessage = (message) => this.#hear((message as { data: unknown }).data);
    this.#channel.unref();
  }

  announce(data: unknown): void {
    this.#channel.postMessage(data);
    this.#hear(data);
  }

  /** Hears from now on. `drop` it when it is no longer needed. */
  ear(concerns: (data: unknown) => boolean = ANYTHING): Ear {
    const ear = new Ear(concerns);
    this.#ears.add(ear);
    return ear;
  }

  drop(ear: Ear): void {
    this.#ears.delete(ear);
  }

  close(): void {
    this.#channel.close();
    for (const ear of this.#ears) ear.wake();
  }

  #hear(data: unknown): void {
    this.onNews(data);
    for (const ear of this.#ears) if (ear.concerns(data)) ear.wake();
  }
}

/** What of the log has grown: the words before the first dash of the names of streams. */
export type GrownStreams = readonly string[];

export function kindsOf(streams: Iterable<string>): GrownStreams {
  const kinds = new Set<string>();
  for (const stream of streams) kinds.add(stream.slice(0, stream.indexOf('-') + 1) || stream);
  return [...kinds];
}

/** Whether streams with such a prefix may be among those that have grown. */
export const mayConcern =
  (prefix: string) =>
  (grown: unknown): boolean =>
    (grown as GrownStreams).some((kind) => kind.startsWith(prefix) || prefix.startsWith(kind));
