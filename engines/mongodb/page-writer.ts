import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { type Checkpoint, isAfter, type Position, StoreUnavailable } from '../../domain/kernel/ports.js';
import { batches } from './batches.js';
import { type CatalogEntry, type MongoCatalog, type PartitionSet, type PendingPage, pendingOf, type RegisteredSnapshot } from './catalog.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer, duplicateIndexes, ignoreDuplicates } from './errors.js';
import { beforeName, pagesName, viewsName } from './names.js';
import type { MongoDoc, StoredOp } from './stored.js';

/** Operations up to this size are stored in the catalog itself, which saves a write; characters of JSON, of all partitions together. */
export const INLINE_SIZE = 64_000;
/** In characters of JSON. A document may have 16 MiB, and a character up to 3 bytes. */
const PART_SIZE = 4_000_000;
const READ_BATCH = 1_000;
/** Small enough for a slow server to finish well within the time limit of a command. */
const INSERT_BATCH = 500;
const REPLACE_BATCH = 200;
/**
 * Documents are written only until this many milliseconds after the page was read or claimed. Far below the lifetime of
 * a tombstone, so that a suspended writer cannot restore a document that was removed meanwhile.
 */
const MAX_WRITE_MS = 10 * 60_000;
/** A part whose page was never claimed is left over from a crash when it is this old; milliseconds. */
const ABANDONED_PART_AGE_MS = 60 * 60_000;

/** The end of a page, and when it was read or claimed (`performance.now()`). */
interface Page {
  readonly to: Position;
  readonly began: number;
}

interface Part {
  readonly _id: string;
  readonly token: string;
  readonly at: Date;
  readonly ops: readonly StoredOp[];
}

/** A document as it was when a snapshot was registered; `d` is null where there was none. */
export interface BeforeImage {
  /** Collection and id, so that before-images sort like the documents. */
  readonly _id: string;
  readonly d: string | null;
}

export const beforeId = (collection: string, id: string): string => `${collection}/${id}`;

/**
 * Writes pages of some partitions of one generation atomically without a transaction:
 *
 * 1. The page with all its operations is claimed in the catalog, by compare-and-set on the checkpoints. From then on it
 *    will be written, and no other page of these partitions can be claimed.
 * 2. The operations are applied. Each document has the end of the last page that wrote it, and a page replaces only
 *    documents with an earlier one: applying it twice, late or concurrently has the same effect as once.
 * 3. The checkpoints move.
 *
 * Any process that finds a pending page between 1 and 3 completes it.
 */
