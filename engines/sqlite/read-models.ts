import { readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Checkpoint,
  type Doc,
  type Docs,
  type DocumentWatch,
  hasReached,
  isAfter,
  lowestOf,
  type Position,
  type ReadModels,
  type ViewSnapshot,
  type ViewSpec,
  type ViewStatus,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import type { CatalogRow, SqliteCatalog } from './catalog.js';
import { ChangeChannel, type ChannelListener } from './change-channel.js';
import { GenerationReaders, SqliteDocs } from './docs.js';
import { SqliteReadSnapshot } from './read-snapshot.js';
import { type OpenSqliteGeneration, SqliteViewWriter } from './view-writer.js';

/** The message that a commit broadcasts. */
interface CommitNotice {
  readonly name: string;
  /** An active one. */
  readonly generation: number;
  readonly partitions: readonly number[];
  readonly position: Position;
  /** Whether documents changed. */
  readonly changed: boolean;
}

/** How far a generation is, by partition. */
interface AnnouncedProgress {
  readonly generation: number;
  readonly positions: Map<number, Position>;
}

/**
 * Read models as SQLite files, one per projection and generation: a rebuild and the active writer do not block each
 * other, and dropping an old generation deletes a file.
 */
export class SqliteReadModels implements ReadModels {
  readonly #readers: GenerationReaders;
  readonly #channel: ChangeChannel;
  /** Of the active generation of each projection. */
  readonly #announced = new Map<string, AnnouncedProgress>();
  readonly #listeners = new Map<string, ChannelListener>();

  constructor(readonly catalog: SqliteCatalog) {
    this.#readers = new GenerationReaders(catalog);
    const onMessage = (notice: unknown) => this.#note(notice as CommitNotice);
    this.#channel = new ChangeChannel(catalog.folder, 'views', { onMessage, onUnknown: () => catalog.forget() });
  }

  #note({ name, generation, partitions, position }: CommitNotice): void {
    this.catalog.noteActive(name, generation);
    const known = this.#announced.get(name);
    if (known && known.generation > generation) return;
    const announced = known?.generation === generation ? known : { generation, positions: new Map<number, Position>() };
    this.#announced.set(name, announced);
    for (const partition of partitions) if (position > (announced.positions.get(partition) ?? '')) announced.positions.set(partition, position);
  }

  /** Documents that are read afterward have what is announced: those of an older generation do not count. */
  #announcedOf(name: string): ReadonlyMap<number, Position> | undefined {
    const known = this.#announced.get(name);
    return known && known.generation === this.catalog.recentGeneration(name) ? known.positions : undefined;
  }

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    return new SqliteDocs<D>(this.#readers, spec, collection);
  }

  async partitions(): Promise<number> {
    return this.catalog.partitions();
  }

  async fixPartitions(count: number): Promise<number> {
    return this.catalog.fixPartitions(count);
  }

  async writer(spec: ViewSpec, partitions?: readonly number[]): Promise<ViewWriter> {
    const { generation } = this.catalog.active(spec);
    this.#dropOldGenerations(spec);
    const writer = new SqliteViewWriter(this.#opening(spec, generation), partitions);
    writer.createIndexes();
    return writer;
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    return new SqliteViewWriter(this.#opening(spec, this.catalog.nextGeneration(spec)));
  }

  async promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'> {
    if (shadow instanceof SqliteViewWriter) shadow.createIndexes();
    const own = await shadow.checkpoints();
    const done = this.catalog.promote(spec, shadow.generation, () => hasReached(own, this.#readers.of(spec.name)?.checkpointsNow() ?? ['start']));
    if (!done) return 'behind';
    // Wakes readers that wait for a position which only the promoted generation has reached.
    const reached = lowestOf(own);
    if (reached !== 'start')
      this.#channel.announce({
        ...{ name: spec.name, generation: shadow.generation, partitions: [...own.keys()] },
        ...{ position: reached, changed: true },
      } satisfies CommitNotice);
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
    return new SqliteReadSnapshot(this.catalog.path(spec.name, writer.generation));
  }

  async status(spec: ViewSpec): Promise<ViewStatus> {
    const { name } = spec;
    const row = this.catalog.row(name);
    const positions = this.#positions(spec);
    const inForce = { version: row?.version ?? spec.version, generation: row?.generation ?? 1, halted: row?.halted ?? null };
    return { name, ...inForce, position: lowestOf(positions), positions };
  }

  async positions(spec: ViewSpec): Promise<readonly Checkpoint[]> {
    return this.#positions(spec);
  }

  async halt(spec: ViewSpec, reason: string | null, partitions?: readonly number[]): Promise<void> {
    this.catalog.active(spec);
    this.catalog.halt(spec.name, reason, partitions);
  }

  async waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal, partition?: number): Promise<boolean> {
    const of = this.#countOf(spec) === 1 ? 0 : partition;
    const listener = this.#listenerFor(spec.name);
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      if (of !== undefined && (this.#announcedOf(spec.name)?.get(of) ?? '') >= position) return true;
      const { notified } = listener;
      const positions = this.#positions(spec);
      const checkpoint = of === undefined ? lowestOf(positions) : (positions[of] ?? 'start');
      if (checkpoint !== 'start' && checkpoint >= position) return true;
      const left = deadline - Date.now();
      if (left <= 0 || signal?.aborted) return false;
      await listener.waitForNext(notified, { ms: left, signal });
    }
  }

  watch({ name }: ViewSpec, partition: number, signal: AbortSignal): DocumentWatch {
    const listener = this.#channel.listen((message) => {
      const notice = message as CommitNotice;
      return notice.changed && notice.name === name && notice.partitions.includes(partition);
    });
    signal.addEventListener('abort', () => this.#channel.unlisten(listener), { once: true });
    return listener;
  }

  async close(): Promise<void> {
    this.#readers.close();
    this.#channel.close();
  }

  #listenerFor(name: string): ChannelListener {
    let listener = this.#listeners.get(name);
    if (!listener) {
      listener = this.#channel.listen((notice) => (notice as CommitNotice).name === name);
      this.#listeners.set(name, listener);
    }
    return listener;
  }

  /** How many partitions a new generation has. */
  #countOf(spec: ViewSpec): number {
    return spec.partitionsOf ? this.catalog.partitions() : 1;
  }

  /** Those that are saved, or that a writer has announced since. */
  #positions(spec: ViewSpec): readonly Checkpoint[] {
    const announced = this.#announcedOf(spec.name);
    const saved = this.#readers.of(spec.name)?.checkpoints() ?? Array<Checkpoint>(this.#countOf(spec)).fill('start');
    return saved.map((at, partition) => {
      const seen = announced?.get(partition) ?? 'start';
      return isAfter(seen, at) ? seen : at;
    });
  }

  #opening(spec: ViewSpec, generation: number): OpenSqliteGeneration {
    const superseded = () => this.catalog.recentGeneration(spec.name) > generation;
    const isReplaced = () => this.catalog.isReplaced(spec.name, generation);
    // Commits of a shadow do not count for readers until it is promoted.
    const announce = (partitions: readonly number[], position: Position, skipped: boolean) => {
      if (this.catalog.recentGeneration(spec.name) !== generation) return;
      const notice: CommitNotice = { name: spec.name, generation, partitions, position, changed: !skipped };
      const key = `${spec.name} ${partitions}`;
      // Each page is skipped by most projections, and nobody finds anything new there.
      if (skipped) this.#channel.announceLater(notice, key);
      else this.#channel.announce(notice, key);
    };
    const path = this.catalog.path(spec.name, generation);
    return { path, generation, spec, partitions: this.#countOf(spec), superseded, isReplaced, announce };
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
