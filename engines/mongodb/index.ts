import type { KeyStore, LimitTable, RateLimits, ViewEngine } from '../../domain/kernel/ports.js';
import { connect } from './connection.js';
import { MongoKeyStore } from './key-store.js';
import { MongoLeases } from './leases.js';
import { MongoRateLimits } from './rate-limits.js';
import { MongoReadModels } from './read-models.js';

export interface OpenViews {
  /** `mongodb://…` or `mongodb+srv://…`, with credentials, TLS and replica set. Read and write concern are always `majority`. */
  readonly url: string;
  /** Overrides the database of the address; the default is `heliograph`. */
  readonly database?: string;
  /** Identifies this process in its leases, for operators. */
  readonly instance: string;
  /** Milliseconds since 1970, for lifetimes. Leases and rate limits use the server's clock. */
  readonly now?: () => number;
}

/** Read models, leases, keys and rate limits in MongoDB. All calls throw StoreUnavailable while the server is down. */
export interface MongoEngine extends ViewEngine {
  readonly keys: KeyStore;
  /** Rolling windows shared by all processes with this database. */
  rateLimits(table: LimitTable): Promise<RateLimits>;
  /** Closing the read models does the same: there is one connection. */
  close(): Promise<void>;
}

/** Needs MongoDB 4.4 or later, or a compatible server, without a replica set or transactions. Throws StoreUnavailable. */
export async function openMongoViews({ url, database, instance, now = Date.now }: OpenViews): Promise<MongoEngine> {
  const { client, db } = await connect(url, database);
  const views = new MongoReadModels(db, now);
  const closeViews = views.close.bind(views);
  const close = async () => {
    await closeViews();
    await client.close();
  };
  views.close = close;
  try {
    const keys = await MongoKeyStore.open(db);
    return { views, leases: new MongoLeases(db, instance), keys, rateLimits: (table) => MongoRateLimits.open(db, table), close };
  } catch (e) {
    await close();
    throw e;
  }
}
