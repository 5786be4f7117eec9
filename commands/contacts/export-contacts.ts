import Type from 'typebox';
import { invalid } from '../../domain/kernel/errors.js';
import { named, oneOf, optional, record } from '../../domain/kernel/schema.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import type { JobKind, OutputText } from '../jobs/kind.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { command } from '../runtime/command.js';
import { withRule } from '../runtime/rules.js';
import { csvHeader, csvLine, type ExportedContact, jsonLine } from './contact-rows.js';
import { type ContactSelection, readSelection, selectionFields } from './contact-selection.js';
import type { ExportedContacts } from './ports.js';

const exportFormat = named('ContactExportFormat', oneOf('ndjson', 'csv'));

const exportFilter = named('ContactExportFilter', record(selectionFields));

const checkedFilter = withRule(exportFilter, async (filter, { context }) => (await readSelection(context, filter as ContactSelection)).problems);

export const exportRequest = Type.Object({ format: optional(exportFormat), filter: optional(checkedFilter) }, { additionalProperties: false });

interface ExportParams extends ExportedContacts {
  readonly format: 'ndjson' | 'csv';
  /** Custom fields that have a column. */
  readonly columns: readonly string[];
}

/** Begins an export of contacts, which a process manager does. Throws `validation_error` with every invalid part of the filter. */
export const exportContacts = command({
  name: 'ExportContacts',
  input: exportRequest,

  async handle({ format = 'ndjson', filter = {} }, context): Promise<StoredJob> {
    const job_id = context.newId('job');
    const earlier = await findStoredJob(context, job_id);
    if (earlier) return earlier;
    const { which, problems } = await readSelection(context, filter);
    if (problems.length > 0) throw invalid(problems.map((problem) => ({ ...problem, field: `filter.${problem.field}` })));
    const columns = [...(await loadCustomFields(context.log, context.cause.account)).keys()].sort();
    const params = { format, columns, ...which } satisfies ExportParams;
    return (await storeJob(context, { job_id, kind: contactExport.kind, params, chunks: null })) as StoredJob;
  },
});

/** How long the result of an export can be read. */
const KEPT_MS = 86_400_000;

/** An export of contacts: each chunk is a page of them. The output of a contact is sealed under its own key, so that an erasure destroys it. */
export const contactExport: JobKind<ExportParams> = {
  kind: 'contact_export',
  lane: 'contact_export',
  priority: 2,
  cancelable: true,
  keepMs: KEPT_MS,

  async work(context, { job_id, params: { format, columns, ...which }, chunk, from, accepted }) {
    const page = await context.ports.contacts.exportPage(context.cause.account, which, { after: from, since: accepted });
    if (!page) return 'waiting';
    const lineOf = (one: ExportedContact): string => (format === 'csv' ? csvLine(one, columns) : jsonLine(one.contact));
    const output: OutputText[] = page.contacts.map((one) => ({ subject: one.contact.id, text: lineOf(one) }));
    if (format === 'csv' && chunk === 0) output.unshift({ subject: job_id, text: csvHeader(columns) });
    return { done: page.contacts.length, counts: { contacts: page.contacts.length }, errors: [], output, next: page.next };
  },
};
