import { type Checkpoint, type Clock, isAfter } from '../../domain/kernel/ports.js';
import type { ChangedStreamsPage } from '../../log/feed/changed-streams.js';

/** The keys that a read model has stored, from which an index is loaded. */
export interface StoredKeys {
  /** A page of keys after a cursor ('' for the first page); `last` is the next cursor, undefined at the end. */
  page(after: string, limit: number): Promise<{ readonly keys: readonly string[]; readonly last: string | undefined }>;
  /** Checkpoint of the read model. */
  position(): Promise<Checkpoint>;
}

const PAGE_SIZE = 1_000;

/**
 * Projection in memory of which streams of one kind exist, by the key in their names. It saves reading streams that do not
 * exist. It may contain keys without a stream; a stream that another process created in the last moments may be missing, unless
 * the caller waits until the index has reached its position.
 */
export class InMemoryStreamIndex {
  #isLoaded = false;
  #position: Checkpoint = 'start';
  readonly #waiting = new Set<() => void>();

  /** `prefix` is the prefix of the stream names. */
  constructor(
    readonly prefix: string,
    private readonly keys: { add(key: string): unknown; has(key: string): boolean },
    private readonly clock: Clock,
  ) {}

  /** False only if the key had no stream when the index was at its position. Always true until the index is loaded. */
  mightContain(key: string): boolean {
    return !this.#isLoaded || this.keys.has(key);
  }

  /** Up to where the index has seen the log. It may have keys of later events. */
  get position(): Checkpoint {
    return this.#position;
  }

  /** True once the index has seen the log up to a position; false where it has not after so many milliseconds. */
  async waitUntilReached(position: Checkpoint, ms: number): Promise<boolean> {
    if (!isAfter(position, this.#position)) return true;
    return new Promise((resolve) => {
      const look = () => {
        if (isAfter(position, this.#position)) return;
        timer.cancel();
        this.#waiting.delete(look);
        resolve(true);
      };
      const timer = this.clock.timer(ms, () => {
        this.#waiting.delete(look);
        resolve(false);
      });
      this.#waiting.add(look);
    });
  }

  /** Must be called for each append of this process, so that its own writes are in the index at once. */
  noteAppended(stream: string): void {
    if (stream.startsWith(this.prefix)) this.keys.add(stream.slice(this.prefix.length));
  }

  /** Must be called after the streams of a page of the log are noted. */
  noteReached(position: Checkpoint): void {
    this.#position = position;
    for (const look of [...this.#waiting]) look();
  }

  /** Loads the stored keys, and catches up with the log by the pages from the read model's position on. */
  async load(stored: StoredKeys, catchUp: (after: Checkpoint) => AsyncIterable<ChangedStreamsPage>, signal: AbortSignal): Promise<void> {
    const from = await stored.position();
    for (let after = ''; !signal.aborted; ) {
      const { keys, last } = await stored.page(after, PAGE_SIZE);
      if (last === undefined) break;
      for (const key of keys) this.keys.add(key);
      after = last;
    }
    for await (const { streams } of catchUp(from)) for (const [stream] of streams) this.noteAppended(stream);
    if (!signal.aborted) this.#isLoaded = true;
  }
}
