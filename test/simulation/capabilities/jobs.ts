import type { JobEvent, JobResultEvent } from '../../../domain/jobs/job.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { ask, askAll, bodyOf, pickOrNull, succeeded } from '../recipients.js';
import type { Run } from '../run.js';

const CANCEL = /^\/v1\/jobs\/job_\w+\/cancel$/;
const READ = /^\/v1\/jobs\/job_\w+$/;

interface JobAnswer {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly done: number;
  readonly total: number | null;
  readonly errors: number;
  readonly finished_at: string | null;
}

/** Cancels jobs of all kinds: imports, exports, and what reverts. */
export const jobs: Capability = {
  name: 'jobs',
  begin(run) {
    const random = run.world.random('jobs');
    return {
      actions: [
        {
          name: 'cancel one of the latest jobs',
          weight: 0.5,
          act: async () => {
            const { response } = await run.caller.send('GET', '/v1/jobs?limit=4');
            const listed: JobAnswer[] = response?.status === 200 ? response.body.data : [];
            const job = pickOrNull(random, listed);
            if (job) await run.caller.send('POST', `/v1/jobs/${job.id}/cancel`, {});
          },
        },
      ],
      check: async (final) => [...canceledJobsStop(final), ...finishedStaysFinished(final), ...(await countsAgree(final))],
    };
  },
};

type Stored<E extends JobEvent | JobResultEvent> = LogEvent<E>;
const resultsOf = ({ byStream }: Final, id: string) => (byStream.get(`jobResults-${id}`) ?? []) as readonly Stored<JobResultEvent>[];
const endOf = (events: readonly LogEvent[]) =>
  events.find(({ event }) => event.type === 'JobFinished') as Stored<Extract<JobEvent, { type: 'JobFinished' }>> | undefined;

/**
 * A cancellation that was answered with success is on record. From then on only chunks are recorded that were in work: one for each
 * node at most. A job that did not do all is over as `canceled`.
 */
function canceledJobsStop(final: Final): string[] {
  const { run } = final;
  const answered = succeeded(run, 'POST', CANCEL).map((exchange) => bodyOf(exchange).id as string);
  const problems: string[] = [];
  for (const [id, events] of streamsOf(final, 'job-')) {
    const request = events.find(({ event }) => event.type === 'JobCancelRequested');
    if (!request && answered.includes(id)) problems.push(`the job ${id} was canceled by an answer and not on record`);
    if (!request) continue;
    const later = resultsOf(final, id).filter(({ position }) => position > request.position);
    if (later.length > run.nodes.length) problems.push(`the job ${id} was canceled and went on with ${later.length} chunks`);
    const end = endOf(events)?.event.data;
    if (end?.status === 'canceled' && isComplete(final, id, end.chunks)) problems.push(`the job ${id} has done all and ends as canceled`);
    if (end?.status === 'completed' && !isComplete(final, id, end.chunks)) problems.push(`the job ${id} is completed after ${end.chunks} chunks`);
  }
  return problems;
}

/** Whether these chunks are all of a job: as many as its input has, or up to one after which there is no next one. */
function isComplete(final: Final, id: string, chunks: number): boolean {
  const accepted = final.byStream.get(`job-${id}`)?.find(({ event }) => event.type === 'JobAccepted')?.event as
    | Extract<JobEvent, { type: 'JobAccepted' }>
    | undefined;
  if (accepted?.data.chunks != null) return accepted.data.chunks === chunks;
  const last = resultsOf(final, id)[chunks - 1];
  return last !== undefined && last.event.data.next === null;
}

/** A job ends once, and whoever has read it after its end sees the same for good. */
function finishedStaysFinished(final: Final): string[] {
  const { run } = final;
  const problems: string[] = [];
  const ends = new Map<string, string>();
  for (const [id, events] of streamsOf(final, 'job-')) {
    const at = events.findIndex(({ event }) => event.type === 'JobFinished');
    const after = events.slice(at + 1).map(({ event }) => event.type);
    if (at >= 0 && after.some((type) => type !== 'JobContentForgotten')) problems.push(`the job ${id} was over, then came ${after.join()}`);
    const end = endOf(events)?.event.data;
    if (end) ends.set(id, `${end.status} with ${end.done} done and ${end.errors} errors`);
  }
  for (const exchange of [...succeeded(run, 'GET', READ), ...succeeded(run, 'POST', CANCEL)]) {
    const { id, status, done, errors, finished_at } = bodyOf(exchange) as JobAnswer;
    const shown = `${status} with ${done} done and ${errors} errors`;
    if (finished_at !== null && ends.get(id) !== shown) problems.push(`the job ${id} was read as ${shown}, and ends as ${ends.get(id)}`);
  }
  return problems;
}

/** What a job says that it has done is what its chunks have done, in the log, by itself and in the list. */
async function countsAgree(final: Final): Promise<string[]> {
  const { run } = final;
  const problems: string[] = [];
  const listed = new Map<string, JobAnswer>((await askAll(run, '/v1/jobs')).map((job) => [job.id, job]));
  for (const [id, events] of streamsOf(final, 'job-')) {
    const end = endOf(events)?.event.data;
    if (!end || end.status === 'abandoned') continue;
    const done = resultsOf(final, id).slice(0, end.chunks);
    const last = done.at(-1)?.event.data;
    if (done.length !== end.chunks || (last?.done ?? 0) !== end.done || (last?.errors_so_far ?? 0) !== end.errors)
      problems.push(`the job ${id} ends with ${end.done} items of ${end.chunks} chunks, its chunks have ${last?.done ?? 0}`);
    const job = listed.get(id);
    if (job?.status !== end.status || job.done !== end.done || job.errors !== end.errors)
      problems.push(`the job ${id} is listed as ${JSON.stringify(job)}, and ends as ${end.status} with ${end.done} done`);
  }
  const one = pickOrNull(run.world.random('jobs'), [...listed.values()]);
  return one ? [...problems, ...(await readsAlike(run, one))] : problems;
}

async function readsAlike(run: Run, listed: JobAnswer): Promise<string[]> {
  const { body } = await ask(run, `/v1/jobs/${listed.id}`);
  const [alone, inList] = [JSON.stringify(body), JSON.stringify(listed)];
  return alone === inList ? [] : [`the job ${listed.id} is listed as ${inList}, and reads as ${alone}`];
}
