import { optional, record, text, time } from '../../domain/kernel/schema.js';
import { findForm, loadForm } from '../../log/aggregates/forms/load-form.js';
import type { JobKind, OutputText } from '../jobs/kind.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { submissionHeader, submissionLine } from './submission-rows.js';

const bounds = { created_after: optional(time), created_before: optional(time) };
export const submissionExportRequest = record(bounds);

interface ExportParams {
  readonly format: 'csv';
  readonly form_id: string;
  /** Keys of fields that have a column: those of all versions. */
  readonly columns: readonly string[];
  readonly created_after?: string;
  readonly created_before?: string;
}

/** Begins an export of submissions, which a process manager does. Throws `not_found`. */
export const exportSubmissions = command({
  name: 'ExportFormSubmissions',
  input: record({ form_id: text, ...bounds }),

  async handle({ form_id, created_after, created_before }, context): Promise<StoredJob> {
    const job_id = context.newId('job');
    const earlier = await findStoredJob(context, job_id);
    if (earlier) return earlier;
    const { version } = await loadForm(context.log, context.cause.account, form_id);
    const instant = (given: string): string => new Date(given).toISOString();
    const params: ExportParams = {
      format: 'csv',
      form_id,
      columns: await columnsOf(context, form_id, version),
      ...(created_after !== undefined && { created_after: instant(created_after) }),
      ...(created_before !== undefined && { created_before: instant(created_before) }),
    };
    return (await storeJob(context, { job_id, kind: submissionExport.kind, params: { ...params }, chunks: null })) as StoredJob;
  },
});

/** The latest version first, then keys that only earlier ones have. */
async function columnsOf({ log }: Context, id: string, version: number): Promise<string[]> {
  const keys = new Set<string>();
  for (let at = version; at >= 1 && version - at < MAX_VERSIONS; at--) {
    const found = await findForm(log, id, { version: at });
    for (const { key, type } of found?.form.definition.fields ?? []) if (type !== 'consent') keys.add(key);
  }
  return [...keys];
}

const MAX_VERSIONS = 200;

/** How long the result of an export can be read. */
const KEPT_MS = 86_400_000;

/** An export of submissions as CSV. What is about a person is sealed under the key of the contact, so that an erasure destroys it. */
export const submissionExport: JobKind<ExportParams> = {
  kind: 'form_submission_export',
  lane: 'contact_export',
  priority: 2,
  cancelable: true,
  keepMs: KEPT_MS,

  async work(context, { job_id, params: { columns, form_id, format: _, ...range }, chunk, from, accepted }) {
    const page = await context.ports.forms.submissionPage(form_id, { ...range, after: from, since: accepted });
    if (!page) return 'waiting';
    const output: OutputText[] = page.submissions.map((one) => ({ subject: one.contact_id, text: submissionLine(one, columns) }));
    if (chunk === 0) output.unshift({ subject: job_id, text: submissionHeader(columns) });
    const done = page.submissions.length;
    return { done, counts: { submissions: done }, errors: [], output, next: page.next };
  },
};
