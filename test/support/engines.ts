import { randomBytes } from 'node:crypto';
import { openMemoryLog } from '../../engines/memory/index.js';
import { FakeEventStoreDb } from './eventstoredb/server.js';
import { dropDatabase, mongoSkipReason, mongoUrl } from './mongodb.js';

/** What a service keeps its log and its read models in. */
export interface Engines {
  readonly log: 'sqlite' | 'eventstoredb';
  readonly views: 'sqlite' | 'mongodb';
}

export const EMBEDDED: Engines = { log: 'sqlite', views: 'sqlite' };
/** The only pair over which there may be several nodes. */
export const SHARED: Engines = { log: 'eventstoredb', views: 'mongodb' };

/** What this run of the tests is to try the service over: TEST_LOG and TEST_VIEWS, `sqlite` where they are not set. */
export const enginesUnderTest: Engines = {
  log: oneOf('TEST_LOG', ['sqlite', 'eventstoredb']),
  views: oneOf('TEST_VIEWS', ['sqlite', 'mongodb']),
};

/** Whether all of it is in the data folder. Servers, and those that stand in for servers, are slower by far. */
export const embedded: boolean = enginesUnderTest.log === 'sqlite' && enginesUnderTest.views === 'sqlite';

/** Why services cannot be started over these engines on this machine, or null. */
export const skipReason = async ({ views }: Engines): Promise<string | null> => (views === 'mongodb' ? mongoSkipReason() : null);

/**
 * The servers on which one installation keeps what it has, besides the data folders of its nodes: a log of its own, in
 * the memory of this process, and a database of its own. They outlive every node that is killed over them.
 */
export class Servers {
  private constructor(
    /** Null where the log is in the data folder. */
    readonly log: FakeEventStoreDb | null,
    /** Null where the read models are in the data folder. */
    readonly database: string | null,
  ) {}

  static async start({ log, views }: Engines): Promise<Servers> {
    return new Servers(
      log === 'sqlite' ? null : await FakeEventStoreDb.start({ engine: openMemoryLog().events }),
      views === 'sqlite' ? null : `heliograph-service-${randomBytes(6).toString('hex')}`,
    );
  }

  /** The settings by which a node finds them. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...(this.log && { HELIOGRAPH_LOG: 'eventstoredb', EVENTSTOREDB_URL: this.log.url }),
      ...(this.database !== null && { HELIOGRAPH_VIEWS: 'mongodb', MONGODB_URL: databaseUrl(mongoUrl(), this.database) }),
    };
  }

  /** Once no node uses them any more. */
  async close(): Promise<void> {
    await this.log?.stop();
    if (this.database !== null) await dropDatabase(this.database);
  }
}

/** The same server, and this database on it. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function oneOf<Name extends string>(variable: string, allowed: readonly Name[]): Name {
  const given = process.env[variable] || 'sqlite';
  const known = allowed.find((name) => name === given);
  if (known === undefined) throw new Error(`${variable}='${given}' is none of ${allowed.join(', ')}`);
  return known;
}
