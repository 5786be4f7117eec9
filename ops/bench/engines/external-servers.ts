import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { here, startServer } from '../processes.js';

/** A server that an engine talks to: one that the environment names, or one that is started for this run and ends with it. */
export interface ExternalServer {
  readonly url: string;
  /** What it is, for the names of figures. */
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/** Why there is none. */
export type Missing = string;

const FAKE_SERVER = '../../test/support/eventstoredb/main.js';
const MONGO_SERVER = '../../../.ci/mongo-server';
/** What the script that starts a server for tests goes by. */
const SCRIPT_ENVIRONMENT = ['HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'MONGO_SERVER'];

const keepRunning = async (): Promise<void> => {};

/** `EVENTSTOREDB_URL`, or the stand-in of the tests over a folder below `parent`, where it was built. */
export async function eventStoreServer(parent: string): Promise<ExternalServer | Missing> {
  const { EVENTSTOREDB_URL: url } = process.env;
  if (url) return { url, name: 'the server of EVENTSTOREDB_URL', stop: keepRunning };
  const main = here(FAKE_SERVER);
  if (!existsSync(main)) return 'EVENTSTOREDB_URL names no server, and the stand-in of the tests is not built here';
  const args = [main, '--dir', mkdtempSync(join(parent, 'stand-in-'))];
  const server = await startServer({ args, own: {}, addressIn: (line) => (JSON.parse(line) as { url: string }).url });
  return { url: server.url, name: 'the stand-in', stop: server.stop };
}

/** `MONGODB_URL`, or the server that the tests are tried with, where it can be started. */
export async function mongoServer(): Promise<ExternalServer | Missing> {
  const { MONGODB_URL: url } = process.env;
  if (url) return { url, name: await nameOf(url), stop: keepRunning };
  const script = here(MONGO_SERVER);
  const why = 'MONGODB_URL names no server, and none could be started';
  if (!existsSync(script)) return why;
  const own = Object.fromEntries(SCRIPT_ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  try {
    const { url, stop } = await startServer({ program: 'bash', args: [script], own, addressIn: (line) => line.trim(), lastSignal: 'SIGTERM' });
    return { url, name: `${await nameOf(url)} in memory`, stop };
  } catch (e) {
    return `${why}: ${e instanceof Error ? e.message : e}`;
  }
}

/** Servers that speak the protocol give the version of MongoDB that they are like, and their own beside it. */
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
