import { randomBytes } from 'node:crypto';
import { openMemoryLog } from '../../engines/memory/index.js';
import { FRESH, RealEventStoreDb } from './eventstoredb/real.js';
import { FakeEventStoreDb } from './eventstoredb/server.js';
import { dropDatabase, mongoSkipReason, mongoUrl } from './mongodb.js';

/** The engines of a service. */
export interface Engines {
  readonly log: 'sqlite' | 'eventstoredb';
  readonly views: 'sqlite' | 'mongodb';
}

export const EMBEDDED: Engines = { log: 'sqlite', views: 'sqlite' };
/** The only pair of engines for several nodes. */
export const SHARED: Engines = { log: 'eventstoredb', views: 'mongodb' };

/** The engines of this test run: TEST_LOG and TEST_VIEWS, by default `sqlite`. */
export const enginesUnderTest: Engines = {
  log: oneOf('TEST_LOG', ['sqlite', 'eventstoredb']),
  views: oneOf('TEST_VIEWS', ['sqlite', 'mongodb']),
};

/** Whether all data are in the data folder. Servers are much slower. */
export const embedded: boolean = enginesUnderTest.log === 'sqlite' && enginesUnderTest.views === 'sqlite';

/** Why services with these engines cannot be started on this machine, or null. */
export const skipReason = async ({ views }: Engines): Promise<string | null> => (views === 'mongodb' ? mongoSkipReason() : null);

/**
 * The servers of one installation, besides the data folders of its nodes: a log in the memory of this process, or a real server
 * where EVENTSTOREDB_FRESH starts one, and a new database. They outlive the nodes.
 */
export class Servers {
  private constructor(
    /** Null when the log is in the data folder. */
    readonly log: FakeEventStoreDb | RealEventStoreDb | null,
    /** Null when the read models are in the data folder. */
    readonly database: string | null,
  ) {}

  static async start({ log, views }: Engines): Promise<Servers> {
    return new Servers(
      log === 'sqlite'
        ? null
        : process.env[FRESH]
          ? await RealEventStoreDb.start()
          : await FakeEventStoreDb.start({ engine: openMemoryLog().events }),
      views === 'sqlite' ? null : `heliograph-service-${randomBytes(6).toString('hex')}`,
    );
  }

  /** The fake log server, for faults; null where the log is a real one, or in the data folder. */
  get fake(): FakeEventStoreDb | null {
    return this.log instanceof FakeEventStoreDb ? this.log : null;
  }

  /** The settings of a node. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...(this.log && { HELIOGRAPH_LOG: 'eventstoredb', EVENTSTOREDB_URL: this.log.url }),
      ...(this.database !== null && { HELIOGRAPH_VIEWS: 'mongodb', MONGODB_URL: databaseUrl(mongoUrl(), this.database) }),
    };
  }

  /** To be called after all nodes have ended. */
  async close(): Promise<void> {
    await this.log?.stop();
    if (this.database !== null) await dropDatabase(this.database);
  }
}

/** The address of this database on the server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function oneOf<Name extends string>(variable: string, allowed: readonly Name[]): Name {
  const given = process.env[variable] || 'sqlite';
  const known = allowed.find((name) => name === given);
  if (known === undefined) throw new Error(`${variable}='${given}' must be one of ${allowed.join(', ')}`);
  return known;
}
