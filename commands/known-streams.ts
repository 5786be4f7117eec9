import { setTimeout as sleep } from 'node:timers/promises';
import { type Checkpoint, isAfter } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';

/** Reads which keys have something on record, page by page, and how far that record reaches. */
export interface RecordedKeys {
  /** The next keys, and after what to go on; undefined at the end. */
  page(after: string, limit: number): Promise<{ readonly keys: readonly string[]; readonly last: string | undefined }>;
  /** Place in the log that the record has seen. */
  upTo(): Promise<Checkpoint>;
}

const PAGE = 1_000;
/** What others have written is read together, so many milliseconds of it. */
const GATHER_MS = 50;

/**
 * Which streams of one kind there are, in memory, by the key in their names: so that nobody looks into the log for one that
 * there is none of. It may hold too many, and it may lack what another process wrote a moment ago.
 */
export class KnownStreams {
  #ready = false;

  /** `prefix` is what names of the kind begin with. */
  constructor(
    private readonly prefix: string,
    private readonly keys: { add(key: string): unknown; has(key: string): boolean },
  ) {}

  /** False only where the key certainly had no stream a moment ago. */
  mayHave(key: string): boolean {
    return !this.#ready || this.keys.has(key);
  }

  /** To be told of each stream that this process appends to, so that one's own writes count at once. */
  saw(stream: string): void {
    if (stream.startsWith(this.prefix)) this.keys.add(stream.slice(this.prefix.length));
  }

  /** Loads what is on record, reads what the record has not seen yet, and follows the log until the signal aborts. */
  async watch(recorded: RecordedKeys, log: EventLog, signal: AbortSignal): Promise<void> {
    const from = await recorded.upTo();
    const head = await log.store.head();
    await Promise.all([this.#follow(head, log, signal), this.#load(recorded, signal).then(() => this.#read(from, head, log, signal))]);
  }

  async #load(recorded: RecordedKeys, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted; ) {
      const { keys, last } = await recorded.page(after, PAGE);
      if (last === undefined) return;
      for (const key of keys) this.keys.add(key);
      after = last;
    }
  }

  async #read(from: Checkpoint, upTo: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    for (let at = from; isAfter(upTo, at) && !signal.aborted; ) {
      const page = await log.store.readAll(at, PAGE);
      for (const { stream } of page.events) this.saw(stream);
      at = page.upTo;
    }
    this.#ready = true;
  }

  async #follow(after: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    for await (const streams of log.store.subscribeToStreamNames(after, signal, PAGE, this.prefix)) {
      for (const stream of streams) this.saw(stream);
      if (streams.length < PAGE) await sleep(GATHER_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/**
 * A set of texts in little room, whatever their number: it never lacks one that was put in, and takes a few others for
 * theirs (at a million texts, one of two hundred).
 */
export class KeyFilter {
  readonly #bits = new Uint8Array(1 << 21);

  add(text: string): void {
    for (const bit of bitsOf(text)) this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  has(text: string): boolean {
    return bitsOf(text).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }
}

const BITS = 2 ** 24;

/** FNV-1a (32 bits), and its steps through the table made of another mix of it (Kirsch and Mitzenmacher). */
function bitsOf(text: string): number[] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  const step = (mixed ^ (mixed >>> 16)) | 1;
  return [hash, hash + step, hash + 2 * step].map((place) => (place >>> 0) % BITS);
}
