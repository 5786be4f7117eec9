import type { Collection, Db, UpdateFilter } from 'mongodb';
import type { Checkpoint, Position, ViewSpec } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { CATALOG } from './names.js';
import { type StoredOp, storedFieldsOf } from './stored.js';

/** The document with the number of partitions. No projection has this name. */
const STORE = '$store';

/** A claimed page whose documents are being written. */
export interface PendingPage {
  readonly token: string;
  readonly to: Position;
  /** Number of documents in the collection of pages that hold its operations; 0 where they are in the catalog. */
  readonly parts: number;
  /** The partitions whose checkpoints it moves, in order; absent in a generation with one partition. */
  readonly partitions?: readonly number[];
}

/** The progress of one partition. */
export interface PartitionEntry {
  readonly checkpoint: Checkpoint;
  readonly pending?: PendingPage;
}

export interface RegisteredSnapshot {
  readonly id: string;
  /** The checkpoint it shows; of several partitions the lowest. */
  readonly at: Checkpoint;
  /** Of each partition, where there are several. */
  readonly positions?: readonly Checkpoint[];
  /** When it counts as abandoned, unless it is renewed; milliseconds since 1970. */
  readonly until: number;
}

/** Its own checkpoint and pending page are those of its only partition; they are unused where it has several. */
export interface GenerationEntry extends PartitionEntry {
  readonly version: number;
  /** By index, where it has more than one. */
  readonly partitions?: Readonly<Record<string, PartitionEntry>>;
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
  /** Why single partitions stopped, by index. */
  readonly halts?: Readonly<Record<string, string>>;
  readonly generations: Readonly<Record<string, GenerationEntry>>;
}

/** The partitions of a generation, in order. */
export const partitionsOf = ({ partitions, ...only }: GenerationEntry): readonly PartitionEntry[] =>
  partitions ? Object.keys(partitions).map((_, i) => partitions[i] as PartitionEntry) : [only];

/** The pending pages of a generation, each once. */
export const pendingOf = (entry: GenerationEntry): readonly PendingPage[] => [
  ...new Map(partitionsOf(entry).flatMap(({ pending }) => (pending ? [[pending.token, pending] as const] : []))).values(),
];

/** The checkpoints of the active generation; `start` where there is none. */
export function positionsOf(entry: CatalogEntry | null): readonly Checkpoint[] {
  const active = entry?.generations[entry.generation];
  return active ? partitionsOf(active).map(({ checkpoint }) => checkpoint) : ['start'];
}

/** With the operations of pending pages, by generation. */
interface FullEntry extends CatalogEntry {
  readonly pages?: Readonly<Record<string, readonly StoredOp[]>>;
}

interface StoreEntry {
  readonly _id: string;
  readonly partitions: number;
}

/** Some partitions of a generation; null for the only one. */
export type PartitionSet = readonly number[] | null;

/** Where the catalog has the progress of each of these partitions. */
const pathsOf = (generation: number, partitions: PartitionSet | undefined): readonly string[] =>
  partitions ? partitions.map((i) => `generations.${generation}.partitions.${i}`) : [`generations.${generation}`];

/** Where the catalog has the operations of a page: one page at a time of each partition. */
const pageKey = (generation: number, partitions: PartitionSet | undefined): string =>
  partitions ? `${generation}_${partitions[0]}` : `${generation}`;

const WITHOUT_PAGES = { projection: { pages: 0 } } as const;

const newGeneration = (spec: ViewSpec, partitions: number): GenerationEntry => ({
  version: spec.version,
  checkpoint: 'start',
  ...(partitions > 1 && { partitions: Object.fromEntries(Array.from({ length: partitions }, (_, i) => [i, { checkpoint: 'start' }])) }),
  fields: Object.entries(spec.collections).map(([collection, c]) => ({ collection, names: storedFieldsOf(c) })),
  snapshots: [],
});

export class MongoCatalog {
  readonly #entries: Collection<FullEntry>;
  readonly #store: Collection<StoreEntry>;
  #partitions: number | null = null;

  /** `defaultPartitions` is the number of partitions of a store that has none fixed. */
  constructor(
    db: Db,
    private readonly defaultPartitions: number,
  ) {
    this.#entries = db.collection(CATALOG);
    this.#store = db.collection(CATALOG);
  }

