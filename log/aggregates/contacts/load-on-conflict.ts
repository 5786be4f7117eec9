import type { OnConflict } from '../../../domain/accounts/settings.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadSettings } from '../load-settings.js';

/** What the account does with rows that name several people, where a call does not say. */
export const loadOnConflict = async (log: EventLog, account: string): Promise<OnConflict> =>
  (await loadSettings(log, account))?.identity.on_conflict ?? 'merge';
