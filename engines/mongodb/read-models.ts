import type { Db } from 'mongodb';
import {
  type Checkpoint,
  type Doc,
  type Docs,
  hasReached,
  lowestOf,
  type Position,
  type ReadModels,
  type ViewSnapshot,
  type ViewSpec,
  type ViewStatus,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import { type CatalogEntry, MongoCatalog, partitionsOf, positionsOf } from './catalog.js';
import { type ActiveGenerations, MongoDocs } from './docs.js';
import { callServer } from './errors.js';
import { createCollections, dropGeneration, sweepGenerations } from './generations.js';
import { PageWriter } from './page-writer.js';
import { PositionWatch } from './position-watch.js';
import { MongoReadSnapshot } from './read-snapshot.js';
import { SharedReads } from './shared-reads.js';
import { MongoViewWriter } from './view-writer.js';

/**
 * Read models in MongoDB, one collection per collection and generation. Uses only single-document updates, no transactions
 * or change streams, so that compatible servers without those work too.
 */
export class MongoReadModels implements ReadModels {
  readonly #catalog: MongoCatalog;
  readonly #lastSeen = new Map<string, CatalogEntry>();
  readonly #positions: PositionWatch;
  readonly #active: ActiveGenerations;
  readonly #entries: SharedReads<CatalogEntry>;

  constructor(
    private readonly db: Db,
    private readonly now: () => number,
    defaultPartitions: number,
  ) {
    this.#catalog = new MongoCatalog(db, defaultPartitions);
    this.#entries = new SharedReads((names) => this.#catalog.readAll(names));
    this.#positions = new PositionWatch(async (names) => (await this.#catalog.readAll(names)).map((entry) => this.#remember(entry)));
    this.#active = { known: (name) => this.#lastSeen.get(name), read: (name) => this.#read(name) };
  }

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    return new MongoDocs<D>(this.db, this.#active, spec, collection);
  }

  partitions(): Promise<number> {
    return this.#catalog.partitions();
  }

  fixPartitions(count: number): Promise<number> {
    return this.#catalog.fixPartitions(count);
  }

  async writer(spec: ViewSpec, partitions?: readonly number[]): Promise<ViewWriter> {
    const { generation, version, generations } = this.#remember(await this.#catalog.getOrCreate(spec));
    await sweepGenerations(this.db, this.#catalog, spec, this.now);
    // Documents of another version lack the fields that this version indexes.
    if (version === spec.version) await createCollections(this.db, spec, generation);
    const count = Object.keys(generations[generation]?.partitions ?? []).length || 1;
    const missing = partitions?.find((partition) => partition >= count);
    if (missing !== undefined) throw new Error(`generation ${generation} of ${spec.name} has no partition ${missing}`);
    return this.#writer(spec, generation, count, partitions);
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    const generation = await this.#catalog.createShadow(spec);
    await createCollections(this.db, spec, generation);
    return this.#writer(spec, generation, spec.partitionsOf ? await this.partitions() : 1);
  }

  async promote(spec: ViewSpec, { generation }: ViewWriter): Promise<'ok' | 'behind'> {
    for (;;) {
      await this.#pages(spec, generation).completePending();
      const entry = await this.#catalog.getOrCreate(spec);
      if (entry.generation === generation) return 'ok';
      const own = entry.generations[generation];
      if (entry.generation > generation || !own)
        throw new Error(`generation ${generation} of ${spec.name} cannot be promoted: generation ${entry.generation} is active`);
      const active = entry.generations[entry.generation];
      // Readers may see documents of a pending page already, so it counts.
      const seen = active ? partitionsOf(active).map(({ checkpoint, pending }) => pending?.to ?? checkpoint) : (['start'] as const);
      const reached = partitionsOf(own).map(({ checkpoint }) => checkpoint);
      if (!hasReached(reached, seen)) return 'behind';
      const promoted = await this.#catalog.promote(entry, generation, spec.version, this.now());
      if (!promoted) continue;
      this.#positions.note(this.#remember(promoted));
      await sweepGenerations(this.db, this.#catalog, spec, this.now);
      return 'ok';
    }
  }

  async discard(spec: ViewSpec, shadow: ViewWriter): Promise<void> {
    await shadow.close();
    await dropGeneration(this.db, this.#catalog, spec.name, shadow.generation);
  }

  snapshot(spec: ViewSpec): Promise<ViewSnapshot> {
    return MongoReadSnapshot.open(this.db, this.#catalog, spec, this.now);
  }

  async status(spec: ViewSpec): Promise<ViewStatus> {
    const entry = await this.#read(spec.name);
    const { name } = spec;
    if (!entry) {
      const count = spec.partitionsOf ? await this.partitions() : 1;
      return { name, version: spec.version, generation: 1, position: 'start', positions: Array(count).fill('start'), halted: null };
    }
    const { generation, version, halted } = entry;
    // Documents of a pending page may be written already: complete it, so that position and documents agree.
    const undone = entry.generations[generation]?.pending !== undefined;
    const positions = positionsOf(undone ? await this.#pages(spec, generation).completePending() : entry);
    const reason = halted ?? Object.values(entry.halts ?? {})[0] ?? null;
    return { name, version, generation, position: lowestOf(positions), positions, halted: reason };
  }

  async positions(spec: ViewSpec): Promise<readonly Checkpoint[]> {
    return this.#positions.known(spec.name) ?? (await this.status(spec)).positions;
  }

  async halt(spec: ViewSpec, reason: string | null, partitions?: readonly number[]): Promise<void> {
    await this.#catalog.getOrCreate(spec);
    await this.#catalog.halt(spec.name, reason, partitions);
  }

  waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal, partition?: number): Promise<boolean> {
    return this.#positions.waitUntilReached(spec.name, position, timeoutMs, signal, partition);
  }

  async close(): Promise<void> {
    this.#positions.close();
  }

  #writer(spec: ViewSpec, generation: number, count: number, partitions: readonly number[] = [...Array(count).keys()]): ViewWriter {
    const onCommit = (entry: CatalogEntry) => this.#positions.note(this.#remember(entry));
    return new MongoViewWriter({ db: this.db, catalog: this.#catalog, spec, generation, partitionCount: count, now: this.now, onCommit }, partitions);
  }

  #pages(spec: ViewSpec, generation: number): PageWriter {
    return new PageWriter(this.db, this.#catalog, spec.name, generation, this.now);
  }

  async #read(name: string): Promise<CatalogEntry | null> {
    const entry = await callServer(() => this.#entries.read(name));
    return entry && this.#remember(entry);
  }

  /** Answers may arrive out of order: an older generation never replaces a newer one. */
  #remember(entry: CatalogEntry): CatalogEntry {
    const known = this.#lastSeen.get(entry._id);
    if (!known || known.generation <= entry.generation) this.#lastSeen.set(entry._id, entry);
    return entry;
  }
}
