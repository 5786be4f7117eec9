import Type from 'typebox';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { erasureStatusSchema } from '../../domain/contacts/erasure.js';
import { named, record, text } from '../../domain/kernel/schema.js';
import { type AnyRoute, route } from '../kernel/route.js';
import { common } from './contacts.js';

const requestedErasure = named(
  'Erasure',
  record({
    erasure_id: text,
    status: erasureStatusSchema,
  }),
);

/** Making what is known of a person unreadable, for good. */
export const erasureRoutes: AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: '/v1/contacts/:id/erase',
    operationId: 'eraseContact',
    summary: 'Erase a contact',
    description:
      'With all that is merged into it, also one that was deleted. Destroys the keys of everything that is sealed for it and for every address it ever had: names, addresses, texts of messages, proofs, properties of events. There is no way back. From the answer on the id is answered with 410 `contact_erased`; what is queued for it, and whatever is sent to its addresses later, is `suppressed` with the reason `erased`, by a keyed hash that does not tell the address. An address that another contact has now is left to that contact. Values that are not personal (tags, locale, custom fields without `pii`, names of events) stay in the log, of nobody. Asked again, the answer is the same erasure.',
    access: 'write',
    params: record({ id: Type.String({ minLength: 1, description: 'Contact id. One that was merged stands for the contact it was merged into.' }) }),
    responses: {
      202: {
        description: '`running` until all keys are destroyed, which takes a moment; then `completed`.',
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
