/** Erasures by an operator: completed at once, listed, and repeated on a log that was restored from an older backup. */

import { eraseAddresses, eraseContact } from '../../commands/contacts/erase-contact.js';
import { ERASURES, ErasureCompleted } from '../../domain/contacts/erasure.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { list, record, type Static, text, time } from '../../domain/kernel/schema.js';
import { loadErasure } from '../../log/aggregates/contacts/load-erasure.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import { completeErasure } from '../../processes/contacts/erase-contacts.js';
import type { Application } from '../app/application.js';
import { operatorCause } from '../app/operator-cause.js';
import { findContactsToErase } from '../app/ports/contacts-to-erase.js';
import { eventsOfStreams } from './events-of-streams.js';

/** One line of the list that is stored beside backups: ids and keyed hashes, nothing that identifies a person. */
export const listedErasure = record({ account: text, erasure_id: text, contact_ids: list(text), address_keys: list(text), at: time });
export type ListedErasure = Static<typeof listedErasure>;

type ErasureDependencies = Pick<Application, 'dispatcher' | 'vault' | 'log'>;

async function runToCompletion({ dispatcher, vault }: ErasureDependencies, account: string, erasure_id: string): Promise<string> {
  await completeErasure(erasure_id, (command, input) => dispatcher.execute(command, input, operatorCause(account)), vault);
  return erasure_id;
}

/** Erases a contact with all contacts merged into it. Resolves with the erasure's id once all keys are destroyed. */
export async function eraseByContact(dependencies: ErasureDependencies, account: string, contact_id: string): Promise<string> {
  const { output } = await dependencies.dispatcher.execute(eraseContact, { contact_id }, operatorCause(account));
  return runToCompletion(dependencies, account, output.erasure_id);
}

/** Erases the contacts that have the address, or had it when they were deleted; without any, what is stored for the address itself. */
export async function eraseByAddress(dependencies: ErasureDependencies, account: string, address: string): Promise<string[]> {
  const address_keys = keysOfAddress(dependencies.vault, account, address);
  const contacts = await findContactsToErase(dependencies.log, address_keys);
  const erasureIds: string[] = [];
  for (const id of contacts) erasureIds.push(await eraseByContact(dependencies, account, id));
  return contacts.length > 0 ? erasureIds : [await eraseAddressKeys(dependencies, account, { address_keys })];
}

async function eraseAddressKeys(
  dependencies: ErasureDependencies,
  account: string,
  input: { address_keys: string[]; again?: string },
): Promise<string> {
  const { output } = await dependencies.dispatcher.execute(eraseAddresses, input, operatorCause(account));
  return runToCompletion(dependencies, account, output.erasure_id);
}

/** Every completed erasure, in the order of the log. */
export async function* completedErasures(log: EventLog): AsyncIterable<ListedErasure> {
  for await (const recorded of eventsOfStreams(log, ERASURES)) {
    if (recorded.type !== ErasureCompleted.name) continue;
    const { event, meta } = log.decode(recorded);
    yield { account: meta.account, ...(event.data as Omit<ListedErasure, 'account'>) };
  }
}

/**
 * Repeats an erasure on a log that was restored from an older backup: for every contact that exists there, and every
 * address. Returns false, and does nothing, if this log already has the erasure as completed.
 */
export async function repeatErasure(
  dependencies: ErasureDependencies,
  { account, erasure_id, contact_ids, address_keys }: ListedErasure,
): Promise<boolean> {
  const { status } = await loadErasure(dependencies.log, erasure_id);
  if (status === 'completed' || status === 'swept') return false;
  for (const id of contact_ids) {
    try {
      await eraseByContact(dependencies, account, id);
    } catch (e) {
      // The contact was created after the backup.
      if (!isDomainError(e) || e.code !== 'not_found') throw e;
    }
  }
  if (address_keys.length > 0) await eraseAddressKeys(dependencies, account, { address_keys, again: erasure_id });
  return true;
}
