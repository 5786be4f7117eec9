import { failJob, settleJob } from '../../commands/jobs/change-job.js';
import type { AnyJobKind } from '../../commands/jobs/kind.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import type { JobEvent } from '../../domain/jobs/job.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { byAccount, type PerformContext, type ProcessManager, performEach, type Todo, type TryLater } from '../runtime/process-manager.js';
import { PROCESS_TUNING, type ProcessTuning } from '../runtime/tuning.js';

/** The next step of a job. The id is that of the job. */
export interface JobTodo extends Todo {
  readonly correlation: string;
  readonly step: 'abandon' | 'work' | 'forget';
}

type HandledEvent = Exclude<JobEvent, { type: 'JobStarted' }>;

/** Input that has not arrived by then never will: no request takes that long. */
const ARRIVAL_TIMEOUT_MS = 3_600_000;
/** A request that waits for the result does the work itself; there is something to do only if it was interrupted. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface JobDependencies {
  readonly kinds: readonly AnyJobKind[];
  /** Destroys the data key of a subject. */
  readonly destroyKey: (subject: string) => Promise<void>;
  readonly tuning?: Pick<ProcessTuning, 'jobs'>;
}

/**
 * Does the jobs of all kinds, chunk by chunk. A job gives its place up after a slice of time, so that accounts take turns and
 * none waits for the whole job of another. Once a job is over, and its output is no longer kept, its key is destroyed.
 */
export function runJobs({ kinds, destroyKey, tuning = PROCESS_TUNING }: JobDependencies): ProcessManager<HandledEvent, JobTodo> {
  const slices = new Slices(tuning.jobs.sliceMs);
  return {
    name: 'jobs/run-jobs',
    version: 2,
    ...byAccount,
    handles: ['JobBegun', 'JobAccepted', 'JobCancelRequested', 'JobFinished', 'JobContentForgotten'],
    reads: ({ event }) => ({ todos: [event.data.job_id] }),
    react: react(kinds),
    concurrency: { lane: 1, total: 8 },

    perform: performEach(async (todo, performing) => {
      if (todo.step === 'work') return slices.work(todo, performing);
      if (todo.step === 'forget') await destroyKey(todo.id);
      return settle(todo, performing);
    }),
    drop: async (todo, performing) => {
      if (todo.step === 'forget') await destroyKey(todo.id);
      return todo.step === 'work' ? fail(todo, performing) : settle(todo, performing);
    },
  };
}

const react =
  (kinds: readonly AnyJobKind[]): ProcessManager<HandledEvent, JobTodo>['react'] =>
  (stored, memory) => {
    const { event } = stored;
    const { job_id: id, at } = event.data;
    const next = (step: JobTodo['step'], kind: string, due_at: number) =>
      [{ do: 'schedule', todo: todoOf(kinds, stored, { step, kind, due_at }) }] as const;
    switch (event.type) {
      case 'JobBegun':
        return next('abandon', event.data.kind, Date.parse(at) + ARRIVAL_TIMEOUT_MS);
      case 'JobAccepted':
        return next('work', event.data.kind, Date.parse(at) + (event.data.by === 'request' ? REQUEST_TIMEOUT_MS : 0));
      case 'JobCancelRequested': {
        const todo = memory.todo(id);
        return todo ? [{ do: 'schedule', todo: { ...todo, due_at: Date.parse(at) } }] : [{ do: 'ignore', reason: 'The job is over.' }];
      }
      case 'JobFinished':
        return next('forget', event.data.kind, Date.parse(event.data.keep_until));
      case 'JobContentForgotten':
        return [{ do: 'cancel', id }];
      default:
        return event satisfies never;
    }
  };

/** Records that the job is abandoned, or that its content is destroyed. */
async function settle({ id: job_id, account, correlation, step }: JobTodo, { execute }: PerformContext): Promise<Checkpoint> {
  const change = step === 'abandon' ? 'Abandon' : 'Forget';
  return (await execute(settleJob, { job_id, change }, { account, correlation, about: `${job_id}/${step}` })).position;
}

async function fail({ id: job_id, account, correlation }: JobTodo, { execute }: PerformContext): Promise<Checkpoint> {
  return (await execute(failJob, { job_id, reason: 'dropped' }, { account, correlation, about: `${job_id}/drop` })).position;
}

/** A job that has begun and given its place up. */
interface Head {
  readonly job_id: string;
  readonly correlation: string;
}

/**
 * Slices of jobs. Those of one lane of an account are done one after another: whichever of its to-dos has its turn, the job
 * that was begun first goes on.
 */
class Slices {
  readonly #heads = new Map<string, Head>();

  constructor(private readonly sliceMs: number) {}

  /** Works on chunks until the job is over, the slice has passed or the process manager stops. */
  async work({ id, account, lane, correlation }: JobTodo, performing: PerformContext): Promise<Checkpoint | TryLater> {
    const { clock, signal } = performing;
    const key = `${account}/${lane}`;
    const began = clock.monotonic();
    const slice = clock.now();
    let reached: Checkpoint = 'start';
    for (let nth = 0; !signal.aborted && (nth === 0 || clock.monotonic() - began < this.sliceMs); nth++) {
      const head = this.#heads.get(key) ?? { job_id: id, correlation };
      const isOwn = head.job_id === id;
      this.#heads.delete(key);
      try {
        const { output, position } = await this.#step(head, account, `${slice}/${nth}`, performing);
        if (position !== 'start') reached = position;
        if (output.work === 'going_on') this.#heads.set(key, head);
        else if (isOwn) {
          if (output.not_before !== undefined && reached === 'start') return { retry_at: output.not_before };
          break;
        }
      } catch (e) {
        // Another job fails by its own to-do.
        if (isOwn) throw e;
      }
    }
    return reached;
  }

  #step({ job_id, correlation }: Head, account: string, nth: string, { execute, epoch }: PerformContext) {
    return execute(workOnJob, { job_id }, { account, correlation, about: `${job_id}/${epoch}/${nth}` });
  }
}

/** Jobs of a kind that this program does not know have a lane of their own. */
function todoOf(
  kinds: readonly AnyJobKind[],
  { event, meta }: LogEvent<HandledEvent>,
  { step, kind, due_at }: { readonly step: JobTodo['step']; readonly kind: string; readonly due_at: number },
): JobTodo {
  const { lane = kind, priority = 2 } = kinds.find((one) => one.kind === kind) ?? {};
  return { id: event.data.job_id, due_at, account: meta.account, priority, lane, correlation: meta.$correlationId, step };
}
