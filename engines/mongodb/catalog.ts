import type { Collection, Db, UpdateFilter } from 'mongodb';
import type { Checkpoint, Position, ViewSpec } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { CATALOG } from './names.js';
import { fieldsOf, type StoredOp } from './stored.js';

/** A claimed page whose documents are being written. */
export interface PendingPage {
  readonly token: string;
  readonly to: Position;
  /** Number of documents in the collection of pages that hold its operations; 0 where they are in the catalog. */
  readonly parts: number;
}

export interface RegisteredSnapshot {
  readonly id: string;
  /** The checkpoint it shows. */
  readonly at: Checkpoint;
  /** When it counts as abandoned, unless it is renewed; milliseconds since 1970. */
  readonly until: number;
}

export interface GenerationEntry {
  readonly version: number;
  readonly checkpoint: Checkpoint;
  readonly pending?: PendingPage;
  /** The indexed fields stored beside the documents, by collection. */
  readonly fields: readonly { readonly collection: string; readonly names: readonly string[] }[];
  readonly snapshots: readonly RegisteredSnapshot[];
  /** When another generation was promoted; milliseconds since 1970. */
  readonly retired?: number;
}

/**
 * The state of one projection in one document, so that each step (a page is claimed, a generation is promoted, a snapshot
 * is registered) is one atomic update.
 */
export interface CatalogEntry {
  readonly _id: string;
  /** Of the active generation. */
  readonly version: number;
  readonly generation: number;
  /** The highest generation ever created. */
  readonly newest: number;
  readonly halted: string | null;
  readonly generations: Readonly<Record<string, GenerationEntry>>;
}

/** With the operations of pending pages, by generation. */
interface FullEntry extends CatalogEntry {
  readonly pages?: Readonly<Record<string, readonly StoredOp[]>>;
}

const WITHOUT_PAGES = { projection: { pages: 0 } } as const;

const newGeneration = (spec: ViewSpec): GenerationEntry => ({
  version: spec.version,
  checkpoint: 'start',
  fields: Object.entries(spec.collections).map(([collection, c]) => ({ collection, names: fieldsOf(c) })),
  snapshots: [],
});

export class Catalog {
  readonly #entries: Collection<FullEntry>;

  constructor(db: Db) {
    this.#entries = db.collection(CATALOG);
  }

