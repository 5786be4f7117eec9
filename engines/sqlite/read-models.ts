import { readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
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
import type { Catalog, CatalogRow } from './catalog.js';
import { Readings, SqliteDocs } from './docs.js';
import { type Ear, HeadChannel } from './head-channel.js';
import { SqliteSnapshot } from './snapshot.js';
import { SqliteViewWriter } from './view-writer.js';

/** What is announced of a commit. */
interface Committed {
  readonly name: string;
  readonly position: Position;
}

/** How often a waiting reader looks for what another process projected. Within one process it is told. */
const LOOK_EVERY_MS = 50;

/**
 * Read models as SQLite files, one for each projection and generation, so that a rebuild never waits for the writer in
 * force nor makes it wait, and dropping an old generation is deleting a file.
 */
export class SqliteReadModels implements ReadModels {
  readonly #readings: Readings;
  readonly #channel: HeadChannel;
  readonly #seen = new Map<string, Position>();
  readonly #ears = new Map<string, Ear>();

  constructor(readonly catalog: Catalog) {
    this.#readings = new Readings(catalog);
    this.#channel = new HeadChannel(catalog.folder, 'views', (news) => {
      const { name, position } = news as Committed;
      this.#seen.set(name, position);
    });
  }

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    return new SqliteDocs<D>(this.#readings, spec, collection);
  }

  async writer(spec: ViewSpec): Promise<ViewWriter> {
    const { generation } = this.catalog.inForce(spec);
    this.#dropOldGenerations(spec);
    const writer = this.#open(spec, generation);
    writer.createIndexes();
    return writer;
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    return this.#open(spec, this.catalog.nextGeneration(spec));
  }

  async promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'> {
    if (shadow instanceof SqliteViewWriter) shadow.createIndexes();
    const own = await shadow.checkpoint();
    const done = this.catalog.promote(spec, shadow.generation, () => !isAfter(this.#readings.of(spec.name)?.checkpointNow() ?? 'start', own));
    if (!done) return 'behind';
    this.#dropOldGenerations(spec);
    return 'ok';
  }

  async discard(_spec: ViewSpec, shadow: ViewWriter): Promise<void> {
    await shadow.close();
    if (shadow instanceof SqliteViewWriter) removeDatabase(shadow.path);
  }

  async snapshot(spec: ViewSpec): Promise<ViewSnapshot> {
    const writer = await this.writer(spec);
    await writer.close();
    return new SqliteSnapshot(this.catalog.path(spec.name, writer.generation));
  }

  async status(spec: ViewSpec): Promise<ViewStatus> {
    const row = this.catalog.row(spec.name);
    const saved = this.#readings.of(spec.name)?.checkpoint() ?? 'start';
    const seen = this.#seen.get(spec.name) ?? 'start';
    const position = isAfter(seen, saved) ? seen : saved;
    return { name: spec.name, version: row?.version ?? spec.version, generation: row?.generation ?? 1, position, halted: row?.halted ?? null };
  }

  async halt(spec: ViewSpec, reason: string | null): Promise<void> {
    this.catalog.inForce(spec);
    this.catalog.halt(spec.name, reason);
  }

  async waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    const ear = this.#earFor(spec.name);
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      if ((this.#seen.get(spec.name) ?? '') >= position) return true;
      const { heard } = ear;
      const checkpoint = this.#readings.of(spec.name)?.checkpoint() ?? 'start';
      if (checkpoint !== 'start' && checkpoint >= position) return true;
      const left = deadline - Date.now();
      if (left <= 0 || signal?.aborted) return false;
      await ear.news(heard, Math.min(LOOK_EVERY_MS, left), signal);
    }
  }

  async close(): Promise<void> {
    this.#readings.close();
    this.#channel.close();
  }

  #earFor(name: string): Ear {
    let ear = this.#ears.get(name);
    if (!ear) {
      ear = this.#channel.ear((news) => (news as Committed).name === name);
      this.#ears.set(name, ear);
    }
    return ear;
  }

  #open(spec: ViewSpec, generation: number): SqliteViewWriter {
    const inForce = () => this.catalog.row(spec.name)?.generation ?? 0;
    // A shadow is no news to those who wait until it is in force.
    const announce = (position: Position) => {
      if (inForce() === generation) this.#channel.announce({ name: spec.name, position } satisfies Committed);
    };
    return new SqliteViewWriter(this.catalog.path(spec.name, generation), generation, spec, () => inForce() > generation, announce);
  }

  /** Deletes files of generations before the one in force. A reader that still has one open keeps it until it changes over. */
  #dropOldGenerations(spec: ViewSpec): void {
    const { generation } = this.catalog.row(spec.name) as CatalogRow;
    const [prefix, suffix] = basename(this.catalog.path(spec.name, 0)).split(/0(?=\.db$)/) as [string, string];
    for (const file of readdirSync(this.catalog.folder)) {
      const number = file.startsWith(prefix) && file.endsWith(suffix) ? Number(file.slice(prefix.length, -suffix.length)) : Number.NaN;
      if (number < generation) removeDatabase(`${this.catalog.folder}/${file}`);
    }
  }
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
