import Type from 'typebox';
import type { StoredJob } from '../../commands/jobs/store-job.js';
import { identityWarning } from '../../domain/contacts/identity.js';
import { annotate, anyRecord, boundedText, count, list, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { type JobResource, jobStatuses } from '../../projections/jobs/projection.js';

export const jobStatusSchema = named('JobStatus', oneOf(...jobStatuses));

export const jobResource = named(
  'Job',
  record({
    id: text,
    kind: Type.String({ description: '`contact_import`, `contact_export` …' }),
    status: jobStatusSchema,
    done: Type.Integer({ minimum: 0, description: 'Processed items.' }),
    total: nullable(Type.Integer({ minimum: 0, description: 'All items; null if their number is not known before the end.' })),
    errors: Type.Integer({ minimum: 0, description: 'Number of errors; `GET /v1/jobs/:id/errors` lists them.' }),
    created_at: time,
    finished_at: nullable(time),
    result: nullable(
      annotate(anyRecord, {
        description:
          'Null before the end. Counts by the kind of job; `reason` of a failed one; `available_until` where `GET /v1/jobs/:id/result` has a result.',
      }),
    ),
    warnings: optional(
      annotate(list(identityWarning), { description: 'Of the dry run of an import: rows whose addresses belong to others. Up to 1,000.' }),
    ),
  }),
);

/** An error of one item. Items count from 1. */
export const jobProblem = named('JobError', record({ row: count, field: boundedText({}), code: text, message: text }));

/** A job that was just accepted. */
export const acceptedJob = ({ job_id, total, created_at }: StoredJob, kind: string): JobResource => ({
  ...{ id: job_id, kind, status: 'queued', done: 0, total, errors: 0, created_at, finished_at: null, result: null },
});
