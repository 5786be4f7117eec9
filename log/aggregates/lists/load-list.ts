import { contactList, type ListDetails, type ListEvent, listStream, toListDetails } from '../../../domain/lists/list.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadOwn } from '../load-aggregate.js';

/** A list of an account. Throws `not_found` if there is none or, unless `includeDeleted`, if it is deleted. */
export async function loadList(log: EventLog, account: string, id: string, { includeDeleted = false } = {}): Promise<ListDetails> {
  return toListDetails((await loadOwn(log, contactList, account, id, { includeDeleted })).state);
}

/** The account that owns a list, or null. For routes without credentials. */
export async function loadListAccount(log: EventLog, id: string): Promise<string | null> {
  const [first] = (await log.read<ListEvent>(listStream(id), { limit: 1 })) ?? [];
  return first?.meta.account ?? null;
}
