import type { Db } from 'mongodb';
import {
  type Doc,
  type Docs,
  isAfter,
  type Position,
  type ReadModels,
  type ViewSnapshot,
  type ViewSpec,
  type ViewStatus,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import { Catalog, type CatalogEntry } from './catalog.js';
import { type ActiveGenerations, MongoDocs } from './docs.js';
import { createCollections, dropGeneration, sweepGenerations } from './generations.js';
import { PageWriter } from './page-writer.js';
import { PositionWatch, positionOf } from './position-watch.js';
import { MongoSnapshot } from './snapshot.js';
import { MongoViewWriter } from './view-writer.js';

/**
 * Read models in MongoDB, one collection per collection and generation. Uses only single-document updates, no transactions
 * or change streams, so that compatible servers without those work too.
 */
export class MongoReadModels implements ReadModels {
  readonly #catalog: Catalog;
  readonly #lastSeen = new Map<string, CatalogEntry>();
  readonly #positions: PositionWatch;
  readonly #active: ActiveGenerations;

  constructor(
    private readonly db: Db,
    private readonly now: () => number,
  ) {
    this.#catalog = new Catalog(db);
    this.#positions = new PositionWatch((name) => this.#read(name));
    this.#active = { known: (name) => this.#lastSeen.get(name), read: (name) => this.#read(name) };
  }

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    return new MongoDocs<D>(this.db, this.#active, spec, collection);
  }

  async writer(spec: ViewSpec): Promise<ViewWriter> {
    const { generation, version } = this.#remember(await this.#catalog.getOrCreate(spec));
    await sweepGenerations(this.db, this.#catalog, spec, this.now);
    // Documents of another version lack the fields that this version indexes.
    if (version === spec.version) await createCollections(this.db, spec, generation);
    return this.#writer(spec, generation);
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    const generation = await this.#catalog.createShadow(spec);
    await createCollections(this.db, spec, generation);
    return this.#writer(spec, generation);
  }

  async promote(spec: ViewSpec, { generation }: ViewWriter): Promise<'ok' | 'behind'> {
    for (;;) {
      await this.#pages(spec, generation).completePending();
      const entry = await this.#catalog.getOrCreate(spec);
      if (entry.generation === generation) return 'ok';
      const own = entry.generations[generation];
      if (entry.generation > generation || !own)
        throw new Error(`generation ${generation} of ${spec.name} cannot be promoted: generation ${entry.generation} is active`);
      // Readers may see documents of a pending page already, so it counts.
      await this.#pages(spec, entry.generation).completePending();
      if (isAfter(positionOf(entry), own.checkpoint)) return 'behind';
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
    return MongoSnapshot.open(this.db, this.#catalog, spec, this.now);
  }

  async status(spec: ViewSpec): Promise<ViewStatus> {
    const entry = await this.#read(spec.name);
    if (!entry) return { name: spec.name, version: spec.version, generation: 1, position: 'start', halted: null };
    const { generation, version, halted } = entry;
    // Documents of a pending page may be written already: complete it, so that position and documents agree.
    const undone = entry.generations[generation]?.pending !== undefined;
    const position = positionOf(undone ? await this.#pages(spec, generation).completePending() : entry);
    return { name: spec.name, version, generation, position, halted };
  }

  async halt(spec: ViewSpec, reason: string | null): Promise<void> {
    await this.#catalog.getOrCreate(spec);
    await this.#catalog.halt(spec.name, reason);
  }

  waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#positions.waitUntilReached(spec.name, position, timeoutMs, signal);
  }

  async close(): Promise<void> {
    this.#positions.close();
  }

  #writer(spec: ViewSpec, generation: number): ViewWriter {
    return new MongoViewWriter(this.db, this.#catalog, spec, generation, this.now, (entry) => this.#positions.note(this.#remember(entry)));
  }

  #pages(spec: ViewSpec, generation: number): PageWriter {
    return new PageWriter(this.db, this.#catalog, spec.name, generation, this.now);
  }

  async #read(name: string): Promise<CatalogEntry | null> {
    const entry = await this.#catalog.read(name);
    return entry && this.#remember(entry);
  }

  /** Answers may arrive out of order: an older generation never replaces a newer one. */
  #remember(entry: CatalogEntry): CatalogEntry {
    const known = this.#lastSeen.get(entry._id);
    if (!known || known.generation <= entry.generation) this.#lastSeen.set(entry._id, entry);
    return entry;
  }
}
