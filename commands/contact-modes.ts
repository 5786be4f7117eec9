/** Which keys may write to a contact: test keys to those that only test keys have written, live ones to all, which makes them live. */
import { type ContactSource, contact, contactStream, liveContact } from '../domain/contacts/contact.js';
import { emptyPatch } from '../domain/contacts/facts.js';
import type { FoundContact } from '../log/contacts/find-contact.js';
import type { Context } from './kernel.js';

const isOfTestKeys = ({ root }: FoundContact): boolean => root.state.status === 'active' && root.state.test;

/** Whether the command is of a test key, and the contact is live. */
export const isLiveForTest = ({ cause }: Pick<Context, 'cause'>, found: FoundContact): boolean => cause.test === true && !isOfTestKeys(found);

/** Records that a test contact is live, where the command is of no test key. */
export async function makeLive(context: Context, found: FoundContact, source: ContactSource = 'api'): Promise<void> {
  if (context.cause.test || context.cause.actor.kind === 'process' || !isOfTestKeys(found)) return;
  const { id } = found.root;
  const update = { type: 'Update', contact_id: id, patch: emptyPatch, source, import_id: null, now: context.now } as const;
  await context.decide(contact, contactStream(id), update);
}

/** For commands about a contact beside its own fields. Throws `forbidden` where it is live and the command is of a test key. */
export async function requireMode(context: Context, found: FoundContact): Promise<void> {
  if (isLiveForTest(context, found)) throw liveContact(found.root.id);
  await makeLive(context, found);
}
