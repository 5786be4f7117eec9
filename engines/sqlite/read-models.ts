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
import { ChangeChannel, type Listener } from './change-channel.js';
import { GenerationReaders, SqliteDocs } from './docs.js';
import { SqliteSnapshot } from './snapshot.js';
import { SqliteViewWriter } from './view-writer.js';

/** The message that a commit broadcasts. */
interface CommitNotice {
  readonly name: string;
  readonly position: Position;
}

/** How often a waiting reader polls for commits of other processes. Within one process it is notified. */
const POLL_INTERVAL_MS = 50;

/**
 * Read models as SQLite files, one per projection and generation: a rebuild and the active writer do not block each
 * other, and dropping an old generation deletes a file.
 */
export class SqliteReadModels implements ReadModels {
  readonly #readers: GenerationReaders;
  readonly #channel: ChangeChannel;
  readonly #announced = new Map<string, Position>();
  readonly #listeners = new Map<string, Listener>();

  constructor(readonly catalog: Catalog) {
    this.#readers = new GenerationReaders(catalog);
    this.#channel = new ChangeChannel(catalog.folder, 'views', (message) => {
      const { name, position } = message as CommitNotice;
      this.#announced.set(name, position);
    });
  }

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    return new SqliteDocs<D>(this.#readers, spec, collection);
  }

  async writer(spec: ViewSpec): Promise<ViewWriter> {
    const { generation } = this.catalog.active(spec);
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
    const done = this.catalog.promote(spec, shadow.generation, () => !isAfter(this.#readers.of(spec.name)?.checkpointNow() ?? 'start', own));
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
    const saved = this.#readers.of(spec.name)?.checkpoint() ?? 'start';
    const seen = this.#announced.get(spec.name) ?? 'start';
    const position = isAfter(seen, saved) ? seen : saved;
    return { name: spec.name, version: row?.version ?? spec.version, generation: row?.generation ?? 1, position, halted: row?.halted ?? null };
  }

  async halt(spec: ViewSpec, reason: string | null): Promise<void> {
    this.catalog.active(spec);
    this.catalog.halt(spec.name, reason);
  }

  async waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    const listener = this.#listenerFor(spec.name);
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      if ((this.#announced.get(spec.name) ?? '') >= position) return true;
      const { notified } = listener;
      const checkpoint = this.#readers.of(spec.name)?.checkpoint() ?? 'start';
      if (checkpoint !== 'start' && checkpoint >= position) return true;
      const left = deadline - Date.now();
      if (left <= 0 || signal?.aborted) return false;
      await listener.waitForNext(notified, Math.min(POLL_INTERVAL_MS, left), signal);
    }
  }

  async close(): Promise<void> {
    this.#readers.close();
    this.#channel.close();
  }

  #listenerFor(name: string): Listener {
    let listener = this.#listeners.get(name);
    if (!listener) {
      listener = this.#channel.listen((notice) => (notice as CommitNotice).name === name);
      this.#listeners.set(name, listener);
    }
    return listener;
  }

  #open(spec: ViewSpec, generation: number): SqliteViewWriter {
    const active = () => this.catalog.row(spec.name)?.generation ?? 0;
    // Commits of a shadow do not count for readers until it is promoted.
    const announce = (position: Position) => {
      if (active() === generation) this.#channel.announce({ name: spec.name, position } satisfies CommitNotice);
    };
    return new SqliteViewWriter(this.catalog.path(spec.name, generation), generation, spec, () => active() > generation, announce);
  }

  /** Deletes files of generations before the active one. A reader that has one open keeps it until it switches. */
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
