import type { KeyStore, ViewEngine } from '../../domain/kernel/ports.js';
import { connect } from './connection.js';
import { MongoKeyStore } from './key-store.js';
import { MongoLeases } from './leases.js';
import { MongoRollingWindows } from './rate-limits.js';
import { MongoReadModels } from './read-models.js';

export interface OpenViews {
  /** `mongodb://…` or `mongodb+srv://…`. Its credentials, TLS and replica set hold; concerns are always those of a majority. */
  readonly url: string;
  /** Instead of the one that the address names; `heliograph` where it names none. */
  readonly database?: string;
  /** This process, as operators see it in the leases that it holds. */
  readonly instance: string;
  /** Milliseconds since 1970, for how long things are kept. Leases and rate limits go by the server's clock. */
  readonly now?: () => number;
}

/** Everything that MongoDB keeps for a process. All of it fails with StoreUnavailable while the server is away. */
export interface MongoEngine extends ViewEngine {
  readonly keys: KeyStore;
  /** Rolling windows shared by all processes at this database. */
  rateLimits<Group extends string>(
    table: Readonly<Record<Group, { readonly limit: number; readonly windowSeconds: number }>>,
  ): Promise<MongoRollingWindows<Group>>;
  /** Also what closing the read models does: there is one connection for everything. */
  close(): Promise<void>;
}

/** Opens read models, leases, keys and shared rate limits. Needs MongoDB 4.4 or later, or a server like it; no replica set, no transactions. */
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
    return { views, leases: new MongoLeases(db, instance), keys, rateLimits: (table) => MongoRollingWindows.open(db, table), close };
  } catch (e) {
    await close();
    throw e;
  }
}
