import { changeCustomField, customFieldChange } from '../../commands/contacts/change-custom-field.js';
import { customFieldDefinition, defineCustomField, findField } from '../../commands/contacts/define-custom-field.js';
import { removeCustomField } from '../../commands/contacts/remove-custom-field.js';
import { customFieldResource, toCustomFieldResource } from '../../domain/contacts/custom-field-resource.js';
import { record, text } from '../../domain/kernel/schema.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const common = { tag: 'fields', limit: 'general' } as const;
const params = record({ id: text });

/** The custom fields of an account. There are at most 200, so they are read from the log. */
export function customFieldRoutes(services: Services): AnyRoute[] {
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [
    createCustomFieldRoute,
    listCustomFieldsRoute(services, cursors),
    getCustomFieldRoute(services),
    updateCustomFieldRoute,
    deleteCustomFieldRoute,
  ];
}

const createCustomFieldRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/custom-fields',
  operationId: 'createCustomField',
  summary: 'Define a custom field',
  description:
    'Key and type cannot be changed later. The value of a `unique` field is your own identifier of a contact. Values of a `pii` field are encrypted like names and addresses. An account has at most 200 fields.',
  access: 'write',
  body: customFieldDefinition,
  responses: { 201: { description: 'The new field.', schema: customFieldResource } },
  errors: ['conflict'],
  async handle({ body, execute }) {
    const { output } = await execute(defineCustomField, body);
    return { status: 201, body: output };
  },
});

const listCustomFieldsRoute = ({ log }: Services, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/custom-fields',
    operationId: 'listCustomFields',
    summary: 'List custom fields',
    access: 'read',
    query: record(timedPagingQuery()),
    responses: { 200: { description: 'The fields of the account.', schema: pageOf(customFieldResource) } },
    async handle(request) {
      const paging = cursors.read(request, 'custom_fields');
      const fields = await loadCustomFields(log, request.caller.account);
      const body = paging.pageOfAll([...fields.values()], ({ created_at, field_id }) => `${created_at}/${field_id}`, toCustomFieldResource);
      return { status: 200, body };
    },
  });

const getCustomFieldRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/custom-fields/:id',
    operationId: 'getCustomField',
    summary: 'Read a custom field',
    access: 'read',
    params,
    responses: { 200: { description: 'The field.', schema: customFieldResource } },
    errors: ['not_found'],
    handle: async ({ params: { id }, caller }) => ({
      status: 200,
      body: toCustomFieldResource(findField(await loadCustomFields(log, caller.account), id)),
    }),
  });

const updateCustomFieldRoute = route({
  ...common,
  method: 'PATCH',
  path: '/v1/custom-fields/:id',
  operationId: 'updateCustomField',
  summary: 'Change a custom field',
  description: 'Its label, and the values that are allowed from now on; `null` allows any value. Existing values of contacts stay.',
  access: 'write',
  params,
  body: customFieldChange,
  responses: { 200: { description: 'The field after the change.', schema: customFieldResource } },
  errors: ['not_found'],
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(changeCustomField, { field_id: id, ...body });
    return { status: 200, body: output };
  },
});

const deleteCustomFieldRoute = route({
  ...common,
  method: 'DELETE',
  path: '/v1/custom-fields/:id',
  operationId: 'deleteCustomField',
  summary: 'Remove a custom field',
  description:
    'Contacts no longer show it. Its key can be defined again, without the old values. Refused with `in_use` while segments or journeys name it; `used_by` says which. Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The field is removed.' } },
  errors: ['not_found', 'in_use', 'unavailable'],
  async handle({ params: { id }, execute }) {
    await execute(removeCustomField, { field_id: id });
    return { status: 204 };
  },
});
