import { type Checkpoint, type Clock, isAfter } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';

/** The keys that a read model has stored, from which an index is loaded. */
export interface StoredKeys {
  /** A page of keys after a cursor ('' for the first page); `last` is the next cursor, undefined at the end. */
  page(after: string, limit: number): Promise<{ readonly keys: readonly string[]; readonly last: string | undefined }>;
  /** Checkpoint of the read model. */
  position(): Promise<Checkpoint>;
}

const PAGE_SIZE = 1_000;
/** Appends of other processes are read in batches, this many milliseconds apart. */
const BATCH_DELAY_MS = 50;

/**
 * Projection in memory of which streams of one kind exist, by the key in their names. It saves reading streams that do not
 * exist. It may contain keys without a stream; a stream that another process created in the last moments may be missing.
 */
export class InMemoryStreamIndex {
  #isLoaded = false;

  /** `prefix` is the prefix of the stream names. */
  constructor(
    private readonly prefix: string,
    private readonly keys: { add(key: string): unknown; has(key: string): boolean },
    private readonly clock: Clock,
  ) {}

  /** False only if the key had no stream a moment ago. Always true until the index is loaded. */
  mightContain(key: string): boolean {
    return !this.#isLoaded || this.keys.has(key);
  }

  /** Must be called for each append of this process, so that its own writes are in the index at once. */
  noteAppended(stream: string): void {
    if (stream.startsWith(this.prefix)) this.keys.add(stream.slice(this.prefix.length));
  }

  /** Loads the stored keys, catches up with the log, and stays subscribed until the signal aborts. */
  async run(stored: StoredKeys, log: EventLog, signal: AbortSignal): Promise<void> {
    const from = await stored.position();
    const head = await log.store.head();
    await Promise.all([this.#subscribe(head, log, signal), this.#loadStored(stored, signal).then(() => this.#catchUp(from, head, log, signal))]);
  }

  async #loadStored(stored: StoredKeys, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted; ) {
      const { keys, last } = await stored.page(after, PAGE_SIZE);
      if (last === undefined) return;
      for (const key of keys) this.keys.add(key);
      after = last;
    }
  }

  async #catchUp(from: Checkpoint, upTo: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    for (let at = from; isAfter(upTo, at) && !signal.aborted; ) {
      const page = await log.store.readAll(at, PAGE_SIZE);
      for (const { stream } of page.events) this.noteAppended(stream);
      at = page.upTo;
    }
    this.#isLoaded = true;
  }

  async #subscribe(after: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    for await (const streams of log.store.subscribeToStreamNames(after, signal, PAGE_SIZE, this.prefix)) {
      for (const stream of streams) this.noteAppended(stream);
      if (streams.length < PAGE_SIZE) await this.clock.sleep(BATCH_DELAY_MS, signal);
    }
  }
}
