import Type from 'typebox';
import { changeImport } from '../../commands/contacts/change-import.js';
import { record } from '../../domain/kernel/schema.js';
import { findImport } from '../../log/aggregates/contacts/load-import.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { listedImport, loadProblems, readImport } from '../../projections/contacts/imports.js';
import { jobs } from '../../projections/jobs/projection.js';
import { type JobQueries, jobQueries } from '../../projections/jobs/queries.js';
import { Cursors, pageOf, pagingQuery, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { contactRouteDefaults } from './contacts.js';
import { importResource, importRowProblem } from './import-schemas.js';

const params = record({ id: Type.String({ minLength: 1, description: 'Id of the import.' }) });
/** Errors that an import shows itself; the complete list is a resource of its own. */
const MAX_SHOWN_ERRORS = 100;

/** Import jobs. */
export function importJobRoutes(services: Services): AnyRoute[] {
  const queries = jobQueries(services.views);
  const cursors = new Cursors(services.purposeKey('cursor'));
  return [
    listContactImportsRoute(queries, cursors),
    getContactImportRoute(services),
    listContactImportErrorsRoute(services, cursors),
    cancelContactImportRoute(services),
    revertContactImportRoute(services),
  ];
}

const listContactImportsRoute = (queries: JobQueries, cursors: Cursors) =>
  route({
    ...contactRouteDefaults,
    method: 'GET',
    path: '/v1/contacts/imports',
    operationId: 'listContactImports',
    summary: 'List imports',
    description: 'Also those that were done before their request was answered. `errors` is empty here: `error_count` has their number.',
    access: 'read',
    query: record(timedPagingQuery()),
    responses: { 200: { description: 'Newest first.', schema: pageOf(importResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { account } = request.caller;
      const { range, pageOfItems } = cursors.read(request, 'imports');
      await request.consistent(jobs.name);
      return { status: 200, body: pageOfItems(await queries.imports(account, range), listedImport) };
    },
  });

const getContactImportRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'GET',
    path: '/v1/contacts/imports/:id',
    operationId: 'getContactImport',
    summary: 'Read an import',
    description: `Progress and results, from the log, with the first ${MAX_SHOWN_ERRORS} errors.`,
    access: 'read',
    params,
    responses: { 200: { description: 'The import.', schema: importResource } },
    errors: ['not_found'],
    handle: ({ params: { id }, caller }) => show(log, caller.account, id),
  });

const listContactImportErrorsRoute = ({ log }: Services, cursors: Cursors) =>
  route({
    ...contactRouteDefaults,
    method: 'GET',
    path: '/v1/contacts/imports/:id/errors',
    operationId: 'listContactImportErrors',
    summary: 'List the errors of an import',
    description:
      'All errors, in the order of the rows. If a group of some thousand rows has more than two errors per row, only the first two of each row are listed.',
    access: 'read',
    params,
    query: record({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    responses: {
      200: {
        description: 'In order of rows.',
        schema: pageOf(importRowProblem),
      },
    },
    errors: ['not_found', 'invalid_cursor'],
    async handle({ params: { id }, caller, query }) {
      const found = await findImport(log, caller.account, id);
      const { after, take, page } = cursors.read({ caller, params: { id }, query: { ...query, order: 'asc' } }, 'import-errors');
      const from = after === null ? null : { chunk: Number(after[0]), nth: Number(after[1]) };
      const rows = await loadProblems(log, found, from, take);
      const body = page(
        rows,
        ({ chunk, nth }) => [chunk, nth],
        ({ problem }) => problem,
      );
      return { status: 200, body };
    },
  });

const cancelContactImportRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts/imports/:id/cancel',
    operationId: 'cancelContactImport',
    summary: 'Cancel an import',
    description:
      'Rows in flight are still processed, at most a few hundred; `processed` has the final number. Their changes stay unless the import is reverted.',
    access: 'write',
    params,
    responses: { 200: { description: 'The import.', schema: importResource } },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, caller, execute }) {
      await execute(changeImport, { import_id: id, change: 'Cancel' });
      return show(log, caller.account, id);
    },
  });

const revertContactImportRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts/imports/:id/revert',
    operationId: 'revertContactImport',
    summary: 'Revert an import',
    description:
      'Contacts that it created and that were not changed since are deleted. Its merges are undone. For contacts that existed before, values that were not changed since are restored, memberships that it added end, and consents that it added are withdrawn. Everything else stays: `reverted` has the counts.',
    access: 'write',
    params,
    responses: { 202: { description: 'The revert has started.', schema: importResource } },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, caller, execute }) {
      await execute(changeImport, { import_id: id, change: 'Revert' });
      return { ...(await show(log, caller.account, id)), status: 202 };
    },
  });

const show = async (log: EventLog, account: string, id: string) => ({
  status: 200,
  body: await readImport(log, await findImport(log, account, id), MAX_SHOWN_ERRORS),
});