export class PageWriter {
  /** Removal of the parts of the last page, which is complete already. `removeAbandoned` finds those that remain. */
  #removed: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Db,
    private readonly catalog: MongoCatalog,
    private readonly name: string,
    private readonly generation: number,
    private readonly now: () => number,
    /** Those it writes, in order; null in a generation with one partition, and for one that only completes pages. */
    private readonly partitions: PartitionSet = null,
    private readonly inlineSize = INLINE_SIZE,
  ) {}

  /** Returns the entry after the page, or null when a partition is not at `from`. */
  async write(from: Checkpoint, to: Position, ops: readonly StoredOp[]): Promise<CatalogEntry | null> {
    if (ops.length === 0) return this.catalog.moveCheckpoint(this.name, this.generation, this.partitions, from, to);
    const began = performance.now();
    const token = randomUUID();
    const parts = splitIntoParts(ops);
    const inline = parts.length === 1 && sizeOf(ops) <= this.inlineSize;
    const pending: PendingPage = { token, to, parts: inline ? 0 : parts.length, ...(this.partitions && { partitions: this.partitions }) };
    await this.#removed;
    if (!inline) await this.#store(token, parts);
    const claimed = await this.catalog.claimPage(this.name, this.generation, from, pending, inline ? ops : []);
    const done = claimed && (await this.#apply(claimed, pending, ops, began));
    if (!inline) this.#removed = this.#discard(pending).catch(() => {});
    return done;
  }

  /** Resolves when parts of written pages are removed. */
  settled(): Promise<void> {
    return this.#removed;
  }

  /** Completes the pending pages of its partitions, and returns the entry. */
  async completePending(): Promise<CatalogEntry | null> {
    for (;;) {
      const began = performance.now();
      const entry = await this.catalog.read(this.name);
      const own = entry?.generations[this.generation];
      const pending = own && pendingOf(own).find((page) => this.#concerns(page));
      if (!entry || !pending) return entry;
      const ops = pending.parts > 0 ? await this.#load(pending) : await this.catalog.pendingOps(this.name, this.generation, pending);
      // The operations are gone when another process has just completed the page.
      if (ops.length === 0) continue;
      await this.#apply(entry, pending, ops, began);
      if (pending.parts > 0) await this.#discard(pending);
    }
  }

  /** Removes parts of pages that were never claimed. */
  async removeAbandoned(): Promise<void> {
    const before = new Date(this.now() - ABANDONED_PART_AGE_MS);
    const entry = await this.catalog.read(this.name);
    const own = entry?.generations[this.generation];
    const tokens = own ? pendingOf(own).map(({ token }) => token) : [];
    await callServer(() => this.#parts().deleteMany({ token: { $nin: tokens }, at: { $lt: before } }, COMMAND_OPTIONS));
  }

  #concerns({ partitions }: PendingPage): boolean {
    return !this.partitions || !partitions || partitions.some((partition) => this.partitions?.includes(partition));
  }

  async #apply(entry: CatalogEntry, pending: PendingPage, ops: readonly StoredOp[], began: number): Promise<CatalogEntry | null> {
    const snapshots = entry.generations[this.generation]?.snapshots ?? [];
    const [first = 0] = pending.partitions ?? [];
    const open = snapshots.filter(({ at, positions, until }) => isAfter(pending.to, positions?.[first] ?? at) && until > this.now());
    const page: Page = { to: pending.to, began };
    const writing = [...groupByCollection(ops)].map(async ([collection, own]) => {
      const documents = this.db.collection<MongoDoc>(viewsName(this.name, this.generation, collection));
      if (open.length > 0)
        for (const some of batches(own, READ_BATCH, unitsOf)) await this.#saveBeforeImages(open, collection, documents, pending.to, some);
      const [fresh, rest] = [own.filter(isNew), own.filter((op) => !isNew(op))];
      await Promise.all([this.#insert(documents, fresh, page), this.#replace(documents, rest, page)]);
    });
    await Promise.all(writing);
    return this.catalog.completePage(this.name, this.generation, pending);
  }

  /**
   * Servers insert many documents at once but replace them one by one, which takes several times as long. A document that
   * exists after all is a tombstone or was written by this page before: it is replaced where its page is earlier.
   */
  async #insert(documents: Collection<MongoDoc>, ops: readonly StoredOp[], page: Page): Promise<void> {
    for (const some of batches(ops, INSERT_BATCH, unitsOf)) {
      assertNotStale(page);
      const stored = some.map((op): MongoDoc => ({ _id: op.i, ...this.#content(op, page.to) }));
      const there = new Set(await callServer(() => duplicateIndexes(() => documents.insertMany(stored, { ordered: false, ...COMMAND_OPTIONS }))));
      const left = some.filter((_, place) => there.has(place));
      await this.#replace(documents, left, page);
    }
  }

  async #replace(documents: Collection<MongoDoc>, ops: readonly StoredOp[], page: Page): Promise<void> {
    for (const some of batches(ops, REPLACE_BATCH, unitsOf)) {
      assertNotStale(page);
      const writes = some.map((op): AnyBulkWriteOperation<MongoDoc> => {
        const written = { $literal: { _id: op.i, ...this.#content(op, page.to) } };
        // The condition is in the update, not in the filter, so that every server finds the document by `_id` alone.
        const update = [{ $replaceWith: { $cond: [{ $lt: ['$p', page.to] }, written, '$$ROOT'] } }];
        return { updateOne: { filter: { _id: op.i }, update, upsert: isNew(op) } };
      });
      // A duplicate key is a document that this page has written before.
      await callServer(() => ignoreDuplicates(() => documents.bulkWrite(writes, { ordered: false, ...COMMAND_OPTIONS })));
    }
  }

  #content({ d, f }: StoredOp, to: Position): Omit<MongoDoc, '_id'> {
    return d === undefined ? { p: to, g: new Date(this.now()) } : { p: to, d, f: f ?? {} };
  }

  /** Saves documents as they are before this page, for each snapshot that has no before-image of them yet. */
  async #saveBeforeImages(
    snapshots: readonly RegisteredSnapshot[],
    collection: string,
    documents: Collection<MongoDoc>,
    to: Position,
    ops: readonly StoredOp[],
  ): Promise<void> {
    const there = await callServer(() =>
      documents.find({ _id: { $in: ops.map(({ i }) => i) } }, { projection: { f: 0 }, ...COMMAND_OPTIONS }).toArray(),
    );
    const known = new Map(there.map((doc) => [doc._id, doc]));
    const images: BeforeImage[] = [];
    for (const { i } of ops) {
      const doc = known.get(i);
      // Written by this page before, so its before-image was saved then.
      if (doc && doc.p >= to) continue;
      images.push({ _id: beforeId(collection, i), d: doc?.d ?? null });
    }
    if (images.length === 0) return;
    for (const { id } of snapshots) {
      const kept = this.db.collection<BeforeImage>(beforeName(this.name, this.generation, id));
      await callServer(() => ignoreDuplicates(() => kept.insertMany(images, { ordered: false, ...COMMAND_OPTIONS })));
    }
  }

  #parts(): Collection<Part> {
    return this.db.collection(pagesName(this.name, this.generation));
  }

  async #store(token: string, parts: readonly (readonly StoredOp[])[]): Promise<void> {
    const at = new Date(this.now());
    await Promise.all(parts.map((ops, i) => callServer(() => this.#parts().insertOne({ _id: partId(token, i), token, at, ops }, COMMAND_OPTIONS))));
  }

  /** Returns nothing unless all parts are there. */
  async #load({ token, parts }: PendingPage): Promise<StoredOp[]> {
    const ids = Array.from({ length: parts }, (_, i) => partId(token, i));
    const found = await callServer(() =>
      this.#parts()
        .find({ _id: { $in: ids } }, COMMAND_OPTIONS)
        .toArray(),
    );
    return found.length === parts ? found.flatMap(({ ops }) => ops) : [];
  }

  async #discard({ token, parts }: PendingPage): Promise<void> {
    const ids = Array.from({ length: parts }, (_, i) => partId(token, i));
    await callServer(() => this.#parts().deleteMany({ _id: { $in: ids } }, COMMAND_OPTIONS));
  }
}

function assertNotStale({ began }: Page): void {
  if (performance.now() - began > MAX_WRITE_MS) throw new StoreUnavailable('MongoDB: the page was not written in time');
}

const isNew = ({ n, d }: StoredOp): boolean => n === true && d !== undefined;

const partId = (token: string, n: number): string => `${token}:${n}`;

const unitsOf = ({ i, d }: StoredOp): number => i.length + (d?.length ?? 0);
const sizeOf = (ops: readonly StoredOp[]): number => ops.reduce((size, op) => size + unitsOf(op), 0);

/** Splits the operations into parts that fit into one document each. */
function splitIntoParts(ops: readonly StoredOp[]): StoredOp[][] {
  const parts: StoredOp[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const op of ops) {
    const own = unitsOf(op);
    if (size + own > PART_SIZE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(op);
    size += own;
  }
  return parts;
}

function groupByCollection(ops: readonly StoredOp[]): Map<string, StoredOp[]> {
  const groups = new Map<string, StoredOp[]>();
  for (const op of ops) {
    const group = groups.get(op.c);
    if (group) group.push(op);
    else groups.set(op.c, [op]);
  }
  return groups;
}
