import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { record, text } from '../../domain/kernel/schema.js';
import { readContact } from '../../queries/contacts/read-contact.js';
import { type AnyRoute, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { etag } from '../kernel/versions.js';
import { asOfWrite, common, contactParams, mergedIntoHeader } from './contacts.js';
import { mergedContact, unmergedContact } from './schemas.js';

/** Saying that two contacts are one person, and taking it back. */
export function mergingRoutes({ log }: Services): AnyRoute[] {
  const merge = route({
    ...common,
    method: 'POST',
    path: '/v1/contacts/:id/merge',
    operationId: 'mergeContacts',
    summary: 'Merge two contacts',
    description:
      'The older one stays, whichever is named; the other’s id answers with it from now on. Of values the one said last holds, tags unite, the more restrictive consent and membership holds, suppressions hold for both. `merge_id` takes it back.',
    access: 'write',
    params: contactParams,
    body: record({ source_contact_id: text }),
    responses: {
      200: {
        description: 'The contact that answers for both.',
        schema: mergedContact,
      },
    },
    errors: ['not_found', 'contact_erased'],
    async handle({ params: { id }, body, caller, execute }) {
      const executed = await execute(mergeContact, { contact_id: id, ...body });
      const { contact_id, merge_id } = executed.output;
      const { resource } = await readContact(log, caller.account, contact_id, asOfWrite(executed));
      return {
        status: 200,
        body: { contact: resource, merge_id },
        headers: etag(resource.version),
        ...mergedIntoHeader(contact_id === id ? null : contact_id),
      };
    },
  });

  const unmerge = route({
    ...common,
    method: 'POST',
    path: '/v1/contacts/:id/unmerge',
    operationId: 'unmergeContacts',
    summary: 'Take a merge back',
    description:
      'Both contacts are as if they had never been merged; what was said since is with the side of whose address or id it was said. The timeline names the merges of a contact. Doing so twice is no error.',
    access: 'write',
    params: contactParams,
    body: record({ merge_id: text }),
    responses: {
      200: {
        description: 'The two contacts.',
        schema: unmergedContact,
      },
    },
    errors: ['not_found', 'contact_erased'],
    async handle({ params: { id }, body, caller, execute }) {
      const executed = await execute(unmergeContact, { contact_id: id, ...body });
      const { contact_id, released_id } = executed.output;
      const until = asOfWrite(executed);
      const [contact, released] = await Promise.all([contact_id, released_id].map((one) => readContact(log, caller.account, one, until)));
      return { status: 200, body: { contact: contact?.resource, released: released?.resource } };
    },
  });

  return [merge, unmerge];
}
