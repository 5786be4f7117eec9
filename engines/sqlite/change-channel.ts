import { realpathSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';
import { ChangeFile } from './change-file.js';
import { CHANGES_FILE } from './files.js';

/** How often a waiting listener is notified without a change, at multiples of this time: all listeners of a node at once. */
const POLL_MS = 2_000;
/** The same where the system cannot watch files, so that changes of other processes are not seen. */
const UNWATCHED_POLL_MS = 200;

/** One subscriber of a channel. */
export class ChannelListener {
  readonly #waiting = new Set<() => void>();
  #notified = 0;

  constructor(
    readonly accepts: (data: unknown) => boolean,
    private readonly polls: SharedPoll,
  ) {}

  /** Number of notifications so far. Read it before loading data: a change meanwhile then ends the next wait at once. */
  get notified(): number {
    return this.#notified;
  }

  /**
   * Resolves when there are more than `notified` notifications, after `ms` milliseconds, or when the signal aborts. Some
   * notifications are without a change.
   */
  waitForNext(notified: number, { ms, signal }: { readonly ms?: number; readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#notified > notified || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        this.polls.ended();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      this.#waiting.add(done);
      this.polls.began();
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  notify(): void {
    this.#notified += 1;
    for (const wake of [...this.#waiting]) wake();
  }
}

/** One timer for all who wait, as long as somebody does. */
class SharedPoll {
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly periodMs: () => number,
    private readonly onPoll: () => void,
  ) {}

  began(): void {
    this.#waiting += 1;
    if (this.#timer) this.#timer.ref();
    else this.#start();
  }

  ended(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#timer?.unref();
  }

  #start(): void {
    const period = this.periodMs();
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.onPoll();
        if (this.#waiting > 0 && !this.#timer) this.#start();
      },
      period - (Date.now() % period),
    );
  }
}

const ACCEPT_ALL = (): boolean => true;

/**
 * Broadcasts to all threads of this process that the log or a read model has changed, and which part of it. Other processes
 * learn that something has changed, and not what.
 */
export class ChangeChannel {
  readonly #channel: BroadcastChannel;
  readonly #listeners = new Set<ChannelListener>();
  readonly #file: ChangeFile;
  readonly #polls = new SharedPoll(
    () => (this.#isWatching ? POLL_MS : UNWATCHED_POLL_MS),
    () => this.#notifyAll(),
  );
  #isWatching: boolean | null = null;
  #unsent: unknown[] = [];
  #isOpen = true;

  constructor(
    dir: string,
    topic = 'log',
    private readonly onMessage: (data: unknown) => void = () => {},
  ) {
    this.#file = new ChangeFile(`${dir}/${CHANGES_FILE}`);
    this.#channel = new BroadcastChannel(`heliograph:${topic}:${realpathSync(dir)}`);
    this.#channel.onmessage = (message) => {
      for (const data of (message as { data: readonly unknown[] }).data) this.#deliver(data);
    };
    this.#channel.unref();
  }

  /** Notifies this thread and the others at once. */
  announce(data: unknown): void {
    this.#deliver(data);
    this.#unsent.push(data);
    this.#send();
  }

  /** Notifies this thread at once, and the others at the end of this turn of the event loop: one message for all of its changes. */
  announceLater(data: unknown): void {
    this.#deliver(data);
    if (this.#unsent.push(data) === 1) setImmediate(() => this.#send());
  }

  /** Receives messages from now on, until `unlisten`. */
  listen(accepts: (data: unknown) => boolean = ACCEPT_ALL): ChannelListener {
    this.#isWatching ??= this.#file.watch(() => this.#notifyAll());
    const listener = new ChannelListener(accepts, this.#polls);
    this.#listeners.add(listener);
    return listener;
  }

  unlisten(listener: ChannelListener): void {
    this.#listeners.delete(listener);
  }

  close(): void {
    this.#send();
    this.#isOpen = false;
    this.#channel.close();
    this.#file.close();
    this.#notifyAll();
  }

  #send(): void {
    if (this.#unsent.length === 0 || !this.#isOpen) return;
    this.#channel.postMessage(this.#unsent);
    this.#unsent = [];
    this.#file.touch();
  }

  #notifyAll(): void {
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