  /** The number of partitions of divided read models. */
  async partitions(): Promise<number> {
    this.#partitions ??= await this.fixPartitions(this.defaultPartitions);
    return this.#partitions;
  }

  /** Returns the number in force. */
  async fixPartitions(count: number): Promise<number> {
    const there = await callServer(() => this.#store.findOne({ _id: STORE }, COMMAND_OPTIONS));
    if (there) return there.partitions;
    const first = { $setOnInsert: { partitions: count } };
    await callServer(() => ignoreDuplicates(() => this.#store.updateOne({ _id: STORE }, first, { upsert: true, ...COMMAND_OPTIONS })));
    return this.fixPartitions(count);
  }

  async #countOf(spec: ViewSpec): Promise<number> {
    return spec.partitionsOf ? this.partitions() : 1;
  }

  read(name: string): Promise<CatalogEntry | null> {
    return callServer(() => this.#entries.findOne({ _id: name }, { ...COMMAND_OPTIONS, ...WITHOUT_PAGES }));
  }

  /** Those of these entries that there are. */
  readAll(names: readonly string[]): Promise<CatalogEntry[]> {
    return callServer(() => this.#entries.find({ _id: { $in: [...names] } }, { ...COMMAND_OPTIONS, ...WITHOUT_PAGES }).toArray());
  }

  /** The entry, created with a first generation if there is none. */
  async getOrCreate(spec: ViewSpec): Promise<CatalogEntry> {
    const there = await this.read(spec.name);
    if (there) return there;
    const first = {
      version: spec.version,
      generation: 1,
      newest: 1,
      halted: null,
      generations: { 1: newGeneration(spec, await this.#countOf(spec)) },
    };
    await callServer(() =>
      ignoreDuplicates(() => this.#entries.updateOne({ _id: spec.name }, { $setOnInsert: first }, { upsert: true, ...COMMAND_OPTIONS })),
    );
    return this.getOrCreate(spec);
  }

  /** Creates a generation and returns its number, which no other has had. */
  async createShadow(spec: ViewSpec): Promise<number> {
    const partitions = await this.#countOf(spec);
    for (;;) {
      const { newest } = await this.getOrCreate(spec);
      const next = newest + 1;
      const set = { newest: next, [`generations.${next}`]: newGeneration(spec, partitions) };
      if (await this.#change({ _id: spec.name, newest }, { $set: set })) return next;
    }
  }

  /** Claims a page, if its partitions are at `from`, without a pending page, and the generation is not replaced. Otherwise returns null. */
  async claimPage(name: string, generation: number, from: Checkpoint, pending: PendingPage, ops: readonly StoredOp[]): Promise<CatalogEntry | null> {
    const paths = pathsOf(generation, pending.partitions);
    const set = Object.fromEntries(paths.map((path) => [`${path}.pending`, pending]));
    const claimed = await this.#change(idleAt(name, generation, paths, from), {
      $set: { ...set, [`pages.${pageKey(generation, pending.partitions)}`]: ops },
    });
    if (claimed) return claimed;
    // The driver retries after network errors; the first attempt may have succeeded.
    const entry = await this.read(name);
    const own = entry?.generations[generation];
    return own && pendingOf(own).some(({ token }) => token === pending.token) ? entry : null;
  }

  /** Moves checkpoints past a page without operations. */
  moveCheckpoint(name: string, generation: number, partitions: PartitionSet, from: Checkpoint, to: Position): Promise<CatalogEntry | null> {
    const paths = pathsOf(generation, partitions);
    return this.#change(idleAt(name, generation, paths, from), { $set: Object.fromEntries(paths.map((path) => [`${path}.checkpoint`, to])) });
  }

  /** Moves checkpoints to the end of a page whose documents are written. Another process may have done so already. */
  async completePage(name: string, generation: number, { token, to, partitions }: PendingPage): Promise<CatalogEntry | null> {
    const paths = pathsOf(generation, partitions);
    const unset = Object.fromEntries(paths.map((path) => [`${path}.pending`, '']));
    const update = {
      $set: Object.fromEntries(paths.map((path) => [`${path}.checkpoint`, to])),
      $unset: { ...unset, [`pages.${pageKey(generation, partitions)}`]: '' },
    } as UpdateFilter<FullEntry>;
    return (await this.#change({ _id: name, [`${paths[0]}.pending.token`]: token }, update)) ?? this.read(name);
  }

  /** The operations of the pending page, where they are in the catalog. */
  async pendingOps(name: string, generation: number, { token, partitions }: PendingPage): Promise<readonly StoredOp[]> {
    const key = pageKey(generation, partitions);
    const filter = { _id: name, [`${pathsOf(generation, partitions)[0]}.pending.token`]: token };
    const entry = await callServer(() => this.#entries.findOne(filter, { projection: { [`pages.${key}`]: 1 }, ...COMMAND_OPTIONS }));
    return entry?.pages?.[key] ?? [];
  }

  /** Activates a generation, if neither it nor the active one has moved since `seen`. Otherwise returns null. */
  promote(seen: CatalogEntry, generation: number, version: number, now: number): Promise<CatalogEntry | null> {
    const [old, own] = [seen.generations[seen.generation], seen.generations[generation]];
    if (!old || !own) return Promise.resolve(null);
    const still = { _id: seen._id, generation: seen.generation, ...unmoved(seen.generation, old), ...unmoved(generation, own) };
    const update = { $set: { generation, version, halted: null, [`generations.${seen.generation}.retired`]: now }, $unset: { halts: '' } } as const;
    return this.#change(still, update);
  }

  /** Of these partitions, or of all. */
  async halt(name: string, reason: string | null, partitions?: readonly number[]): Promise<void> {
    const ofEach = Object.fromEntries((partitions ?? []).map((i) => [`halts.${i}`, reason ?? '']));
    const ofAll = { $set: { halted: reason }, $unset: { halts: '' } } as const;
    const update = !partitions ? ofAll : reason === null ? { $unset: ofEach } : { $set: ofEach };
    await this.#change({ _id: name }, update as UpdateFilter<FullEntry>);
  }

  /** Removes a generation from the catalog: it can be neither read nor written afterward. */
  async removeGeneration(name: string, generation: number): Promise<void> {
    const entry = await this.read(name);
    const keys = [`${generation}`, ...Object.keys(entry?.generations[generation]?.partitions ?? {}).map((i) => `${generation}_${i}`)];
    const pages = Object.fromEntries(keys.map((key) => [`pages.${key}`, '']));
    const update = { $unset: { [`generations.${generation}`]: '', ...pages } } as UpdateFilter<FullEntry>;
    await this.#change({ _id: name, generation: { $ne: generation } }, update);
  }

  /** Registers a snapshot, if checkpoints and pending pages of the generation are still as in `seen`. Otherwise returns null. */
  registerSnapshot(name: string, generation: number, seen: GenerationEntry, snapshot: RegisteredSnapshot): Promise<CatalogEntry | null> {
    const update = { $push: { [`generations.${generation}.snapshots`]: snapshot } } as UpdateFilter<FullEntry>;
    return this.#change({ _id: name, ...unmoved(generation, seen) }, update);
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

/** Matches partitions at this checkpoint, without a pending page, while no later generation is active. */
const idleAt = (name: string, generation: number, paths: readonly string[], checkpoint: Checkpoint) => ({
  _id: name,
  generation: { $lte: generation },
  ...Object.fromEntries(paths.map((path) => [`${path}.checkpoint`, checkpoint])),
  ...Object.fromEntries(paths.map((path) => [`${path}.pending`, { $exists: false }])),
});

/** Matches a generation whose checkpoints and pending pages are as in `seen`. */
function unmoved(generation: number, seen: GenerationEntry): Readonly<Record<string, unknown>> {
  const partitions = partitionsOf(seen);
  const paths = pathsOf(generation, seen.partitions ? [...partitions.keys()] : null);
  const conditions = partitions.flatMap(({ checkpoint, pending }, i) => [
    [`${paths[i]}.checkpoint`, checkpoint] as const,
    [`${paths[i]}.pending.token`, pending?.token ?? { $exists: false }] as const,
  ]);
  return Object.fromEntries(conditions);
}
