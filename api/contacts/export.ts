import { contactExport, exportContacts, exportRequest } from '../../commands/contacts/export-contacts.js';
import { route } from '../http/route.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { contactRouteDefaults } from './contacts.js';

/** The export of contacts. */
export const exportRoute = route({
  ...contactRouteDefaults,
  method: 'POST',
  path: '/v1/contacts/export',
  operationId: 'exportContacts',
  summary: 'Export contacts',
  description:
    'A job that collects all contacts, or those that match every part of `filter` (`segment_id`: the members of a segment), in the order of their creation; `GET /v1/jobs/:id/result` downloads them. `format` is `ndjson` (default) or `csv`, with a column for each custom field; an import reads the CSV again. In a CSV, a cell that a spreadsheet would run as a formula begins with an apostrophe. Contacts that are created or changed while the job runs may be included.',
  access: 'write',
  body: exportRequest,
  responses: { 202: { description: 'The export is accepted.', schema: jobResource } },
  errors: ['conflict'],
  async handle({ body, execute }) {
    const { output } = await execute(exportContacts, body ?? {});
    return { status: 202, body: acceptedJob(output, contactExport.kind) };
  },
});
