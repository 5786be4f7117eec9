import { deletePartial } from '../../commands/templates/delete-partial.js';
import { storePartial } from '../../commands/templates/store-partial.js';
import { notFound } from '../../domain/kernel/errors.js';
import { record, text } from '../../domain/kernel/schema.js';
import { findPartial } from '../../log/aggregates/templates/load-template.js';
import { templates } from '../../projections/templates/projection.js';
import type { TemplateQueries } from '../../projections/templates/queries.js';
import { type Cursors, oldestFirst, pageOf, pagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { partialResource, partialSummary, storePartialRequest } from './schemas.js';

const common = { tag: 'templates', limit: 'general' } as const;
const params = record({ key: text });

/** Parts that the templates of an account have in common. */
export function partialRoutes(services: Services, queries: TemplateQueries, cursors: Cursors): AnyRoute[] {
  return [storeTemplatePartialRoute, listTemplatePartialsRoute(queries, cursors), getTemplatePartialRoute(services), deleteTemplatePartialRoute];
}

const storeTemplatePartialRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/template-partials',
  operationId: 'storeTemplatePartial',
  summary: 'Store a partial',
  description:
    'Templates include it by `{% render "key" %}`. One with the same key is replaced, and messages that are made from then on have the new one.',
  access: 'write',
  body: storePartialRequest,
  responses: { 200: { description: 'The partial.', schema: partialResource } },
  errors: ['conflict'],
  async handle({ body, execute }) {
    const { output } = await execute(storePartial, body);
    return { status: 200, body: output };
  },
});

const listTemplatePartialsRoute = (queries: TemplateQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/template-partials',
    operationId: 'listTemplatePartials',
    summary: 'List the partials',
    description: 'Without their source.',
    access: 'read',
    query: record({ ...pagingQuery, ...oldestFirst }),
    responses: { 200: { description: 'In the order of their keys.', schema: pageOf(partialSummary) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(templates.name);
      const { range, pageOfItems } = cursors.read(request, 'template-partials');
      const found = await queries.partials(request.caller.account, range);
      return { status: 200, body: pageOfItems(found, ({ key, version, updated_at }) => ({ key, version, updated_at })) };
    },
  });

const getTemplatePartialRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/template-partials/:key',
    operationId: 'getTemplatePartial',
    summary: 'Read a partial',
    access: 'read',
    params,
    responses: { 200: { description: 'The partial.', schema: partialResource } },
    errors: ['not_found'],
    async handle({ caller, params: { key } }) {
      const found = await findPartial(log, caller.account, key);
      if (!found) throw notFound('template_partial', key);
      return { status: 200, body: found };
    },
  });

const deleteTemplatePartialRoute = route({
  ...common,
  method: 'DELETE',
  path: '/v1/template-partials/:key',
  operationId: 'deleteTemplatePartial',
  summary: 'Delete a partial',
  description: 'Templates that include it render no more until it is stored again. Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The partial is deleted.' } },
  errors: ['conflict'],
  async handle({ params: { key }, execute }) {
    await execute(deletePartial, { key });
    return { status: 204 };
  },
});
