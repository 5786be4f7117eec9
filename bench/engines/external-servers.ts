import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { here, startServer } from '../processes.js';

/** A server for an engine: from the environment, or started for this run. */
export interface ExternalServer {
  readonly url: string;
  /** Its name in figures. */
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/** The reason why there is no server. */
export type MissingReason = string;

const FAKE_SERVER = '../../test/support/eventstoredb/main.js';
const MONGO_SERVER = '../../../.ci/mongo-server';
/** The environment variables of the script that starts a test server. */
const SCRIPT_ENVIRONMENT = ['HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'MONGO_SERVER'];

const keepRunning = async (): Promise<void> => {};

/** The server of `EVENTSTOREDB_URL`, or the tests' fake server with a folder in `parent`, if it is built. */
export async function eventStoreServer(parent: string): Promise<ExternalServer | MissingReason> {
  const { EVENTSTOREDB_URL: url } = process.env;
  if (url) return { url, name: 'the server of EVENTSTOREDB_URL', stop: keepRunning };
  const main = here(FAKE_SERVER);
  if (!existsSync(main)) return 'EVENTSTOREDB_URL is not set, and the fake server of the tests is not built';
  const args = [main, '--dir', mkdtempSync(join(parent, 'fake-server-'))];
  const server = await startServer({ args, own: {}, addressIn: (line) => (JSON.parse(line) as { url: string }).url });
  return { url: server.url, name: 'the fake server', stop: server.stop };
}

/** The server of `MONGODB_URL`, or the test server, if it can be started. */
export async function mongoServer(): Promise<ExternalServer | MissingReason> {
  const { MONGODB_URL: url } = process.env;
  if (url) return { url, name: await nameOf(url), stop: keepRunning };
  const script = here(MONGO_SERVER);
  const why = 'MONGODB_URL is not set, and no server could be started';
  if (!existsSync(script)) return why;
  const own = Object.fromEntries(SCRIPT_ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  try {
    const { url, stop } = await startServer({ program: 'bash', args: [script], own, addressIn: (line) => line.trim(), lastSignal: 'SIGTERM' });
    return { url, name: `${await nameOf(url)} in memory`, stop };
  } catch (e) {
    return `${why}: ${e instanceof Error ? e.message : e}`;
  }
}

/** Compatible servers report MongoDB's version and their own. */
async function nameOf(url: string): Promise<string> {
  const client = new MongoClient(url);
  try {
    const { version, secantusVersion, ferretdb } = await client.db('admin').command({ buildInfo: 1 });
    if (secantusVersion) return `SecantusDB ${secantusVersion}`;
    return ferretdb ? `FerretDB ${ferretdb.version}` : `MongoDB ${version}`;
  } finally {
    await client.close();
  }
}

export async function dropDatabase({ url }: ExternalServer, database: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    await client.db(database).dropDatabase();
  } finally {
    await client.close();
  }
}
