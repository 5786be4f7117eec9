import { realpathSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';

/** One subscriber of a channel. */
export class Listener {
  readonly #waiting = new Set<() => void>();
  #notified = 0;

  constructor(readonly accepts: (data: unknown) => boolean) {}

  /** Number of accepted messages so far. Read it before loading data: a message that arrives meanwhile then ends the next wait at once. */
  get notified(): number {
    return this.#notified;
  }

  /** Resolves when more than `notified` messages were accepted, after `ms` milliseconds, or when the signal aborts. */
  waitForNext(notified: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#notified > notified || signal?.aborted) return Promise.resolve();
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

  notify(): void {
    this.#notified += 1;
    for (const wake of [...this.#waiting]) wake();
  }
}

const ACCEPT_ALL = (): boolean => true;

/**
 * Broadcasts to all threads of this process that the log or a read model has changed, and which part of it. Other
 * processes poll (see SqliteEventStore.subscribe).
 */
export class ChangeChannel {
  readonly #channel: BroadcastChannel;
  readonly #listeners = new Set<Listener>();

  constructor(
    dir: string,
    topic = 'log',
    private readonly onMessage: (data: unknown) => void = () => {},
  ) {
    this.#channel = new BroadcastChannel(`heliograph:${topic}:${realpathSync(dir)}`);
    this.#channel.onmessage = (message) => this.#deliver((message as { data: unknown }).data);
    this.#channel.unref();
  }

  announce(data: unknown): void {
    this.#channel.postMessage(data);
    this.#deliver(data);
  }

  /** Receives messages from now on, until `unlisten`. */
  listen(accepts: (data: unknown) => boolean = ACCEPT_ALL): Listener {
    const listener = new Listener(accepts);
    this.#listeners.add(listener);
    return listener;
  }

  unlisten(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  close(): void {
    this.#channel.close();
    for (const listener of this.#listeners) listener.notify();
  }

  #deliver(data: unknown): void {
    this.onMessage(data);
    for (const listener of this.#listeners) if (listener.accepts(data)) listener.notify();
  }
}

/** Prefixes of the streams that were appended to, up to and including the first dash. */
export type ChangedStreams = readonly string[];

export function streamPrefixesOf(streams: Iterable<string>): ChangedStreams {
  const kinds = new Set<string>();
  for (const stream of streams) kinds.add(stream.slice(0, stream.indexOf('-') + 1) || stream);
  return [...kinds];
}

/** Whether streams with this prefix may be among the changed ones. */
export const mayInclude =
  (prefix: string) =>
  (grown: unknown): boolean =>
    (grown as ChangedStreams).some((kind) => kind.startsWith(prefix) || prefix.startsWith(kind));
