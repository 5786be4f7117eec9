import Type from 'typebox';
import { changeForm } from '../../commands/forms/change-form.js';
import { createForm } from '../../commands/forms/create-form.js';
import { deleteForm } from '../../commands/forms/delete-form.js';
import { changeFormInput, createFormInput } from '../../commands/forms/form-input.js';
import { formStatusSchema } from '../../domain/forms/definition.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { loadForm } from '../../log/aggregates/forms/load-form.js';
import { forms } from '../../projections/forms/projection.js';
import type { FormQueries } from '../../projections/forms/queries.js';
import { type Cursors, countedQuery, pageOf, pagingQuery, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { formResource, formSummary, formVersionSummary, shownResource } from './schemas.js';

const common = { tag: 'forms', limit: 'general' } as const;
const params = record({ id: text });

/** The forms of an account. A single one is read from the log. */
export function formResourceRoutes(services: Services, queries: FormQueries, cursors: Cursors): AnyRoute[] {
  return [
    listFormsRoute(queries, cursors),
    getFormRoute(services),
    listFormVersionsRoute(services, queries, cursors),
    createFormRoute(services),
    updateFormRoute(services),
    deleteFormRoute,
  ];
}

const listFormsRoute = (queries: FormQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/forms',
    operationId: 'listForms',
    summary: 'List the forms',
    access: 'read',
    query: record({ ...timedPagingQuery(), ...countedQuery, status: optional(formStatusSchema) }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(formSummary) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(forms.name);
      const { range, pageOfItems, total } = cursors.read(request, 'forms');
      const found = await queries.forms(request.caller.account, request.query.status, range);
      const page = pageOfItems(found, ({ id, name, slug, status, version, created_at, updated_at }) => ({
        ...{ id, name, slug, status, version, created_at, updated_at },
      }));
      const counted = await total((all) => queries.count(request.caller.account, request.query.status, all));
      return { status: 200, body: { ...page, ...counted } };
    },
  });

const getFormRoute = (services: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/forms/:id',
    operationId: 'getForm',
    summary: 'Read a form',
    access: 'read',
    params,
    query: record({ version: optional(Type.Integer({ minimum: 1, description: 'The version to read. Default: the latest.' })) }),
    responses: { 200: { description: 'The form.', schema: formResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, query: { version } }) {
      const found = await loadForm(services.log, caller.account, id, { version });
      return { status: 200, body: shownResource(found, services.publicUrl), headers: etag(found.version) };
    },
  });

const listFormVersionsRoute = ({ log }: Services, queries: FormQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/forms/:id/versions',
    operationId: 'listFormVersions',
    summary: 'List the versions of a form',
    description: '`GET /v1/forms/:id?version=` shows any of them.',
    access: 'read',
    params,
    query: record(pagingQuery),
    responses: { 200: { description: 'Newest first.', schema: pageOf(formVersionSummary) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      await request.consistent(forms.name);
      await loadForm(log, request.caller.account, request.params.id);
      const { range, pageOfItems } = cursors.read(request, 'form-versions');
      const found = await queries.versions(request.params.id, range);
      return { status: 200, body: pageOfItems(found, ({ version, name, status, created_at }) => ({ version, name, status, created_at })) };
    },
  });

const createFormRoute = (services: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/forms',
    operationId: 'createForm',
    summary: 'Create a form',
    description:
      'Its page is at `/f/<slug>` as soon as its `status` is `live`. Texts may contain links: `[privacy](https://example.com/privacy)`. Written in the language of the account; `texts` has other languages.',
    access: 'write',
    body: createFormInput,
    responses: { 201: { description: 'The form.', schema: formResource } },
    errors: ['conflict'],
    async handle({ body, execute }) {
      const { output } = await execute(createForm, body);
      return { status: 201, body: shownResource(output, services.publicUrl), headers: etag(output.version) };
    },
  });

const updateFormRoute = (services: Services) =>
  route({
    ...common,
    method: 'PATCH',
    path: '/v1/forms/:id',
    operationId: 'updateForm',
    summary: 'Update a form',
    description: 'Makes a new version. Each field that is given takes the place of the former one.',
    access: 'write',
    params,
    body: changeFormInput,
    responses: { 200: { description: 'The form after the change.', schema: formResource } },
    errors: ['not_found', 'version_conflict', 'conflict'],
    async handle({ params: { id }, body, headers, execute }) {
      const { output } = await execute(changeForm, { form_id: id, change: body, expected: ifMatch(headers) });
      return { status: 200, body: shownResource(output, services.publicUrl), headers: etag(output.version) };
    },
  });

const deleteFormRoute = route({
  ...common,
  method: 'DELETE',
  path: '/v1/forms/:id',
  operationId: 'deleteForm',
  summary: 'Delete a form',
  description: 'Its page is gone, and another form may take its slug. Its submissions can no longer be listed. Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The form is deleted.' } },
  errors: ['not_found', 'conflict'],
  async handle({ params: { id }, execute }) {
    await execute(deleteForm, { form_id: id });
    return { status: 204 };
  },
});
