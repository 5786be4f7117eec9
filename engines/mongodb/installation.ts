import type { Db } from 'mongodb';
import { type Checkpoint, isAfter } from '../../domain/kernel/ports.js';
import { type CatalogEntry, partitionsOf } from './catalog.js';
import { COMMAND_OPTIONS, connect, DEFINITION_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { CATALOG, INSTALLATION, KEYS, LEASES, SNAPSHOTS } from './names.js';

/** What a database says of the log that it belongs to. */
export interface FoundDatabase {
  readonly name: string;
  /** The id of the first event of the log; null where it is not recorded yet. */
  readonly identity: string | null;
  /** The highest checkpoint of all read models; `start` where there are none. */
  readonly highest: Checkpoint;
  /** Whether there is any key. */
  readonly hasKeys: boolean;
  /** Whether an operator has accepted that keys are gone. */
  readonly keysLost: boolean;
}

interface InstallationDoc {
  readonly _id: 'installation';
  readonly identity: string;
  readonly keys_lost?: boolean;
}

/** The document that says which log a database belongs to. Read and written before the stores are opened. */
export class MongoInstallation {
  private constructor(
    private readonly db: Db,
    readonly close: () => Promise<void>,
  ) {}

  /** Throws StoreUnavailable. */
  static async open(url: string): Promise<MongoInstallation> {
    const { client, db } = await connect(url);
    return new MongoInstallation(db, () => client.close());
  }

  async find(): Promise<FoundDatabase> {
    const { db } = this;
    const [known, entries, key] = await callServer(() =>
      Promise.all([
        this.#documents.findOne({ _id: 'installation' }, COMMAND_OPTIONS),
        db
          .collection<CatalogEntry>(CATALOG)
          .find({}, { projection: { pages: 0 }, ...COMMAND_OPTIONS })
          .toArray(),
        db.collection(KEYS).findOne({}, COMMAND_OPTIONS),
      ]),
    );
    const reached = entries.flatMap(({ generations = {} }) => Object.values(generations).flatMap(partitionsOf));
    const highest = reached.reduce<Checkpoint>((most, { checkpoint }) => (isAfter(checkpoint, most) ? checkpoint : most), 'start');
    return {
      name: db.databaseName,
      identity: known?.identity ?? null,
      highest,
      hasKeys: key !== null,
      keysLost: known?.keys_lost ?? false,
    };
  }

  async mark(identity: string, { keysLost = false } = {}): Promise<void> {
    const set = { identity, ...(keysLost && { keys_lost: true }) };
    await callServer(() => this.#documents.updateOne({ _id: 'installation' }, { $set: set }, { upsert: true, ...COMMAND_OPTIONS }));
  }

  /** Whether a process works with the read models, or did within its last lease. */
  async isInUse(): Promise<boolean> {
    const now = { $toDouble: '$$NOW' };
    const held = await callServer(() => this.db.collection(LEASES).findOne({ $expr: { $gt: ['$until', now] } }, COMMAND_OPTIONS));
    return held !== null;
  }

  /** Removes all read models, but not the keys, leases and limits. The next start builds them. */
  async removeViews(): Promise<void> {
    const listed = await callServer(() => this.db.listCollections({}, { nameOnly: true, ...DEFINITION_OPTIONS }).toArray());
    const views = listed.map(({ name }) => name).filter((name) => /^(views|pages|before)\./.test(name) || name === SNAPSHOTS);
    // The catalog first: without it nobody reads the rest.
    await callServer(() => this.db.collection(CATALOG).deleteMany({ generations: { $exists: true } }, COMMAND_OPTIONS));
    for (const name of views) await callServer(() => this.db.dropCollection(name, DEFINITION_OPTIONS));
  }

  get #documents() {
    return this.db.collection<InstallationDoc>(INSTALLATION);
  }
}
