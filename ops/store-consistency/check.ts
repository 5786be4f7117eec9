import { type FoundLog, findLog } from '../../engines/sqlite/installation.js';
import { type Config, variables } from '../app/config/config.js';
import { openedBy } from '../app/config/refused-setting.js';
import { eventStoreDb } from '../engines/production-engines.js';
import { systemClock } from '../system/clock.js';
import { besideRemoteLog, checkDataFolder, identifyViews, type LocalStores } from './data-folder.js';
import { checkSharedDatabase } from './databases.js';

type Stores = Pick<Config, 'dataDir' | 'log' | 'eventstoredbUrl' | 'views' | 'mongodbUrl'>;

/** Compares log, keys and read models, in files and databases; see `checkDataFolder` and `checkSharedDatabase`. */
export async function checkStores(config: Stores): Promise<readonly string[]> {
  const stores = await localStores(config);
  const notices = stores ? checkDataFolder(stores) : [];
  if (config.views === 'mongodb') await checkSharedDatabase(config, logReader(config));
  return notices;
}

/** After the first event of an installation: its read models get their identity. */
export async function identifyStores(config: Stores): Promise<void> {
  const stores = await localStores(config);
  if (stores) identifyViews(stores);
  if (config.views === 'mongodb') await checkSharedDatabase(config, logReader(config));
}

/** Reads where the configured log begins and ends. */
export const logReader =
  ({ dataDir, log, eventstoredbUrl }: Stores) =>
  async (): Promise<Pick<FoundLog, 'identity' | 'head'>> =>
    log === 'eventstoredb' ? logOnServer(eventstoredbUrl ?? '') : (findLog(dataDir) ?? { identity: null, head: 'start' });

/** Null where neither log nor keys are files. */
export async function localStores({ dataDir, log, eventstoredbUrl, views }: Stores): Promise<LocalStores | null> {
  const hasViews = views === 'sqlite';
  if (log === 'sqlite') return { dataDir, hasViews };
  return hasViews ? besideRemoteLog({ dataDir, hasViews }, () => logOnServer(eventstoredbUrl ?? ''), systemClock) : null;
}

async function logOnServer(url: string): Promise<FoundLog> {
  return openedBy(variables.eventstoredbUrl, async () => {
    const events = (await eventStoreDb()).openEventStoreLog({ url });
    try {
      const { events: first } = await events.readAll('start', 1);
      return { identity: first[0]?.id ?? null, head: await events.head(), keys: 0 };
    } finally {
      await events.close();
    }
  });
}
