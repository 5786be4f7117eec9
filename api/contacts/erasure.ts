import Type from 'typebox';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { erasureStatusSchema } from '../../domain/contacts/erasure.js';
import { named, record, text } from '../../domain/kernel/schema.js';
import { type AnyRoute, route } from '../http/route.js';
import { contactRouteDefaults } from './contacts.js';

const requestedErasure = named(
  'Erasure',
  record({
    erasure_id: text,
    status: erasureStatusSchema,
  }),
);

/** Erasure of contacts: makes their personal data unreadable, permanently. */
export const erasureRoutes: AnyRoute[] = [
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts/:id/erase',
    operationId: 'eraseContact',
    summary: 'Erase a contact',
    description:
      'Includes all contacts that are merged into it, and works for deleted contacts. Destroys the keys that encrypt its data and the data of every address it ever had: names, addresses, texts of messages, proofs, properties of events. It cannot be undone. From the response on, requests for the id return 410 `contact_erased`; waiting messages to it, and later messages to its addresses, are `suppressed` with the reason `erased`. For that only a keyed hash of each address is stored. An address that belongs to another contact by now is not erased. Values that are not personal (tags, locale, custom fields without `pii`, names of events) stay in the log without a reference to a person. A repeated request returns the same erasure.',
    access: 'write',
    params: record({
      id: Type.String({ minLength: 1, description: 'Contact id. The id of a merged contact erases the contact that it is merged into.' }),
    }),
    responses: {
      202: {
        description: '`running` until all keys are destroyed, usually for less than a second; then `completed`.',
        schema: requestedErasure,
      },
    },
    errors: ['not_found'],
    async handle({ params: { id }, execute }) {
      const { output } = await execute(eraseContact, { contact_id: id });
      return { status: 202, body: output };
    },
  }),
];
