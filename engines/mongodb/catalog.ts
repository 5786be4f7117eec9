import type { Collection, Db, UpdateFilter } from 'mongodb';
import type { Checkpoint, Position, ViewSpec } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { CATALOG } from './names.js';
import { fieldsOf, type StoredOp } from './stored.js';

/** A page that was decided upon and is being written into the documents. */
export interface PendingPage {
  readonly token: string;
  readonly to: Position;
  /** How many documents of the collection of pages hold its changes; 0 where they stand in the catalog. */
  readonly parts: number;
}

export interface RegisteredSnapshot {
  readonly id: string;
  /** The checkpoint that it shows. */
  readonly at: Checkpoint;
  /** Milliseconds since 1970; later it counts as abandoned. */
  readonly until: number;
}

export interface GenerationEntry {
  readonly version: number;
  readonly checkpoint: Checkpoint;
  readonly pending?: PendingPage;
  /** The fields beside the documents, by collection: those that queries can name. */
  readonly fields: readonly { readonly collection: string; readonly names: readonly string[] }[];
  readonly snapshots: readonly RegisteredSnapshot[];
  /** When another generation took over; milliseconds since 1970. */
  readonly retired?: number;
}

/**
 * All that is agreed upon about one projection, in one document: so each step (a page is decided upon, a generation
 * takes over, a snapshot begins) is one update that sees all others before or after it.
 */
export interface CatalogEntry {
  readonly _id: string;
  /** Of the generation in force. */
  readonly version: number;
  readonly generation: number;
  /** The highest generation ever begun. */
  readonly newest: number;
  readonly halted: string | null;
  readonly generations: Readonly<Record<string, GenerationEntry>>;
}

/** With the changes of pending pages, by generation. */
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

  /** The entry, made with a first generation if there is none. */
  async getOrCreate(spec: ViewSpec): Promise<CatalogEntry> {
    const there = await this.read(spec.name);
    if (there) return there;
    const first = { version: spec.version, generation: 1, newest: 1, halted: null, generations: { 1: newGeneration(spec) } };
    await callServer(() =>
      ignoreDuplicates(() => this.#entries.updateOne({ _id: spec.name }, { $setOnInsert: first }, { upsert: true, ...COMMAND_OPTIONS })),
    );
    return this.getOrCreate(spec);
  }

  /** Begins a generation with a number that none has had, and gives the number. */
  async createShadow(spec: ViewSpec): Promise<number> {
    for (;;) {
      const { newest } = await this.getOrCreate(spec);
      const next = newest + 1;
      const set = { newest: next, [`generations.${next}`]: newGeneration(spec) };
      if (await this.#change({ _id: spec.name, newest }, { $set: set })) return next;
    }
  }

  /** Decides upon a page, if the generation is at `from`, idle and not replaced. Null otherwise. */
  async claimPage(name: string, generation: number, from: Checkpoint, pending: PendingPage, ops: readonly StoredOp[]): Promise<CatalogEntry | null> {
    const set = { [`generations.${generation}.pending`]: pending, [`pages.${generation}`]: ops };
    const claimed = await this.#change(idleAt(name, generation, from), { $set: set });
    if (claimed) return claimed;
    // The driver repeats what failed on the way; the first try may have gone through.
    const entry = await this.read(name);
    return entry?.generations[generation]?.pending?.token === pending.token ? entry : null;
  }

  /** Moves the checkpoint over a page that changes no document. */
  moveCheckpoint(name: string, generation: number, from: Checkpoint, to: Position): Promise<CatalogEntry | null> {
    return this.#change(idleAt(name, generation, from), { $set: { [`generations.${generation}.checkpoint`]: to } });
  }

  /** Moves the checkpoint to the end of a page whose documents are written. Somebody else may have done it before. */
  async completePage(name: string, generation: number, { token, to }: PendingPage): Promise<CatalogEntry | null> {
    const at = `generations.${generation}`;
    const update = { $set: { [`${at}.checkpoint`]: to }, $unset: { [`${at}.pending`]: '', [`pages.${generation}`]: '' } } as const;
    return (await this.#change({ _id: name, [`${at}.pending.token`]: token }, update)) ?? this.read(name);
  }

  /** The changes of the pending page, where they stand in the catalog. */
  async pendingOps(name: string, generation: number, token: string): Promise<readonly StoredOp[]> {
    const filter = { _id: name, [`generations.${generation}.pending.token`]: token };
    const entry = await callServer(() => this.#entries.findOne(filter, { projection: { [`pages.${generation}`]: 1 }, ...COMMAND_OPTIONS }));
    return entry?.pages?.[generation] ?? [];
  }

  /** Lets a generation take over from the one in force while both stand still where they were seen. */
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

  /** Takes a generation out; nobody can write or read it afterwards. */
  async removeGeneration(name: string, generation: number): Promise<void> {
    const update = { $unset: { [`generations.${generation}`]: '', [`pages.${generation}`]: '' } } as const;
    await this.#change({ _id: name, generation: { $ne: generation } }, update);
  }

  /** Writes a snapshot down, if the generation is still exactly as it was seen: same checkpoint, same page pending. */
  registerSnapshot(name: string, generation: number, seen: GenerationEntry, snapshot: RegisteredSnapshot): Promise<CatalogEntry | null> {
    const at = `generations.${generation}`;
    const same = { [`${at}.checkpoint`]: seen.checkpoint, [`${at}.pending.token`]: seen.pending?.token ?? { $exists: false } };
    return this.#change({ _id: name, ...same }, { $push: { [`${at}.snapshots`]: snapshot } } as UpdateFilter<FullEntry>);
  }

  /** Null when the snapshot is not there any more. */
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

/** A generation that stands at a checkpoint with no page on its way, while none after it is in force. */
const idleAt = (name: string, generation: number, checkpoint: Checkpoint) => ({
  _id: name,
  generation: { $lte: generation },
  [`generations.${generation}.checkpoint`]: checkpoint,
  [`generations.${generation}.pending`]: { $exists: false },
});
