import type { EventStore, LogEngine } from '../../domain/kernel/ports.js';
import { openEventStoreLog } from '../../engines/eventstoredb/index.js';
import { openMemoryLog } from '../../engines/memory/index.js';
import { openSqliteKeys } from '../../engines/sqlite/index.js';
import { FakeEventStoreDb } from '../support/eventstoredb/server.js';

/** The variable with the address of a real server. It may contain other events, and keeps those of the tests. */
const REAL = 'EVENTSTOREDB_URL';
/** The variable that passes the address of the fake server to child processes. */
const FAKE_SERVER = 'HELIOGRAPH_TEST_FAKE_EVENTSTOREDB';

/** One for the whole run. It listens only while it is used, and retains its events. */
const server = new FakeEventStoreDb({ engine: openMemoryLog().events });
let users = 0;

export async function openOverFakeServer(dir: string): Promise<LogEngine> {
  const parents = process.env[FAKE_SERVER];
  if (parents) return open(parents, dir, () => {});
  users += 1;
  if (users === 1) await server.start();
  return open(server.url, dir, () => {
    users -= 1;
    if (users === 0) server.crash();
  });
}

/** Environment variables with which a child process opens the same engines. */
export const childEnvironment = (): NodeJS.ProcessEnv => (users === 0 ? {} : { [FAKE_SERVER]: server.url });

export const openRealServer = async (dir: string): Promise<LogEngine> => open(process.env[REAL] ?? '', dir, () => {});

export async function realServerSkipReason(): Promise<string | null> {
  const url = process.env[REAL];
  if (!url) return `${REAL} is not set`;
  const events = openEventStoreLog({ url });
  try {
    await events.head();
    return null;
  } catch (e) {
    return String(e);
  } finally {
    await events.close();
  }
}

/** With the keys in the local file, as with read models in SQLite. */
function open(url: string, dir: string, closed: () => void): LogEngine {
  const local = openSqliteKeys({ dir });
  const events: EventStore = openEventStoreLog({ url });
  const close = events.close.bind(events);
  let open = true;
  events.close = async () => {
    if (!open) return;
    open = false;
    await Promise.all([close(), local.close()]);
    closed();
  };
  return { events, keys: local.keys };
}
