import { type JobCommand, type JobEvent, job, jobInputStream, jobStream } from '../../domain/jobs/job.js';
import { loadJob } from '../../log/aggregates/jobs/load-job.js';
import { toExpected } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';
import { findEarlierRun } from '../runtime/idempotency.js';

export interface NewJob {
  readonly job_id: string;
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The input in chunks of at most 400 kB as JSON; the same chunks on every run. Null for a job without input. */
  readonly chunks: AsyncIterable<readonly Record<string, unknown>[]> | null;
  /** Default: the items of the chunks. */
  readonly total?: number;
  /** Who does it, by the number of items. */
  readonly by?: (total: number) => 'request' | 'process';
  /** Once it is aborted nothing more is stored, and the job is abandoned. */
  readonly signal?: AbortSignal | undefined;
}

export interface StoredJob {
  readonly job_id: string;
  /** Null if the number of items is not known. */
  readonly total: number | null;
  readonly created_at: string;
  readonly by: 'request' | 'process';
}

/** The job that an earlier run under the same idempotency key has stored. Throws `idempotency_key_reused`. */
export async function findStoredJob(context: Context, job_id: string): Promise<StoredJob | null> {
  const { log, cause, now } = context;
  if (!cause.key) return null;
  const past = (await log.read<JobEvent>(jobStream(job_id))) ?? [];
  findEarlierRun(cause, past);
  for (const { event, position } of past) {
    if (event.type !== 'JobAccepted') continue;
    context.markReplayed(position);
    const { total, by } = event.data;
    return { job_id, total, by, created_at: past[0]?.event.data.at ?? now };
  }
  return null;
}

/**
 * Stores a job: its parameters, then its input as it arrives, then that it is accepted. It counts once that is stored; a process
 * manager abandons what a crash leaves incomplete. Under an idempotency key a repeat continues where the first try stopped.
 * Null if the input is empty.
 */
export async function storeJob(
  context: Context,
  { job_id, kind, params, chunks, total: given, by = () => 'process', signal }: NewJob,
): Promise<StoredJob | null> {
  const { log, now } = context;
  const decide = async (commands: readonly JobCommand[]): Promise<void> => {
    const loaded = await loadJob(log, job_id);
    let { state } = loaded;
    const events: JobEvent[] = [];
    for (const command of commands) {
      const decided = job.decide(command, state);
      for (const event of decided) state = job.evolve(state, event);
      events.push(...decided);
    }
    if (events.length > 0) await context.append(jobStream(job_id), toExpected(loaded.revision), events);
  };
  const begin: JobCommand = { type: 'Begin', job_id, kind, params, now };
  if (!chunks) {
    await decide([begin, { type: 'Accept', total: null, chunks: null, by: 'process', now }]);
    return { job_id, total: null, by: 'process', created_at: now };
  }
  let stored = context.cause.key ? await inputStored(context, job_id) : 0;
  let total = 0;
  let chunk = 0;
  for await (const items of chunks) {
    signal?.throwIfAborted();
    if (chunk === 0) await decide([begin]);
    if (chunk >= stored) {
      const event = { type: 'JobInputStored', data: { job_id, chunk, items } };
      await context.append(jobInputStream(job_id), toExpected(chunk - 1), [event]);
      stored = chunk + 1;
    }
    total += items.length;
    chunk += 1;
  }
  if (total === 0) return null;
  total = given ?? total;
  signal?.throwIfAborted();
  await decide([{ type: 'Accept', total, chunks: chunk, by: by(total), now }]);
  const { state } = await loadJob(log, job_id);
  return { job_id, total, by: by(total), created_at: state.status === 'new' ? now : state.created_at };
}

async function inputStored({ log }: Context, id: string): Promise<number> {
  const [last] = (await log.readSealed(jobInputStream(id), { backwards: true, limit: 1 })) ?? [];
  return (last?.revision ?? -1) + 1;
}
