import { isAfter } from '../../domain/kernel/ports.js';
import type { FoundDatabase } from '../../engines/mongodb/installation.js';
import type { FoundLog } from '../../engines/sqlite/installation.js';

/** Why a start over a database is refused. */
export type DatabaseLoss = 'log_gone' | 'database_foreign' | 'views_ahead' | 'keys_gone';

/** What is wrong between a log and the database beside it; null if nothing is. `keysInside`: whether the keys are in the database, too. */
export function compareDatabase(log: Pick<FoundLog, 'identity' | 'head'>, found: FoundDatabase, keysInside: boolean): DatabaseLoss | null {
  if (log.identity === null) return found.identity !== null || found.highest !== 'start' ? 'log_gone' : null;
  if (found.identity !== null && found.identity !== log.identity) return 'database_foreign';
  if (isAfter(found.highest, log.head)) return 'views_ahead';
  return keysInside && !found.hasKeys && !found.keysLost ? 'keys_gone' : null;
}

const ACCEPT = 'heliograph data accept-loss';

const SENTENCES: Readonly<Record<DatabaseLoss, (database: string) => string>> = {
  log_gone: (name) =>
    `The event log is empty, but the database ${name} belongs to an earlier one. Name the right log, restore it, or name an empty database in MONGODB_URL.`,
  database_foreign: (name) => `The database ${name} belongs to another event log. Name the right log, or another database in MONGODB_URL.`,
  views_ahead: (name) =>
    `The read models in the database ${name} are ahead of the event log: it was shortened or restored. Stop all nodes, then remove them with ${ACCEPT}; the next start builds them again.`,
  keys_gone: (name) =>
    `The keys in the database ${name} are gone: without them no personal field of the event log can be read. Restore them. To go on without them: ${ACCEPT}.`,
};

/** A start that is refused because log and database do not belong together. The message says what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
  constructor(
    readonly loss: DatabaseLoss,
    database: string,
  ) {
    super(SENTENCES[loss](database));
  }
}

/** What accepting a loss means, as a question. Null: it cannot be accepted. */
export const ACCEPTED_DATABASE_LOSSES: Readonly<Record<DatabaseLoss, string | null>> = {
  log_gone: null,
  database_foreign: null,
  views_ahead: 'The read models are removed; the next start builds them from the event log.',
  keys_gone: 'Personal fields sealed so far read <key_missing>; new keys are made.',
};
