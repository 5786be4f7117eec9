import { type From, isAfter } from '../../domain/kernel/ports.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';

/** Reads which addresses have something on record, page by page, and how far that record reaches. */
export interface RecordedAddresses {
  /** The next keys, and after what to go on; undefined at the end. */
  page(after: string, limit: number): Promise<{ readonly keys: readonly string[]; readonly last: string | undefined }>;
  /** Place in the log that the record has seen. */
  upTo(): Promise<From>;
}

const PAGE = 1_000;
const PREFIX = suppressionStream('');

/**
 * The addresses that have a stream in the do-not-contact list, in memory: nearly every address has none, and then a send
 * needs no look into the log. It may hold too many (lifted ones), and it may lack what another process wrote a moment
 * ago, which is why the second gate, right before hand-over, asks the log itself.
 */
export class KnownSuppressions {
  readonly #keys = new Set<string>();
  #ready = false;

  /** False only where the address certainly had nothing on record a moment ago. */
  mayHave(addressKey: string): boolean {
    return !this.#ready || this.#keys.has(addressKey);
  }

  /** To be told of each stream that this process appends to, so that one's own writes count at once. */
  saw(stream: string): void {
    if (stream.startsWith(PREFIX)) this.#keys.add(stream.slice(PREFIX.length));
  }

  /** Loads what is on record, reads what the record has not seen yet, and follows the log until the signal aborts. */
  async watch(recorded: RecordedAddresses, log: EventLog, signal: AbortSignal): Promise<void> {
    const from = await recorded.upTo();
    const head = await log.store.head();
    await Promise.all([this.#follow(head, log, signal), this.#load(recorded, signal).then(() => this.#read(from, head, log, signal))]);
  }

  async #load(recorded: RecordedAddresses, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted; ) {
      const { keys, last } = await recorded.page(after, PAGE);
      if (last === undefined) return;
      for (const key of keys) this.#keys.add(key);
      after = last;
    }
  }

  async #read(from: From, upTo: From, log: EventLog, signal: AbortSignal): Promise<void> {
    for (let at = from; isAfter(upTo, at) && !signal.aborted; ) {
      const page = await log.store.readAll(at, PAGE);
      for (const { stream } of page.events) this.saw(stream);
      at = page.upTo;
    }
    this.#ready = true;
  }

  async #follow(after: From, log: EventLog, signal: AbortSignal): Promise<void> {
    for await (const page of log.store.follow(after, signal, PAGE, PREFIX)) for (const { stream } of page.events) this.saw(stream);
  }
}
