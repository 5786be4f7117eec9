import Type from 'typebox';
import { changeImport } from '../../commands/contacts/change-import.js';
import { cancelJob } from '../../commands/jobs/change-job.js';
import { CONTACT_IMPORT_DRY_RUN } from '../../domain/contacts/import.js';
import type { AcceptedJob } from '../../domain/jobs/job.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { readOutput } from '../../log/aggregates/jobs/read-output.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadWarnings } from '../../projections/contacts/imports.js';
import { findAnyJob, readJob, readJobProblems } from '../../projections/jobs/jobs.js';
import { jobs } from '../../projections/jobs/projection.js';
import { type JobQueries, jobQueries } from '../../projections/jobs/queries.js';
import { Cursors, countedQuery, pageOf, pagingQuery, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { jobProblem, jobResource, jobStatusSchema } from './schemas.js';

const common = { tag: 'jobs', limit: 'general' } as const;
const params = record({ id: Type.String({ minLength: 1, description: 'Id of the job, job_….' }) });
const listQuery = record({
  kind: optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only jobs of this kind, for example `contact_import`.' })),
  status: optional(jobStatusSchema),
  ...timedPagingQuery(),
  ...countedQuery,
});

/** `/v1/jobs`: imports, exports and other work on many items. */
export function jobRoutes(services: Services): AnyRoute[] {
  const queries = jobQueries(services.views);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [
    listJobsRoute(queries, cursors),
    getJobRoute(services),
    listJobErrorsRoute(services, cursors),
    cancelJobRoute(services),
    downloadJobResultRoute(services),
  ];
}

const listJobsRoute = (queries: JobQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description: 'Imports, exports and other work on many items, also what was done before its request was answered.',
    access: 'read',
    query: listQuery,
    responses: { 200: { description: 'Newest first.', schema: pageOf(jobResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { caller, query } = request;
      const { range, pageOfItems, total } = cursors.read(request, 'jobs');
      await request.consistent(jobs.name);
      const { kind, status } = query;
      const filter = { ...(kind !== undefined && { kind }), ...(status !== undefined && { status }) };
      const rows = await queries.list(caller.account, filter, range);
      return { status: 200, body: { ...pageOfItems(rows), ...(await total((counted) => queries.count(caller.account, filter, counted))) } };
    },
  });

const getJobRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/jobs/:id',
    operationId: 'getJob',
    summary: 'Read a job',
    description: 'Progress and result, from the log.',
    access: 'read',
    params,
    responses: { 200: { description: 'The job.', schema: jobResource } },
    errors: ['not_found'],
    async handle({ params: { id }, caller }) {
      const job = await readJob(log, caller.account, id);
      // An import shows its own; a dry run is nothing but its job.
      const warnings = job.kind === CONTACT_IMPORT_DRY_RUN ? await loadWarnings(log, id) : [];
      return { status: 200, body: warnings.length > 0 ? { ...job, warnings } : job };
    },
  });

const listJobErrorsRoute = ({ log }: Services, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/jobs/:id/errors',
    operationId: 'listJobErrors',
    summary: 'List the errors of a job',
    description: 'In the order of its items; `row` is the number of the item, from 1.',
    access: 'read',
    params,
    query: record({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    responses: { 200: { description: 'In order of items.', schema: pageOf(jobProblem) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle({ params: { id }, caller, query }) {
      const { after, take, page } = cursors.read({ caller, params: { id }, query: { ...query, order: 'asc' } }, 'job-errors');
      const from = after === null ? null : { chunk: Number(after[0]), nth: Number(after[1]) };
      const rows = await readJobProblems(log, caller.account, id, from, take);
      const body = page(
        rows,
        ({ chunk, nth }) => [chunk, nth],
        ({ problem }) => problem,
      );
      return { status: 200, body };
    },
  });

const cancelJobRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/jobs/:id/cancel',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description: 'Items in flight are still processed. What is done stays; `done` has the final number.',
    access: 'write',
    params,
    responses: { 200: { description: 'The job.', schema: jobResource } },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, caller, execute }) {
      const { kind } = await findAnyJob(log, caller.account, id);
      if (kind === 'job') await execute(cancelJob, { job_id: id });
      else await execute(changeImport, { import_id: id, change: 'Cancel' });
      return { status: 200, body: await readJob(log, caller.account, id) };
    },
  });

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

const downloadJobResultRoute = ({ log, clock }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/jobs/:id/result',
    operationId: 'downloadJobResult',
    summary: 'Download the result of a job',
    description:
      'The contacts of an export: as NDJSON, one contact as in `GET /v1/contacts/:id` on each line, or as CSV. It can be downloaded until `available_until` of the job, 24 hours after its end, and then is destroyed. Contacts that were erased since are left out.',
    access: 'read',
    params,
    streams: Object.values(MEDIA_TYPES),
    responses: { 200: { description: 'The result.' } },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, caller }) {
      const job = await findResult(log, caller.account, id, clock.now());
      const format = job.params.format === 'csv' ? 'csv' : 'ndjson';
      const headers = {
        'Content-Type': `${MEDIA_TYPES[format]}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="${id}.${format}"`,
      };
      return { status: 200, headers, stream: readOutput(log, id) };
    },
  });

/** A completed job whose output is still kept. Throws `not_found` and `invalid_state`. */
async function findResult(log: EventLog, account: string, id: string, now: number): Promise<AcceptedJob> {
  const found = await findAnyJob(log, account, id);
  if (found.kind === 'import') throw notFound('result', id);
  const { job } = found;
  if (!('finished_at' in job)) {
    throw new DomainError('invalid_state', 'The job is not over.', { current: 'running', allowed: ['completed'] });
  }
  if (job.status !== 'completed') {
    throw new DomainError('invalid_state', `The job is ${job.status}.`, { current: job.status, allowed: ['completed'] });
  }
  if (job.forgotten || Date.parse(job.keep_until) <= now) throw notFound('result', id);
  return job;
}
