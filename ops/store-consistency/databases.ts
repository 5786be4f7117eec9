import type { FoundDatabase, MongoInstallation } from '../../engines/mongodb/installation.js';
import type { FoundLog } from '../../engines/sqlite/installation.js';
import { variables } from '../app/config/config.js';
import { openedBy } from '../app/config/refused-setting.js';
import type { Engines } from '../engines/engine.js';
import { mongoDb } from '../engines/production-engines.js';
import { systemClock } from '../system/clock.js';
import { compareDatabase, type DatabaseLoss, DatabaseRefused } from './compare-database.js';

/** A member of a cluster may not have the newest events yet: how often and when, in milliseconds, the log is read again. */
const TRIES = 5;
const RETRY_MS = 1_000;

type Stores = Pick<Engines, 'log' | 'mongodbUrl'>;
type ReadLog = () => Promise<Pick<FoundLog, 'identity' | 'head'>>;

/** Compares a log and the database beside it, and records in a new database which log it belongs to. Throws DatabaseRefused. */
export async function checkSharedDatabase(stores: Stores, readLog: ReadLog): Promise<void> {
  await withDatabase(stores, async (database) => {
    const { found, log, loss } = await compared(database, stores, readLog);
    if (loss) throw new DatabaseRefused(loss, found.name);
    if (log.identity !== null && found.identity === null) await database.mark(log.identity);
  });
}

/** What a start would refuse; null for nothing. */
export function lossOfDatabase(stores: Stores, readLog: ReadLog): Promise<{ readonly loss: DatabaseLoss; readonly name: string } | null> {
  return withDatabase(stores, async (database) => {
    const { found, loss } = await compared(database, stores, readLog);
    return loss && { loss, name: found.name };
  });
}

/** Removes read models that are ahead of the log, or records that the keys are gone. */
export async function acceptDatabaseLoss(stores: Stores, readLog: ReadLog): Promise<void> {
  await withDatabase(stores, async (database) => {
    const { found, log, loss } = await compared(database, stores, readLog);
    if (loss === 'keys_gone' && log.identity !== null) await database.mark(log.identity, { keysLost: true });
    if (loss !== 'views_ahead') return;
    if (await database.isInUse()) throw new Error(`A node works with the database ${found.name}. Stop all nodes first, then wait for half a minute.`);
    await database.removeViews();
  });
}

/** The database is read before the log, so that a node that works meanwhile makes no difference. */
async function compared(database: MongoInstallation, { log: engine }: Stores, readLog: ReadLog) {
  for (let tries = 1; ; tries++) {
    const found: FoundDatabase = await database.find();
    const log = await readLog();
    const loss = compareDatabase(log, found, engine === 'eventstoredb');
    if (loss !== 'views_ahead' || engine === 'sqlite' || tries === TRIES) return { found, log, loss };
    await systemClock.sleep(RETRY_MS);
  }
}

function withDatabase<T>({ mongodbUrl }: Stores, work: (database: MongoInstallation) => Promise<T>): Promise<T> {
  return openedDatabase(mongodbUrl ?? '').then(async (database) => {
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

const openedDatabase = (url: string): Promise<MongoInstallation> =>
  openedBy(variables.mongodbUrl, async () => (await mongoDb()).MongoInstallation.open(url));
