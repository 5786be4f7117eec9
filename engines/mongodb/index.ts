import type { Db } from 'mongodb';
import type { LimitTable, RateLimits, SharedRates, TryWrites, ViewEngine } from '../../domain/kernel/ports.js';
import { MongoAggregateSnapshots } from './aggregate-snapshots.js';
import { COMMAND_OPTIONS, connect } from './connection.js';
import { callServer } from './errors.js';
import { MongoKeyStore } from './key-store.js';
import { MongoLeases } from './leases.js';
import { WRITES } from './names.js';
import { MongoRateLimits } from './rate-limits.js';
import { MongoReadModels } from './read-models.js';
import { MongoSharedRates } from './shared-rates.js';

export interface OpenViews {
  /** `mongodb://…` or `mongodb+srv://…`, with credentials, TLS and replica set. Read and write concern are always `majority`. */
  readonly url: string;
  /** Overrides the database of the address; the default is `heliograph`. */
  readonly database?: string;
  /** Identifies this process in its leases, for operators. */
  readonly instance: string;
  /** How many partitions divided read models get where the database has no number yet; 16 without it. */
  readonly partitions?: number;
  /** Milliseconds since 1970, for lifetimes. Leases and rate limits use the server's clock. */
  readonly now?: () => number;
}

/** Read models, leases, keys and rate limits in MongoDB. All calls throw StoreUnavailable while the server is down. */
export interface MongoEngine extends ViewEngine, TryWrites {
  readonly keys: MongoKeyStore;
  /** Rolling windows shared by all processes with this database. */
  rateLimits(table: LimitTable): Promise<RateLimits>;
  /** Periods shared by all processes with this database. */
  readonly sharedRates: SharedRates;
  /** Closing the read models does the same: there is one connection. */
  close(): Promise<void>;
}

export { MongoInstallation } from './installation.js';

/** More than the nodes of any installation, and few enough to be moved in one go. */
const PARTITIONS = 16;

/** Needs MongoDB 4.4 or later, or a compatible server, without a replica set or transactions. Throws StoreUnavailable. */
export async function openMongoViews({ url, database, instance, partitions = PARTITIONS, now = Date.now }: OpenViews): Promise<MongoEngine> {
  const { client, db } = await connect(url, database);
  const views = new MongoReadModels(db, now, partitions);
  const closeViews = views.close.bind(views);
  const close = async () => {
    await closeViews();
    await client.close();
  };
  views.close = close;
  try {
    const keys = await MongoKeyStore.open(db);
    return {
      views,
      leases: new MongoLeases(db, instance),
      snapshots: new MongoAggregateSnapshots(db),
      keys,
      tryWrite: () => tryMongoWrite(db),
      sharedRates: new MongoSharedRates(db),
      rateLimits: (table) => MongoRateLimits.open(db, table),
      close,
    };
  } catch (e) {
    await close();
    throw e;
  }
}

/** Counts up one document that nothing reads. Throws StoreUnavailable where a majority does not take the write. */
async function tryMongoWrite(db: Db): Promise<void> {
  await callServer(() =>
    db.collection<{ _id: string; n: number }>(WRITES).updateOne({ _id: 'written' }, { $inc: { n: 1 } }, { ...COMMAND_OPTIONS, upsert: true }),
  );
}
