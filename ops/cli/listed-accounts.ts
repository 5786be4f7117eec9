/** Accounts as the command line lists and finds them, from the log alone. */
import { AccountCreated, account, accountStream, accountStreamPrefix, type OpenAccount } from '../../domain/accounts/account.js';
import { notFound } from '../../domain/kernel/errors.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { eventsOfStreams } from './events-of-streams.js';

/** Throws `not_found` for an id that no account has. */
export async function requireAccount(log: EventLog, id: string): Promise<OpenAccount> {
  const { state } = await loadAggregate(log, account, accountStream(id));
  if (state.status !== 'open') throw notFound('account', id);
  return state;
}

/** All accounts, in the order of their creation. */
export async function listAccounts(log: EventLog): Promise<OpenAccount[]> {
  return Promise.all((await accountIds(log)).map((id) => requireAccount(log, id)));
}

async function accountIds(log: EventLog): Promise<string[]> {
  const ids: string[] = [];
  for await (const { type, stream } of eventsOfStreams(log, accountStreamPrefix))
    if (type === AccountCreated.name) ids.push(stream.slice(accountStreamPrefix.length));
  return ids;
}
