import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { type Checkpoint, type Doc, highestOf, lowestOf, StoreUnavailable, type ViewSnapshot, type ViewSpec } from '../../domain/kernel/ports.js';
import { readBatch } from './batches.js';
import { type MongoCatalog, partitionsOf } from './catalog.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { beforeName, viewsName } from './names.js';
import { type BeforeImage, beforeId, PageWriter } from './page-writer.js';
import type { MongoDoc } from './stored.js';
import { SCAN_BATCH } from './view-writer.js';

/** Lifetime of the snapshot of a dead process, in milliseconds. Clocks of nodes may differ by most of it. */
const SNAPSHOT_TTL_MS = 120_000;
const RENEW_INTERVAL_MS = 20_000;

/**
 * One generation as it was when the snapshot was registered. From then on writers save a before-image of each document
 * before its first change, and a scan uses those in place of changed documents.
 */
export class MongoReadSnapshot implements ViewSnapshot {
  readonly #renewing: NodeJS.Timeout;

  private constructor(
    private readonly db: Db,
    private readonly catalog: MongoCatalog,
    private readonly name: string,
    private readonly generation: number,
    private readonly id: string,
    private readonly positions: readonly Checkpoint[],
    now: () => number,
  ) {
    const renew = () => void this.catalog.renewSnapshot(name, generation, id, now() + SNAPSHOT_TTL_MS).catch(() => null);
    this.#renewing = setInterval(renew, RENEW_INTERVAL_MS).unref();
  }

  static async open(db: Db, catalog: MongoCatalog, spec: ViewSpec, now: () => number): Promise<MongoReadSnapshot> {
    for (;;) {
      const { generation, generations } = await catalog.getOrCreate(spec);
      const seen = generations[generation];
      if (!seen) continue;
      // A claimed page belongs to the snapshot and is completed before anything is read.
      const positions = partitionsOf(seen).map(({ checkpoint, pending }) => pending?.to ?? checkpoint);
      const registered = { id: randomUUID(), at: lowestOf(positions), ...(positions.length > 1 && { positions }), until: now() + SNAPSHOT_TTL_MS };
      if (!(await catalog.registerSnapshot(spec.name, generation, seen, registered))) continue;
      const snapshot = new MongoReadSnapshot(db, catalog, spec.name, generation, registered.id, positions, now);
      try {
        await new PageWriter(db, catalog, spec.name, generation, now).completePending();
      } catch (e) {
        await snapshot.close().catch(() => null);
        throw e;
      }
      return snapshot;
    }
  }

  async checkpoint(): Promise<Checkpoint> {
    return lowestOf(this.positions);
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return this.positions;
  }

  async *scan(collection: string): AsyncIterable<Doc> {
    const documents = this.db.collection<MongoDoc>(viewsName(this.name, this.generation, collection));
    for (let after: string | undefined; ; ) {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const cursor = () => documents.find(filter, { projection: { f: 0 }, batchSize: SCAN_BATCH, ...COMMAND_OPTIONS });
      const { docs, more } = await callServer(() => readBatch(cursor().sort({ _id: 1 }), SCAN_BATCH));
      const last = more ? docs.at(-1)?._id : undefined;
      // Read after the documents: a before-image is saved before its document changes.
      const before = await this.#beforeImages(collection, after, last);
      for (const doc of this.#restore(docs, before)) yield doc;
      if (last === undefined) return;
      after = last;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    await this.catalog.unregisterSnapshots(this.name, this.generation, [this.id]);
    await callServer(() => this.db.dropCollection(beforeName(this.name, this.generation, this.id), COMMAND_OPTIONS));
  }

  /** Before-images of documents after one id and up to another: texts, or null where there was none. */
  async #beforeImages(collection: string, after: string | undefined, last: string | undefined): Promise<Map<string, string | null>> {
    const kept = this.db.collection<BeforeImage>(beforeName(this.name, this.generation, this.id));
    const from = after === undefined ? { $gte: beforeId(collection, '') } : { $gt: beforeId(collection, after) };
    // '0' is the character after '/', so this is the end of the collection's ids.
    const to = last === undefined ? { $lt: `${collection}0` } : { $lte: beforeId(collection, last) };
    const cursor = () => kept.find({ _id: { ...from, ...to } }, { batchSize: SCAN_BATCH, ...COMMAND_OPTIONS });
    const images = await callServer(() => cursor().toArray());
    return new Map(images.map(({ _id, d }) => [_id.slice(collection.length + 1), d]));
  }

  *#restore(page: readonly MongoDoc[], before: ReadonlyMap<string, string | null>): Iterable<Doc> {
    const texts = new Map<string, string | null>(before);
    const latest = highestOf(this.positions);
    for (const { _id, p, d } of page) {
      if (texts.has(_id)) continue;
      if (latest === 'start' || p > latest) throw new StoreUnavailable('MongoDB: the snapshot has expired because it was not renewed in time');
      texts.set(_id, d ?? null);
    }
    const ids = [...texts.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const id of ids) {
      const text = texts.get(id);
      if (text != null) yield JSON.parse(text) as Doc;
    }
  }
}
