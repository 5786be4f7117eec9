import { type ContactCommand, contact, contactStream, type ExistingContact, survivorOf } from '../../domain/contacts/contact.js';
import { type LoadedContact, loadContact, loadPath } from '../../log/aggregates/contacts/load-contact.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import { toExpected } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';

/** The append that a command to a contact leads to, at the revision that was loaded; none if nothing changes. */
export function appendsTo({ id, state, revision }: LoadedContact, command: ContactCommand): EventAppend[] {
  const events = contact.decide(command, state);
  return events.length === 0 ? [] : [{ stream: contactStream(id), expected: toExpected(revision), events }];
}

/** Merges the younger of two contacts into the older. No append if the younger one is no longer active. */
export function planMerge(
  one: LoadedContact,
  other: LoadedContact,
  because: 'row' | 'request',
  now: string,
): { readonly appends: readonly EventAppend[]; readonly merge_id: string; readonly absorbed: string } {
  const survivor = survivorOf(one.state as ExistingContact, other.state as ExistingContact);
  const [into, absorbed] = survivor === one.state ? [one, other] : [other, one];
  const merge_id = hashId('evt', absorbed.id, into.id, absorbed.revision);
  return { appends: appendsTo(absorbed, { type: 'Merge', into: into.id, merge_id, because, now }), merge_id, absorbed: absorbed.id };
}

/**
 * Completes the first half-made link on a path from a contact to its root: one that the absorbed contact has recorded and the
 * absorbing one has not. If the absorbing contact is deleted or erased, the link is removed instead. None if all are complete.
 */
export function completeLinks(path: readonly LoadedContact[], now: string): EventAppend[] {
  for (const [i, absorbed] of path.entries()) {
    const into = path[i + 1];
    if (!into || absorbed.state.status !== 'merged') return [];
    const { merge_id } = absorbed.state;
    if (into.state.status !== 'new' && into.state.parts.some((part) => part.merge_id === merge_id)) continue;
    const gone = into.state.status === 'deleted' || into.state.status === 'erased';
    return gone ? appendsTo(absorbed, { type: 'Unmerge', merge_id, now }) : appendsTo(into, { type: 'Absorb', absorbed: absorbed.id, merge_id, now });
  }
  return [];
}

/** The root of a contact, after every link on the way to it is complete. */
export const completeLinksToRoot = (context: Context, id: string): Promise<LoadedContact> =>
  context.attempt<readonly LoadedContact[], LoadedContact>(
    async () => loadPath(context.log, await loadContact(context.log, id)),
    (path) => {
      const appends = completeLinks(path, context.now);
      return appends.length > 0 ? { appends } : { appends, result: path.at(-1) as LoadedContact };
    },
  );

/** Completes the link between two contacts and no other, so that each interrupted merge is completed once. */
export const completeLinkOf = (context: Context, absorbed: string, into: string): Promise<void> =>
  context.attempt(
    () => Promise.all([absorbed, into].map((id) => loadContact(context.log, id))),
    (pair) => {
      const linked = pair[0]?.state.status === 'merged' && pair[0].state.into === into;
      const appends = linked ? completeLinks(pair, context.now) : [];
      return appends.length > 0 ? { appends } : { appends, result: undefined };
    },
  );

/** Removes a link from both contacts: the absorbed one answers for itself again. */
export const removeLink = (context: Context, from: string, absorbed: string, merge_id: string): Promise<void> =>
  context.attempt(
    () => Promise.all([absorbed, from].map((id) => loadContact(context.log, id)) as [Promise<LoadedContact>, Promise<LoadedContact>]),
    ([part, into]) => ({
      appends: [
        ...appendsTo(part, { type: 'Unmerge', merge_id, now: context.now }),
        ...appendsTo(into, { type: 'Release', absorbed, merge_id, now: context.now }),
      ],
      result: undefined,
    }),
  );
