import { realpathSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';
import { ChangeFile } from './change-file.js';
import { CHANGES_FILE } from './files.js';

/** How often a waiting listener is notified without a change, at multiples of this time: all listeners of a node at once. */
const POLL_MS = 2_000;
/** The same where the system cannot watch files, so that changes of other processes are not seen. */
const UNWATCHED_POLL_MS = 200;
/** What is announced for later is sent so often at most. */
const GATHER_MS = 20;

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

/** What a thread does with all messages, whoever listens. */
export interface ChangeReceiver {
  readonly onMessage: (data: unknown) => void;
  /** Called before listeners are notified of a change that may be one of another process. */
  readonly onUnknown?: () => void;
}

/**
 * Broadcasts to all threads of this process that the log or a read model has changed, and which part of it. Other processes
 * learn that something has changed, and not what.
 */
export class ChangeChannel {
  /** Opened by the first who listens or announces: a message costs every thread that has the channel open. */
  #channel: BroadcastChannel | null = null;
  readonly #listeners = new Set<ChannelListener>();
  readonly #file: ChangeFile;
  readonly #name: string;
  readonly #polls = new SharedPoll(
    () => (this.#isWatching ? POLL_MS : UNWATCHED_POLL_MS),
    () => this.#notifyAll(),
  );
  #isWatching: boolean | null = null;
  /** By key: a change says all that earlier ones of the same key say. */
  readonly #soon = new Map<unknown, unknown>();
  readonly #later = new Map<unknown, unknown>();
  #laterFrom = Number.NEGATIVE_INFINITY;
  #isOpen = true;

  constructor(
    dir: string,
    topic = 'log',
    private readonly receiver: ChangeReceiver | null = null,
  ) {
    this.#file = new ChangeFile(`${dir}/${CHANGES_FILE}`);
    this.#name = `heliograph:${topic}:${realpathSync(dir)}`;
    if (receiver) this.#open();
  }

  /**
   * Notifies this thread at once, and the others at the end of this turn of the event loop: one message for all of its changes, and the
   * last one of those with the same key.
   */
  announce(data: unknown, key = data): void {
    this.#deliver(data);
    this.#later.delete(key);
    this.#soon.set(key, data);
    if (this.#soon.size === 1) setImmediate(() => this.#send(this.#soon));
  }

  /** The same for what others wait for only rarely: they are notified 20 ms after the last time, or at the end of this turn. */
  announceLater(data: unknown, key = data): void {
    this.#deliver(data);
    this.#later.set(key, data);
    if (this.#later.size > 1) return;
    const ms = this.#laterFrom - performance.now();
    if (ms <= 0) setImmediate(() => this.#sendLater());
    else setTimeout(() => this.#sendLater(), ms).unref();
  }

  /** Receives messages from now on, until `unlisten`. */
  listen(accepts: (data: unknown) => boolean = ACCEPT_ALL): ChannelListener {
    this.#open();
    this.#isWatching ??= this.#file.watch(() => this.#notifyAll());
    const listener = new ChannelListener(accepts, this.#polls);
    this.#listeners.add(listener);
    return listener;
  }

  unlisten(listener: ChannelListener): void {
    this.#listeners.delete(listener);
  }

  close(): void {
    for (const unsent of [this.#soon, this.#later]) this.#send(unsent);
    this.#isOpen = false;
    this.#channel?.close();
    this.#file.close();
    this.#notifyAll();
  }

  #open(): BroadcastChannel {
    if (this.#channel) return this.#channel;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = (message) => {
      for (const data of (message as { data: readonly unknown[] }).data) this.#deliver(data);
    };
    this.#channel.unref();
    return this.#channel;
  }

  #sendLater(): void {
    this.#laterFrom = performance.now() + GATHER_MS;
    this.#send(this.#later);
  }

  #send(unsent: Map<unknown, unknown>): void {
    if (unsent.size === 0 || !this.#isOpen) return;
    this.#open().postMessage([...unsent.values()]);
    unsent.clear();
    this.#file.touch();
  }

  #notifyAll(): void {
    this.receiver?.onUnknown?.();
    for (const listener of this.#listeners) listener.notify();
  }

  #deliver(data: unknown): void {
    this.receiver?.onMessage(data);
    for (const listener of this.#listeners) if (listener.accepts(data)) listener.notify();
  }
}

/** Prefixes of the streams that were appended to, up to and including the first dash. */
type ChangedStreams = readonly string[];

export function announceStreams(channel: ChangeChannel, streams: Iterable<string>): void {
  const kinds = new Set<string>();
  for (const stream of streams) kinds.add(stream.slice(0, stream.indexOf('-') + 1) || stream);
  channel.announce([...kinds], [...kinds].join());
}

/** Whether streams with this prefix may be among the changed ones. */
export const mayInclude =
  (prefix: string) =>
  (grown: unknown): boolean =>
    (grown as ChangedStreams).some((kind) => kind.startsWith(prefix) || prefix.startsWith(kind));