  read(name: string): Promise<CatalogEntry | null> {
    return callServer(() => this.#entries.findOne({ _id: name }, { ...COMMAND_OPTIONS, ...WITHOUT_PAGES }));
  }

  /** The entry, created with a first generation if there is none. */
  async getOrCreate(spec: ViewSpec): Promise<CatalogEntry> {
    const there = await this.read(spec.name);
    if (there) return there;
    const first = { version: spec.version, generation: 1, newest: 1, halted: null, generations: { 1: newGeneration(spec) } };
    await callServer(() =>
      ignoreDuplicates(() => this.#entries.updateOne({ _id: spec.name }, { $setOnInsert: first }, { upsert: true, ...COMMAND_OPTIONS })),
    );
    return this.getOrCreate(spec);
  }

  /** Creates a generation and returns its number, which no other has had. */
  async createShadow(spec: ViewSpec): Promise<number> {
    for (;;) {
      const { newest } = await this.getOrCreate(spec);
      const next = newest + 1;
      const set = { newest: next, [`generations.${next}`]: newGeneration(spec) };
      if (await this.#change({ _id: spec.name, newest }, { $set: set })) return next;
    }
  }

  /** Claims a page, if the generation is at `from`, without a pending page and not replaced. Otherwise returns null. */
  async claimPage(name: string, generation: number, from: Checkpoint, pending: PendingPage, ops: readonly StoredOp[]): Promise<CatalogEntry | null> {
    const set = { [`generations.${generation}.pending`]: pending, [`pages.${generation}`]: ops };
    const claimed = await this.#change(idleAt(name, generation, from), { $set: set });
    if (claimed) return claimed;
    // The driver retries after network errors; the first attempt may have succeeded.
    const entry = await this.read(name);
    return entry?.generations[generation]?.pending?.token === pending.token ? entry : null;
  }

  /** Moves the checkpoint past a page without operations. */
  moveCheckpoint(name: string, generation: number, from: Checkpoint, to: Position): Promise<CatalogEntry | null> {
    return this.#change(idleAt(name, generation, from), { $set: { [`generations.${generation}.checkpoint`]: to } });
  }

  /** Moves the checkpoint to the end of a page whose documents are written. Another process may have done so already. */
  async completePage(name: string, generation: number, { token, to }: PendingPage): Promise<CatalogEntry | null> {
    const at = `generations.${generation}`;
    const update = { $set: { [`${at}.checkpoint`]: to }, $unset: { [`${at}.pending`]: '', [`pages.${generation}`]: '' } } as const;
    return (await this.#change({ _id: name, [`${at}.pending.token`]: token }, update)) ?? this.read(name);
  }

  /** The operations of the pending page, where they are in the catalog. */
  async pendingOps(name: string, generation: number, token: string): Promise<readonly StoredOp[]> {
    const filter = { _id: name, [`generations.${generation}.pending.token`]: token };
    const entry = await callServer(() => this.#entries.findOne(filter, { projection: { [`pages.${generation}`]: 1 }, ...COMMAND_OPTIONS }));
    return entry?.pages?.[generation] ?? [];
  }

  /** Activates a generation, if neither it nor the active one has moved since `seen`. Otherwise returns null. */
  promote(seen: CatalogEntry, generation: number, version: number, now: number): Promise<CatalogEntry | null> {
    const [old, own] = [seen.generations[seen.generation], seen.generations[generation]];
    if (!old || !own) return Promise.resolve(null);
    const still = {
      ...idleAt(seen._id, seen.generation, old.checkpoint),
      ...idleAt(seen._id, generation, own.checkpoint),
      generation: seen.generation,
    };
    return this.#change(still, { $set: { generation, version, halted: null, [`generations.${seen.generation}.retired`]: now } });
  }

  async halt(name: string, reason: string | null): Promise<void> {
    await this.#change({ _id: name }, { $set: { halted: reason } });
  }

  /** Removes a generation from the catalog: it can be neither read nor written afterwards. */
  async removeGeneration(name: string, generation: number): Promise<void> {
    const update = { $unset: { [`generations.${generation}`]: '', [`pages.${generation}`]: '' } } as const;
    await this.#change({ _id: name, generation: { $ne: generation } }, update);
  }

  /** Registers a snapshot, if checkpoint and pending page of the generation are still as in `seen`. Otherwise returns null. */
  registerSnapshot(name: string, generation: number, seen: GenerationEntry, snapshot: RegisteredSnapshot): Promise<CatalogEntry | null> {
    const at = `generations.${generation}`;
    const same = { [`${at}.checkpoint`]: seen.checkpoint, [`${at}.pending.token`]: seen.pending?.token ?? { $exists: false } };
    return this.#change({ _id: name, ...same }, { $push: { [`${at}.snapshots`]: snapshot } } as UpdateFilter<FullEntry>);
  }

  /** Returns null when the snapshot is no longer registered. */
  renewSnapshot(name: string, generation: number, id: string, until: number): Promise<CatalogEntry | null> {
    const path = `generations.${generation}.snapshots`;
    return this.#change({ _id: name, [`${path}.id`]: id }, { $set: { [`${path}.$.until`]: until } });
  }

  async unregisterSnapshots(name: string, generation: number, ids: readonly string[]): Promise<void> {
    const pull = { $pull: { [`generations.${generation}.snapshots`]: { id: { $in: ids } } } } as UpdateFilter<FullEntry>;
    await this.#change({ _id: name, [`generations.${generation}`]: { $exists: true } }, pull);
  }

  #change(filter: Readonly<Record<string, unknown>>, update: UpdateFilter<FullEntry>): Promise<CatalogEntry | null> {
    return callServer(() => this.#entries.findOneAndUpdate(filter, update, { returnDocument: 'after', ...WITHOUT_PAGES, ...COMMAND_OPTIONS }));
  }
}

/** Matches a generation at this checkpoint, without a pending page, while no later generation is active. */
const idleAt = (name: string, generation: number, checkpoint: Checkpoint) => ({
  _id: name,
  generation: { $lte: generation },
  [`generations.${generation}.checkpoint`]: checkpoint,
  [`generations.${generation}.pending`]: { $exists: false },
});
