import { changeList } from '../../commands/lists/change-list.js';
import { createList } from '../../commands/lists/create-list.js';
import { deleteList } from '../../commands/lists/delete-list.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { lists } from '../../projections/lists/projection.js';
import type { ListQueries } from '../../projections/lists/queries.js';
import { type Cursors, countedQuery, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { listDescription, listName, listResource, optInField, optInWithDefault } from './schemas.js';

const common = { tag: 'lists', limit: 'general' } as const;
const params = record({ id: text });

/** The lists of an account. A single list is read from the log; the number of its members from the read model. */
export function listResourceRoutes(services: Services, queries: ListQueries, cursors: Cursors): AnyRoute[] {
  return [listListsRoute(queries, cursors), getListRoute(services, queries), createListRoute(queries), updateListRoute(queries), deleteListRoute];
}

const listListsRoute = (queries: ListQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/lists',
    operationId: 'listLists',
    summary: 'List the lists',
    access: 'read',
    query: record({ ...timedPagingQuery(), ...countedQuery }),
    responses: {
      200: { description: 'Newest first.', schema: pageOf(listResource) },
    },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(lists.name);
      const { range, pageOfItems, total } = cursors.read(request, 'lists');
      const found = await queries.lists(request.caller.account, range);
      return {
        status: 200,
        body: {
          ...pageOfItems(found, ({ id, name, description, opt_in, counts, created_at, updated_at, version }) => ({
            ...{ id, name, description, opt_in, counts, created_at, updated_at, version },
          })),
          ...(await total((counted) => queries.countLists(request.caller.account, counted))),
        },
      };
    },
  });

const getListRoute = ({ log }: Services, queries: ListQueries) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/lists/:id',
    operationId: 'getList',
    summary: 'Read a list',
    access: 'read',
    params,
    responses: { 200: { description: 'The list.', schema: listResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent }) {
      await consistent(lists.name);
      const list = await loadList(log, caller.account, id);
      return { status: 200, body: await shown(queries, list), headers: etag(list.version) };
    },
  });

const createListRoute = (queries: ListQueries) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/lists',
    operationId: 'createList',
    summary: 'Create a list',
    access: 'write',
    body: record({ name: listName, description: optional(listDescription), opt_in: optInWithDefault }),
    responses: { 201: { description: 'The list.', schema: listResource } },
    errors: ['conflict'],
    async handle({ body: { name, description = null, opt_in = 'single' }, execute }) {
      const { output } = await execute(createList, { name, description, opt_in });
      return { status: 201, body: await shown(queries, output), headers: etag(output.version) };
    },
  });

const updateListRoute = (queries: ListQueries) =>
  route({
    ...common,
    method: 'PATCH',
    path: '/v1/lists/:id',
    operationId: 'updateList',
    summary: 'Update a list',
    description: 'Another `opt_in` applies to contacts that are added later.',
    access: 'write',
    params,
    body: record({ name: optional(listName), description: optional(listDescription), opt_in: optional(optInField) }),
    responses: { 200: { description: 'The list after the change.', schema: listResource } },
    errors: ['not_found', 'version_conflict', 'conflict'],
    async handle({ params: { id }, body, headers, execute, consistent }) {
      const { output } = await execute(changeList, { list_id: id, change: body, expected: ifMatch(headers) });
      await consistent(lists.name);
      return { status: 200, body: await shown(queries, output), headers: etag(output.version) };
    },
  });

const deleteListRoute = route({
  ...common,
  method: 'DELETE',
  path: '/v1/lists/:id',
  operationId: 'deleteList',
  summary: 'Delete a list',
  description:
    'The list has no members any more, and its confirmation links have no effect. Refused with `in_use` while segments or journeys name it; `used_by` says which. Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The list is deleted.' } },
  errors: ['not_found', 'in_use', 'conflict', 'unavailable'],
  async handle({ params: { id }, execute }) {
    await execute(deleteList, { list_id: id });
    return { status: 204 };
  },
});

const shown = async (queries: ListQueries, list: ListDetails) => ({ ...list, counts: await queries.counts(list.id) });
