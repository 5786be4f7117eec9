/** The states of long streams: those that a node has in memory, and the snapshots of them in the store. */

import { LRUCache } from 'lru-cache';
import type { GrowingMap } from '../../domain/kernel/growing-map.js';
import type { Snapshots } from '../../domain/kernel/ports.js';
import { bytesOf } from '../vault/personal-fields.js';
import { stateOf, stateText } from './state-text.js';

/** A snapshot is written after so many events. A load reads at most these, and those of `EVENTS_BEFORE_SNAPSHOT`. */
const EVENTS_BETWEEN_SNAPSHOTS = 400;
/** Longer ones are not stored. */
const MAX_CHARACTERS = 4 * 2 ** 20;

/** A state and the event after which it is. */
export interface StateAt extends CachedAggregate {
  readonly eventId: string;
}

/** Of a fold: snapshots of another version are not used. */
export interface FoldVersion {
  readonly name: string;
  readonly version: number;
}

/** Stores and finds the states of long streams. One that cannot be read or stored only costs that the stream is read. */
export class AggregateSnapshots {
  readonly #saving = new Set<Promise<void>>();

  constructor(
    private readonly store: Snapshots,
    /** Lets other work run first: nobody waits for a snapshot. */
    private readonly yieldToEventLoop: () => Promise<void>,
  ) {}

  /** The caller checks that the event is at its revision: the log may have been replaced by an older one. */
  async find({ name, version }: FoldVersion, stream: string): Promise<StateAt | undefined> {
    try {
      const found = await this.store.find(stream, name);
      const stored = found && (stateOf(found.content) as StateAt & { readonly version: number });
      return stored?.version === version ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  isDue({ revision, savedAt = -1 }: CachedAggregate): boolean {
    return revision - savedAt >= EVENTS_BETWEEN_SNAPSHOTS;
  }

  /** Stores a snapshot in the background. */
  save({ name, version }: FoldVersion, stream: string, state: StateAt): void {
    const saving = this.#save(name, version, stream, state)
      // The next one is tried after as many events.
      .catch(() => {})
      .finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }

  /** Resolves when all that were begun are stored. */
  async saved(): Promise<void> {
    await Promise.all(this.#saving);
  }

  async #save(fold: string, version: number, stream: string, state: StateAt): Promise<void> {
    await this.yieldToEventLoop();
    const content = stateText({ ...state, version });
    if (content.length <= MAX_CHARACTERS) await this.store.put(stream, fold, { revision: state.revision, content });
  }
}

/** A state folded from the beginning of a stream up to a revision, with personal fields sealed. */
export interface CachedAggregate {
  readonly state: unknown;
  readonly revision: number;
  /** Account of the stream's first event. */
  readonly account: string;
  /** Of an aggregate: by idempotency key, shortened, the revision of the last event that was appended with it. */
  readonly runs?: GrowingMap<number>;
  /** Revision of the last snapshot, if there is one. */
  readonly savedAt?: number;
}

/** Streams below this number of events are read whole: that is as fast, and keeps the cache for those that need it. */
const MIN_EVENTS = 32;
const AGGREGATE_CACHE_BYTES = 16 * 2 ** 20;

/**
 * LRU cache of the states of long streams, bounded by bytes. A stream only grows, so an entry is never wrong, only old: a load
 * reads the events after it. Personal fields are opened again by each load, so that an erasure counts at once.
 */
export class AggregateCache {
  readonly #states: LRUCache<string, CachedAggregate>;

  constructor(maxBytes: number = AGGREGATE_CACHE_BYTES) {
    this.#states = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ state, runs }) => bytesOf(state) + bytesOf(runs) });
  }

  get(fold: string, stream: string): CachedAggregate | undefined {
    return this.#states.get(`${fold}/${stream}`);
  }

  /** `isShort`: also of a stream that is read whole as fast. */
  set(fold: string, stream: string, recent: CachedAggregate, isShort = false): void {
    if (!isShort && recent.revision + 1 < MIN_EVENTS) return;
    const key = `${fold}/${stream}`;
    const known = this.#states.peek(key);
    if (!known || known.revision < recent.revision) this.#states.set(key, recent);
  }
}
