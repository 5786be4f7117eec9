import { type Account, account, accountStream } from '../../domain/accounts/account.js';
import type { Settings } from '../../domain/accounts/settings.js';
import type { EventLog } from '../runtime/event-log.js';
import { loadAggregate, type ReadBound } from './load-aggregate.js';

/** The settings of an account, as of `until` if given, without opening what its log seals. Null if there is no such account. */
export async function loadSettings(log: EventLog, accountId: string, until?: ReadBound): Promise<Settings | null> {
  const loaded = await loadAggregate(log, account, accountStream(accountId), { sealed: true, ...(until !== undefined && { until }) });
  // They are not sealed. Those of its own carriers are, in a field of an event that has the same name.
  const state = loaded.state as Account;
  return state.status === 'open' ? state.settings : null;
}

/** The carriers of an account's own routes, by channel; null without such an account. */
export type RoutesOfAccount = () => Promise<Settings['routes'] | null>;

/** Reads the routes of an account once, when they are first asked for: the rules of most messages do not depend on them. */
export function routesOfAccount(log: EventLog, accountId: string): RoutesOfAccount {
  let found: ReturnType<RoutesOfAccount> | null = null;
  return () => {
    found ??= loadSettings(log, accountId).then((settings) => settings?.routes ?? null);
    return found;
  };
}
