import Type from 'typebox';
import { exportSubmissions, submissionExport, submissionExportRequest } from '../../commands/forms/export-submissions.js';
import { invalid } from '../../domain/kernel/errors.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { loadForm } from '../../log/aggregates/forms/load-form.js';
import { forms } from '../../projections/forms/projection.js';
import type { FormQueries, SubmissionView } from '../../projections/forms/queries.js';
import { type Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { formStats, submissionResource, submissionStatusSchema } from './schemas.js';

const common = { tag: 'forms', limit: 'general', access: 'read', method: 'GET' } as const;
const params = record({ id: text });
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

const shown = ({ submitted_at: created_at, ...submission }: SubmissionView) => ({ ...submission, created_at });

/** What was submitted, and how often. */
export function submissionRoutes(services: Services, queries: FormQueries, cursors: Cursors): AnyRoute[] {
  return [listFormSubmissionsRoute(services, queries, cursors), getFormStatsRoute(services, queries), exportFormSubmissionsRoute];
}

const listFormSubmissionsRoute = ({ log }: Services, queries: FormQueries, cursors: Cursors) =>
  route({
    ...common,
    path: '/v1/forms/:id/submissions',
    operationId: 'listFormSubmissions',
    summary: 'List the submissions of a form',
    params,
    query: record({ ...timedPagingQuery(), status: optional(submissionStatusSchema), contact_id: optional(Type.String({ maxLength: 64 })) }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(submissionResource) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const { caller, params: of, query } = request;
      await request.consistent(forms.name);
      await loadForm(log, caller.account, of.id);
      const paging = cursors.read(request, 'form-submissions');
      const found = await queries.submissions(of.id, query, paging.range);
      const load = async (rows: readonly (typeof found)[number][]) => (await queries.show(rows)).map(shown);
      return { status: 200, body: await paging.pageOfLoaded(found, ({ sort }) => [sort], load) };
    },
  });

const getFormStatsRoute = ({ log, clock }: Services, queries: FormQueries) =>
  route({
    ...common,
    path: '/v1/forms/:id/stats',
    operationId: 'getFormStats',
    summary: 'Count what happened to a form, per day',
    description:
      'Days are in UTC. `views` and `starts` are counted in batches and can miss some at a crash; submissions are exact. `dropped`: what programs sent.',
    params,
    query: record({
      from: optional(Type.String({ format: 'date', description: 'First day. Default: 29 days before the last one.' })),
      to: optional(Type.String({ format: 'date', description: 'Last day. Default: today.' })),
    }),
    responses: { 200: { description: 'The counts.', schema: formStats } },
    errors: ['not_found', 'validation_error'],
    async handle({ caller, params: { id }, query, consistent }) {
      await consistent(forms.name);
      await loadForm(log, caller.account, id);
      const to = query.to ?? dayOf(clock.now());
      const from = query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
      const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      if (length < 1 || length > MAX_DAYS) throw invalid([{ field: 'from', code: 'out_of_range', message: `Ask for 1 to ${MAX_DAYS} days.` }]);
      const days = (await queries.days(id, from, to)).map(({ id: _, form_id: __, ...day }) => day);
      const names = ['views', 'starts', 'submissions', 'duplicates', 'confirmed', 'dropped'] as const;
      const total = Object.fromEntries(names.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)]));
      return { status: 200, body: { from, to, total, days } };
    },
  });

const exportFormSubmissionsRoute = route({
  ...common,
  method: 'POST',
  access: 'write',
  path: '/v1/forms/:id/submissions/export',
  operationId: 'exportFormSubmissions',
  summary: 'Export the submissions of a form',
  description: 'A job: `GET /v1/jobs/:id/result` downloads the CSV. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
  params,
  body: submissionExportRequest,
  responses: { 202: { description: 'The export is accepted.', schema: jobResource } },
  errors: ['not_found'],
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(exportSubmissions, { form_id: id, ...body });
    return { status: 202, body: acceptedJob(output, submissionExport.kind) };
  },
});

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
