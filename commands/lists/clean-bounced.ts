import { record, text } from '../../domain/kernel/schema.js';
import { cleaning, cleaningStream } from '../../domain/lists/cleaning.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { type Context, command } from '../runtime/command.js';

/**
 * Sets the memberships of a hard-bounced contact to `cleaned`, where they are subscribed or pending. Without effect if the
 * contact has another email address by now. Can be repeated after a crash.
 */
export const cleanBounced = command({
  name: 'CleanBounced',
  input: record({ bounce_id: text, address_key: text }),

  async handle({ bounce_id, address_key }, context): Promise<void> {
    const { contact_id, list_ids } = await cleanLists(address_key, context);
    const record = { type: 'RecordCleaning', bounce_id, address_key, contact_id, list_ids, at: context.now } as const;
    await context.decide(cleaning, cleaningStream(bounce_id), record);
  },
});

async function cleanLists(address_key: string, context: Context): Promise<{ contact_id: string | null; list_ids: string[] }> {
  const [claim] = await loadClaims(context, [{ name: 'email', key: address_key }]);
  if (!claim?.holder) return { contact_id: null, list_ids: [] };
  const contact_id = claim.holder.id;
  const root = await loadRoot(context.log, claim.holder);
  if (root.state.status !== 'active') return { contact_id, list_ids: [] };
  const whole = await unifyContact(context.log, root);
  if (whole.facts.keys.email?.value !== address_key) return { contact_id, list_ids: [] };
  const memberships = await loadUnifiedMemberships(context.log, whole);
  const list_ids = Object.keys(memberships);
  for (const list_id of list_ids) {
    const clean = { type: 'Clean', contact_id, list_id, source: 'bounce', unified: memberships, now: context.now } as const;
    await context.decide(membership, membershipStream(contact_id), clean);
  }
  return { contact_id, list_ids };
}
