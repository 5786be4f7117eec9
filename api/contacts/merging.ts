import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { record, text } from '../../domain/kernel/schema.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag } from '../http/versions.js';
import { asOfWrite, contactParams, contactRouteDefaults, mergedIntoHeader } from './contacts.js';
import { mergedContact, unmergedContact } from './schemas.js';

/** Merging two contacts, and undoing it. */
export function mergingRoutes(services: Services): AnyRoute[] {
  return [mergeContactsRoute(services), unmergeContactsRoute(services)];
}

const mergeContactsRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts/:id/merge',
    operationId: 'mergeContacts',
    summary: 'Merge two contacts',
    description:
      'The older one survives, whichever is named; the other’s id returns it from now on. The latest values win, tags are united, the more restrictive consent and membership counts, suppressions apply to both. `merge_id` undoes it.',
    access: 'write',
    params: contactParams,
    body: record({ source_contact_id: text }),
    responses: {
      200: {
        description: 'The surviving contact.',
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

const unmergeContactsRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts/:id/unmerge',
    operationId: 'unmergeContacts',
    summary: 'Undo a merge',
    description:
      'Both contacts are as if they had never been merged; changes since then belong to the contact whose address or id they named. The timeline lists the merges of a contact. Repeating it is not an error.',
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
