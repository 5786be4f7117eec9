import type { EventStore, LogEngine } from '../../domain/kernel/ports.js';
import { openEventStoreLog } from '../../engines/eventstoredb/index.js';
import { openMemoryLog } from '../../engines/memory/index.js';
import { openSqliteKeys } from '../../engines/sqlite/index.js';
import { FakeEventStoreDb } from '../support/eventstoredb/server.js';

/** Where a real server is to be found, if there is one. It may hold other events, and is left with those of the tests. */
const REAL = 'EVENTSTOREDB_URL';
/** How children of this process find the stand-in. */
const FAKE_SERVER = 'HELIOGRAPH_TEST_FAKE_EVENTSTOREDB';

/** One for the whole run, as one server would be; it listens while somebody uses it, and keeps what it has meanwhile. */
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

/** What a child of this process must be given to find what this process has opened. */
export const childEnvironment = (): NodeJS.ProcessEnv => (users === 0 ? {} : { [FAKE_SERVER]: server.url });

export const openRealServer = async (dir: string): Promise<LogEngine> => open(process.env[REAL] ?? '', dir, () => {});

export async function realServerUnreachable(): Promise<string | null> {
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

/** The keys as they are where the read models are in SQLite: in the local file, outside the log. */
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
