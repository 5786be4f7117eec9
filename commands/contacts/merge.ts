import { contact, contactStream, type KnownContact, survivorOf } from '../../domain/contacts/contact.js';
import { hashId } from '../../log/ids.js';
import type { Context } from '../kernel.js';
import { appendAt } from './claims.js';
import { type LoadedContact, loadContact } from './contact-tree.js';

/**
 * Merges the younger of two contacts into the older, both of which answer as themselves. Each step can be repeated: the
 * younger's stream says what holds, and a crash before the older has learnt of it is made good by a process. Resolves with
 * the merge's id, or null where somebody else was faster and it has to be looked at again.
 */
export async function mergeContacts(context: Context, one: LoadedContact, other: LoadedContact, because: 'row' | 'request'): Promise<string | null> {
  const [a, b] = [one.state as KnownContact, other.state as KnownContact];
  const survivor = survivorOf(a, b);
  const [into, absorbed] = survivor === a ? [one, other] : [other, one];
  const merge_id = hashId('evt', absorbed.id, into.id, absorbed.revision);
  const merge = contact.decide({ type: 'Merge', into: into.id, merge_id, because, now: context.now }, absorbed.state);
  if (merge.length === 0 || !(await appendAt(context, contactStream(absorbed.id), absorbed.revision, merge))) return null;
  await absorb(context, into, absorbed.id, merge_id);
  return merge_id;
}

/** Lets the older know. The link holds already, so it is not given up because others change the older at the same moment. */
export async function absorb(context: Context, into: LoadedContact, absorbed: string, merge_id: string): Promise<void> {
  for (let known = into; ; known = await loadContact(context.log, into.id)) {
    const events = contact.decide({ type: 'Absorb', absorbed, merge_id, now: context.now }, known.state);
    if (events.length === 0 || (await appendAt(context, contactStream(into.id), known.revision, events))) return;
  }
}
