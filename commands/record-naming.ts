import { type ContactSource, contact, contactStream } from '../domain/contacts/contact.js';
import { emptyPatch } from '../domain/contacts/facts.js';
import { type LoadedContact, loadContact } from '../log/contacts/load-contact.js';
import { toExpected } from './append.js';
import type { Context } from './kernel.js';

/**
 * Records that a request names a contact by its id, so that a device which has made the contact without a proof does not speak for it
 * any more. Nothing is recorded for any other contact, nor by a process, which follows what is on record. Upserts do so by themselves.
 * `source` is `push` for a device that has not made the contact.
 */
export async function recordNaming(context: Context, { id, state }: LoadedContact, source: ContactSource): Promise<void> {
  if (state.status === 'new' || !state.onlyByDevice || context.cause.actor.kind === 'process') return;
  const update = { type: 'Update', contact_id: id, patch: emptyPatch, byOtherDevice: true, source, import_id: null, now: context.now } as const;
  await context.attempt(
    () => loadContact(context.log, id),
    ({ state: now, revision }) => {
      const events = now.status === 'active' ? contact.decide(update, now) : [];
      return { appends: events.length === 0 ? [] : [{ stream: contactStream(id), expected: toExpected(revision), events }], result: undefined };
    },
  );
}
