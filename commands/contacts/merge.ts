import { type ContactEvent, contact, contactStream, type ExistingContact, survivorOf } from '../../domain/contacts/contact.js';
import { type LoadedContact, loadContact } from '../../log/contacts/load-contact.js';
import { hashId } from '../../log/ids.js';
import { tryAppend } from '../append.js';
import type { Context } from '../kernel.js';

/**
 * Merges the younger of two contacts into the older, both of which answer as themselves. Each step can be repeated: the
 * younger's stream says what holds, and a crash before the older has learnt of it is made good by a process. Resolves with
 * the merge's id, or null where somebody else was faster and it has to be looked at again.
 */
export async function mergeContacts(context: Context, one: LoadedContact, other: LoadedContact, because: 'row' | 'request'): Promise<string | null> {
  const [a, b] = [one.state as ExistingContact, other.state as ExistingContact];
  const survivor = survivorOf(a, b);
  const [into, absorbed] = survivor === a ? [one, other] : [other, one];
  const merge_id = hashId('evt', absorbed.id, into.id, absorbed.revision);
  const merge = contact.decide({ type: 'Merge', into: into.id, merge_id, because, now: context.now }, absorbed.state);
  if (merge.length === 0 || !(await tryAppend(context, contactStream(absorbed.id), absorbed.revision, merge))) return null;
  await absorb(context, into, absorbed.id, merge_id);
  return merge_id;
}

/**
 * Lets the older know. The link holds already, so it is not given up because others change the older at the same moment.
 * Where the older was deleted at that very moment the link is taken away: the younger is nobody's part.
 */
export async function absorb(context: Context, into: LoadedContact, absorbed: string, merge_id: string): Promise<void> {
  for (let known = into; ; known = await loadContact(context.log, into.id)) {
    if (known.state.status === 'deleted' || known.state.status === 'erased') return unlink(context, absorbed, merge_id);
    const events = contact.decide({ type: 'Absorb', absorbed, merge_id, now: context.now }, known.state);
    if (events.length === 0 || (await tryAppend(context, contactStream(into.id), known.revision, events))) return;
  }
}

/** The contact as which another one answers. A link on the way that the older has not learnt of is completed first. */
export async function completeLinksToRoot(context: Context, of: LoadedContact): Promise<LoadedContact> {
  const { log } = context;
  let at = of;
  while (at.state.status === 'merged') {
    const { merge_id } = at.state;
    const into = await loadContact(log, at.state.into);
    const known = into.state.status !== 'new' && into.state.parts.some((part) => part.merge_id === merge_id);
    if (known) at = into;
    else {
      await absorb(context, into, at.id, merge_id);
      at = await loadContact(log, at.id);
    }
  }
  return at;
}

/** Takes a link away: from now on the one that was merged answers for itself again. */
export const unlink = (context: Context, absorbed: string, merge_id: string): Promise<void> =>
  decideOnContact(context, absorbed, { type: 'Unmerge', merge_id, now: context.now });

/** Lets the older know that a link was taken away. */
export const release = (context: Context, from: string, absorbed: string, merge_id: string): Promise<void> =>
  decideOnContact(context, from, { type: 'Release', absorbed, merge_id, now: context.now });

async function decideOnContact(context: Context, id: string, command: Parameters<typeof contact.decide>[0]): Promise<void> {
  for (;;) {
    const { state, revision } = await loadContact(context.log, id);
    const events: readonly ContactEvent[] = contact.decide(command, state);
    if (events.length === 0 || (await tryAppend(context, contactStream(id), revision, events))) return;
  }
}
