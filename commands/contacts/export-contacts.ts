import Type from 'typebox';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { boundedText, mapOf, named, oneOf, optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { emailHint, phoneHint } from '../../formats/contacts/parse-address.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { findSegment } from '../../log/aggregates/segments/load-segment.js';
import type { JobKind, OutputText } from '../jobs/kind.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { withRule } from '../runtime/rules.js';
import { unknownLists } from './accept-import.js';
import { readCustomFieldFilter } from './contact-filter.js';
import { csvHeader, csvLine, type ExportedContact, jsonLine } from './contact-rows.js';
import type { ExportedContacts } from './ports.js';

const exportFormat = named('ContactExportFormat', oneOf('ndjson', 'csv'));

const exportFilter = named(
  'ContactExportFilter',
  record({
    email: optional(boundedText({ minLength: 1, maxLength: 320 })),
    phone: optional(boundedText({ minLength: 1, maxLength: 64 })),
    tag: optional(boundedText({ minLength: 1, maxLength: 64 })),
    /** Contacts with the status `subscribed` on this list. */
    list_id: optional(text),
    /** Contacts that are in this segment when their page is collected. */
    segment_id: optional(text),
    /** Exact values, by the key of the field. */
    custom_fields: optional(mapOf(boundedText({ maxLength: 256 }))),
  }),
);
type ExportFilter = Static<typeof exportFilter>;

const checkedFilter = withRule(exportFilter, async (filter, { context }) => (await readFilter(context, filter as ExportFilter)).problems);

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
    const { tag, list_id, segment_id } = filter;
    const { keys, fields, problems } = await readFilter(context, filter);
    if (problems.length > 0) throw invalid(problems.map((problem) => ({ ...problem, field: `filter.${problem.field}` })));
    const columns = [...(await loadCustomFields(context.log, context.cause.account)).keys()].sort();
    const which: ExportedContacts = {
      keys,
      fields,
      ...(tag !== undefined && { tag }),
      ...(list_id !== undefined && { list_id }),
      ...(segment_id !== undefined && { segment_id }),
    };
    const params = { format, columns, ...which } satisfies ExportParams;
    return (await storeJob(context, { job_id, kind: contactExport.kind, params, chunks: null })) as StoredJob;
  },
});

async function readFilter(context: Context, { email, phone, list_id, segment_id, custom_fields = {} }: ExportFilter) {
  const { log, cause, addresses } = context;
  const hmac = (address: string): string => addresses.key(cause.account, address);
  const problems: FieldProblem[] = [];
  const keys: string[] = [];
  const normalEmail = email === undefined ? undefined : normalizeEmail(email);
  const normalPhone = phone === undefined ? undefined : normalizePhone(phone);
  if (email !== undefined && normalEmail === null) problems.push({ field: 'email', code: 'invalid_email', message: emailHint(email) });
  if (phone !== undefined && normalPhone === null) problems.push({ field: 'phone', code: 'invalid_phone', message: phoneHint(phone) });
  for (const address of [normalEmail, normalPhone]) if (address) keys.push(hmac(address));
  const custom = readCustomFieldFilter(custom_fields, await loadCustomFields(log, cause.account), hmac);
  problems.push(...custom.problems.map((problem) => ({ ...problem, field: `custom_fields.${problem.field}` })));
  problems.push(...(await unknownLists(context, [list_id])).map((problem) => ({ ...problem, field: 'list_id' })));
  if (segment_id !== undefined && !(await findSegment(log, cause.account, segment_id)))
    problems.push({ field: 'segment_id', code: 'not_found', message: 'There is no such segment.' });
  return { keys: [...keys, ...custom.keys], fields: custom.fields, problems };
}

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
