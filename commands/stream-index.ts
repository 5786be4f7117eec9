import { setTimeout as sleep } from 'node:timers/promises';
import { type Checkpoint, isAfter } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';

/** Reads which keys have something on record, page by page, and how far that record reaches. */
export interface StoredKeys {
  /** The next keys, and after what to go on; undefined at the end. */
  page(after: string, limit: number): Promise<{ readonly keys: readonly string[]; readonly last: string | undefined }>;
  /** Place in the log that the record has seen. */
  position(): Promise<Checkpoint>;
}

const PAGE_SIZE = 1_000;
/** What others have written is read together, so many milliseconds of it. */
const BATCH_DELAY_MS = 50;

/**
 * Which streams of one kind there are, in memory, by the key in their names: so that nobody looks into the log for one that
 * there is none of. It may hold too many, and it may lack what another process wrote a moment ago.
 */
export class InMemoryStreamIndex {
  #ready = false;

  /** `prefix` is what names of the kind begin with. */
  constructor(
    private readonly prefix: string,
    private readonly keys: { add(key: string): unknown; has(key: string): boolean },
  ) {}

  /** False only where the key certainly had no stream a moment ago. */
  mightContain(key: string): boolean {
    return !this.#ready || this.keys.has(key);
  }

  /** To be told of each stream that this process appends to, so that one's own writes count at once. */
  noteAppended(stream: string): void {
    if (stream.startsWith(this.prefix)) this.keys.add(stream.slice(this.prefix.length));
  }

  /** Loads what is on record, reads what the record has not seen yet, and follows the log until the signal aborts. */
  async run(recorded: StoredKeys, log: EventLog, signal: AbortSignal): Promise<void> {
    const from = await recorded.position();
    const head = await log.store.head();
    await Promise.all([this.#subscribe(head, log, signal), this.#loadStored(recorded, signal).then(() => this.#catchUp(from, head, log, signal))]);
  }

  async #loadStored(recorded: StoredKeys, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted; ) {
      const { keys, last } = await recorded.page(after, PAGE_SIZE);
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
    this.#ready = true;
  }

  async #subscribe(after: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    for await (const streams of log.store.subscribeToStreamNames(after, signal, PAGE_SIZE, this.prefix)) {
      for (const stream of streams) this.noteAppended(stream);
      if (streams.length < PAGE_SIZE) await sleep(BATCH_DELAY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/**
 * A set of texts in little room, whatever their number: it never lacks one that was put in, and takes a few others for
 * theirs (at a million texts, one of two hundred).
 */
export class BloomFilter {
  readonly #bits = new Uint8Array(1 << 21);

  add(text: string): void {
    for (const bit of bitPositions(text)) this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  has(text: string): boolean {
    return bitPositions(text).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }
}

const BITS = 2 ** 24;

/** FNV-1a (32 bits), and its steps through the table made of another mix of it (Kirsch and Mitzenmacher). */
function bitPositions(text: string): number[] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  const step = (mixed ^ (mixed >>> 16)) | 1;
  return [hash, hash + step, hash + 2 * step].map((place) => (place >>> 0) % BITS);
}
