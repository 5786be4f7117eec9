import Type from 'typebox';
import { DomainError, type FieldProblem, invalidRequest } from '../../domain/kernel/errors.js';
import { boundedText, flag, optional, record, text } from '../../domain/kernel/schema.js';
import { endpointIn } from '../../domain/webhooks/endpoint.js';
import { platformEventNames } from '../../domain/webhooks/platform-events.js';
import { loadEndpoints } from '../../log/aggregates/webhooks/load-endpoints.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { type WellFormed, withRule } from '../runtime/rules.js';
import { normalizedEvents, unknownEventProblems } from './endpoint-input.js';
import { type ReplayParams, WEBHOOK_REPLAY } from './replay-kind.js';

const DAY_MS = 86_400_000;

const fields = {
  from: optional(Type.String({ format: 'date-time', description: 'Events from this time on. Default: 24 hours before `to`.' })),
  to: optional(Type.String({ format: 'date-time', description: 'Events before this time. Default, and at the latest: now.' })),
  events: optional(
    Type.Array(boundedText({ maxLength: 100 }), {
      maxItems: 100,
      description: `Any of ${platformEventNames.join(', ')}. Default: those that the endpoint is subscribed to.`,
    }),
  ),
  only_failed: optional(
    Type.Boolean({ description: 'Only deliveries that have failed or were stopped, and of which no attempt succeeded. Default: false.' }),
  ),
};
type ReplayRange = WellFormed<{ from?: string; to?: string; events?: readonly string[] }>;

function rangeOf({ from, to }: ReplayRange, now: string): { readonly from: string; readonly to: string } {
  const end = Math.min(to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to), Date.parse(now));
  const begin = from === undefined ? end - DAY_MS : Date.parse(from);
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}

/** What the schema cannot express: the order of the times, and the names of events. */
function problemsOf(given: ReplayRange, context: Pick<Context, 'now'>): FieldProblem[] {
  const { from, to } = rangeOf(given, context.now);
  const message = given.to === undefined ? '`from` lies in the future.' : '`from` is after `to`.';
  return [...(from > to ? [{ field: 'from', code: 'invalid_range', message }] : []), ...unknownEventProblems(given.events ?? [])];
}

export const replayRequest = withRule(record(fields), (given, { context }) => problemsOf(given as ReplayRange, context));

/**
 * Sends past events to a webhook endpoint again, as a job. Throws `not_found`, `invalid_state` where the endpoint is disabled,
 * `unknown_event_type`, and `validation_error`.
 */
export const replayEndpoint = command({
  name: 'ReplayEndpoint',
  input: record({ endpoint_id: text, range: record({ ...fields, only_failed: optional(flag) }) }),

  async handle({ endpoint_id, range }, context): Promise<StoredJob> {
    const job_id = context.newId('job');
    const earlier = await findStoredJob(context, job_id);
    if (earlier) return earlier;
    const problems = problemsOf(range, context);
    if (problems.length > 0) throw invalidRequest(problems);
    const { status: current } = endpointIn(await loadEndpoints(context.log, context.cause.account), endpoint_id);
    if (current !== 'enabled') throw new DomainError('invalid_state', 'The endpoint is disabled.', { current, allowed: ['enabled'] });
    const { events, only_failed = false } = range;
    const params: ReplayParams = { endpoint_id, ...rangeOf(range, context.now), events: events ? normalizedEvents(events) : null, only_failed };
    return (await storeJob(context, { job_id, kind: WEBHOOK_REPLAY, params: { ...params }, chunks: null })) as StoredJob;
  },
});
