/**
 * Which keys may write to a contact: test keys to those that only test keys have written, live ones to all, which makes them live. It is
 * not in `commands/contacts`, because that imports lists, which apply this rule.
 */
import { type ContactSource, contact, contactStream, liveContact } from '../../domain/contacts/contact.js';
import { emptyPatch } from '../../domain/contacts/facts.js';
import { type FoundContact, loadContact } from '../../log/aggregates/contacts/load-contact.js';
import { toExpected } from './append.js';
import type { Context } from './command.js';

/** Whether the command is of a test key, and the contact is live. */
export const isLiveForTest = ({ cause }: Pick<Context, 'cause'>, { root: { state } }: FoundContact): boolean =>
  cause.test === true && !(state.status === 'active' && state.test);

/**
 * Records that a request names a contact by its id: a test contact is live from then on, and a device that has made a contact without a
 * proof does not speak for it any more. Nothing is recorded for any other contact, nor for a test key or a process, which follows
 * what is on record. Upserts do so by themselves. `source` is `push` for a device that has not made the contact.
 */
export async function recordNaming(context: Context, { root: { id, state } }: FoundContact, source: ContactSource = 'api'): Promise<void> {
  const { log, cause, now } = context;
  if (cause.test || cause.actor.kind === 'process' || state.status !== 'active' || !(state.test || state.onlyByDevice)) return;
  const update = { type: 'Update', contact_id: id, patch: emptyPatch, byOtherDevice: true, source, import_id: null, now } as const;
  await context.attempt(
    () => loadContact(log, id),
    ({ state: latest, revision }) => {
      const events = latest.status === 'active' ? contact.decide(update, latest) : [];
      return { appends: events.length === 0 ? [] : [{ stream: contactStream(id), expected: toExpected(revision), events }], result: undefined };
    },
  );
}

/** For commands about a contact beside its own fields. Throws `forbidden` where it is live and the command is of a test key. */
export async function requireMode(context: Context, found: FoundContact): Promise<void> {
  if (isLiveForTest(context, found)) throw liveContact(found.root.id);
  await recordNaming(context, found);
}
