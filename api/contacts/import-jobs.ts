import Type from 'typebox';
import { changeImport } from '../../commands/contacts/change-import.js';
import { record } from '../../domain/kernel/schema.js';
import { findImport } from '../../log/contacts/load-import.js';
import { loadProblems, type ProblemWithCursor, readImport } from '../../queries/contacts/imports.js';
import { Cursors, pageOf, pagingQuery } from '../kernel/paging.js';
import { type AnyRoute, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { common } from './contacts.js';
import { importResource, importRowProblem } from './import-schemas.js';

const params = record({ id: Type.String({ minLength: 1, description: 'Id of the import.' }) });
/** Errors that are shown with an import; all of them are a list of their own. */
const MAX_SHOWN_ERRORS = 100;

/** An import that is under way, or was. */
export function importJobRoutes({ log, purposeKey }: Services): AnyRoute[] {
  const cursors = new Cursors(purposeKey('cursor'));
  const show = async (account: string, id: string) => ({
    status: 200,
    body: await readImport(log, await findImport(log, account, id), MAX_SHOWN_ERRORS),
  });

  const read = route({
    ...common,
    method: 'GET',
    path: '/v1/contacts/imports/:id',
    operationId: 'getContactImport',
    summary: 'Read an import',
    description: `How far it is and what came of its rows, from the log itself, with its first ${MAX_SHOWN_ERRORS} errors.`,
    access: 'read',
    params,
    responses: { 200: { description: 'The import.', schema: importResource } },
    errors: ['not_found'],
    handle: ({ params: { id }, caller }) => show(caller.account, id),
  });

  const errors = route({
    ...common,
    method: 'GET',
    path: '/v1/contacts/imports/:id/errors',
    operationId: 'listContactImportErrors',
    summary: 'What was wrong with rows',
    description:
      'Every error of every row, in the order of the rows. Where more than two for each of some thousand rows come together, each of these names its first two.',
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
      await findImport(log, caller.account, id);
      const { after, take, page } = cursors.read({ caller, params: { id }, query: { ...query, order: 'asc' } }, 'import-errors');
      const from = after === null ? null : { chunk: Number(after[0]), nth: Number(after[1]) };
      const rows: readonly ProblemWithCursor[] = await loadProblems(log, id, from, take);
      const body = page(
        rows,
        ({ chunk, nth }) => [chunk, nth],
        ({ problem }) => problem,
      );
      return { status: 200, body };
    },
  });

  const cancel = route({
    ...common,
    method: 'POST',
    path: '/v1/contacts/imports/:id/cancel',
    operationId: 'cancelContactImport',
    summary: 'Stop an import',
    description:
      'Rows that are under way are still worked off, at most a few hundred; `processed` says how many it were in the end. What they said stays, unless the import is reverted.',
    access: 'write',
    params,
    responses: { 200: { description: 'The import.', schema: importResource } },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, caller, execute }) {
      await execute(changeImport, { import_id: id, change: 'Cancel' });
      return show(caller.account, id);
    },
  });

  const revert = route({
    ...common,
    method: 'POST',
    path: '/v1/contacts/imports/:id/revert',
    operationId: 'revertContactImport',
    summary: 'Take an import back',
    description:
      'Contacts that it made, and of which nobody said anything since, are deleted. Contacts that it merged answer for themselves again. Of contacts that were there before, everything of which nobody spoke since is as it was; they leave the lists that it put them on, and consents that it brought are withdrawn. Everything else is kept: `reverted` counts it.',
    access: 'write',
    params,
    responses: { 202: { description: 'It will be taken back.', schema: importResource } },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, caller, execute }) {
      await execute(changeImport, { import_id: id, change: 'Revert' });
      return { ...(await show(caller.account, id)), status: 202 };
    },
  });

  return [read, errors, cancel, revert];
}
