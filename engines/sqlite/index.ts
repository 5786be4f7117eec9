import type { MessagePort } from 'node:worker_threads';
import type { KeyStore, LogEngine, TryWrites, ViewEngine } from '../../domain/kernel/ports.js';
import { SqliteAggregateSnapshots } from './aggregate-snapshots.js';
import { SqliteCatalog } from './catalog.js';
import { SqliteEventStore } from './event-store.js';
import { SqliteKeptHits } from './kept-hits.js';
import { SqliteKeyStore, tryWriter } from './key-store.js';
import { SqliteLeases } from './leases.js';
import type { WriterOptions } from './log-writer.js';
import { makePrivateFolder } from './private-files.js';
import { SqliteReadModels } from './read-models.js';
import { InlineWriter, type Writer, WriterClient, WriterThread } from './writer-client.js';

/** The embedded engine: all data in files of one data folder, no server. */
export interface OpenLog {
  readonly dir: string;
  /** A port to the writer thread (see startWriter). Without one this thread writes the log. */
  readonly writer?: MessagePort;
}

export function openSqliteLog({ dir, writer: port }: OpenLog): LogEngine & TryWrites {
  makePrivateFolder(dir);
  const writer: Writer = port ? new WriterClient(port) : new InlineWriter(dir);
  const keys = new SqliteKeyStore(dir, writer);
  const events = new SqliteEventStore(dir, writer);
  const close = events.close.bind(events);
  events.close = async () => {
    keys.close();
    await close();
  };
  return { events, keys, tryWrite: () => tryWriter(writer) };
}

/** The local key file of a log in another engine: a key is on disk when `put` resolves. */
export function openSqliteKeys({ dir, writer: port }: OpenLog): TryWrites & { readonly keys: KeyStore; readonly close: () => Promise<void> } {
  makePrivateFolder(dir);
  const writer: Writer = port ? new WriterClient(port) : new InlineWriter(dir, { keysOnly: true });
  const keys = new SqliteKeyStore(dir, writer, true);
  return {
    keys,
    tryWrite: () => tryWriter(writer),
    close: async () => {
      keys.close();
      await writer.close();
    },
  };
}

/** `instance` identifies this process among all that ever had its process id; leases detect a dead holder by it. */
export function openSqliteViews({
  dir,
  instance,
  partitions,
  now,
}: {
  readonly dir: string;
  readonly instance: string;
  /** How many partitions divided read models get where the folder has no number yet; 1 without it. */
  readonly partitions?: number;
  readonly now?: () => number;
}): ViewEngine & TryWrites & { readonly keptHits: () => SqliteKeptHits } {
  const catalog = new SqliteCatalog(dir, partitions);
  const views = new SqliteReadModels(catalog);
  const snapshots = new SqliteAggregateSnapshots(dir);
  const close = views.close.bind(views);
  views.close = async () => {
    await close();
    snapshots.close();
    catalog.close();
  };
  return {
    views,
    leases: new SqliteLeases(catalog, instance, now),
    snapshots,
    tryWrite: async () => catalog.tryWrite(),
    keptHits: () => new SqliteKeptHits(catalog),
  };
}

/** Starts the thread that owns the log and the keys of a data folder, or only the keys. */
export function startWriter(dir: string, files: WriterOptions = {}): Promise<WriterThread> {
  makePrivateFolder(dir);
  return WriterThread.start(dir, files);
}

export type { WriterThread };
