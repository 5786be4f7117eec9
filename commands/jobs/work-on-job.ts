import Type from 'typebox';
import {
  type AcceptedJob,
  type JobCounts,
  type JobOutputEvent,
  type JobResultEvent,
  job,
  jobOutputStream,
  jobResultsStream,
  jobStream,
} from '../../domain/jobs/job.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { isAfter, type Position } from '../../domain/kernel/ports.js';
import { text } from '../../domain/kernel/schema.js';
import { type JobProgress, loadJob, loadJobInput, loadJobProgress, totalsOf } from '../../log/aggregates/jobs/load-job.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { toExpected, tryAppendAll } from '../runtime/append.js';
import { type Context, command } from '../runtime/command.js';
import { type AnyJobKind, kindOf, type OutputText, type StepResult } from './kind.js';

/** `waiting`: nothing can be done yet. `over`: nothing is left to do. */
export type WorkState = 'going_on' | 'waiting' | 'over';

export interface WorkResult {
  readonly work: WorkState;
  /** Where the time is known until which it waits, in milliseconds since 1970. */
  readonly not_before?: number;
}

/**
 * One step of a job: its next chunk, or its end. Runs that process the same chunk at once record one result: the chunk is
 * counted once.
 */
export const workOnJob = command({
  name: 'WorkOnJob',
  input: Type.Object({ job_id: text }),

  async handle({ job_id }, given): Promise<WorkResult> {
    const { state, acceptedAt, canceledAt, test } = await loadJob(given.log, job_id);
    const context = given.ofTestKey(test);
    if ((state.status !== 'accepted' && state.status !== 'canceling') || !acceptedAt) return { work: 'over' };
    const kind = kindOf(context.ports.jobs.kinds, state.kind);
    const progress = await loadJobProgress(context.log, job_id);
    const complete = isComplete(state, progress);
    const failure = complete ? (kind.failure?.(state.params) ?? null) : null;
    if (failure !== null) {
      await context.decide(job, jobStream(job_id), { type: 'Fail', reason: failure, ...totalsOf(progress), now: context.now });
      return { work: 'over' };
    }
    const isCanceled = canceledAt !== null && !mayHaveBegun(state, progress, canceledAt);
    if (complete || isCanceled) {
      const keep_until = new Date(Date.parse(context.now) + (complete ? kind.keepMs : 0)).toISOString();
      const outcome = complete ? 'completed' : 'canceled';
      await context.decide(job, jobStream(job_id), { type: 'Finish', outcome, ...totalsOf(progress), keep_until, now: context.now });
      return { work: 'over' };
    }
    if (kind.revertible && !state.started) await context.decide(job, jobStream(job_id), { type: 'Start', now: context.now });
    return workOnChunk(context, kind, { ...state, accepted: acceptedAt }, progress);
  },
});

const isComplete = ({ chunks }: AcceptedJob, { revision, last }: JobProgress): boolean =>
  chunks === null ? last !== null && last.next === null : revision + 1 === chunks;

/** Whether a chunk of a canceled job was perhaps interrupted before its result was recorded. Only jobs that can be reverted say that they started. */
const mayHaveBegun = ({ started }: AcceptedJob, { position }: JobProgress, canceledAt: Position): boolean =>
  started && !isAfter(position, canceledAt);

async function workOnChunk(
  context: Context,
  kind: AnyJobKind,
  { id, params, chunks, accepted }: AcceptedJob & { readonly accepted: Position },
  progress: JobProgress,
): Promise<WorkResult> {
  const chunk = progress.revision + 1;
  const items = chunks === null ? [] : await loadJobInput(context.log, id, chunk);
  if (!items) {
    // Another run has finished the job, and its input is destroyed.
    const { state } = await loadJob(context.log, id);
    if (state.status === 'accepted' || state.status === 'canceling') throw new Error(`the input of chunk ${chunk} of job ${id} cannot be read`);
    return { work: 'over' };
  }
  const { counts } = totalsOf(progress);
  const done = await kind.work(context, { job_id: id, params, chunk, items, from: progress.last?.next ?? null, counts, accepted });
  if (done === 'waiting') return { work: 'waiting' };
  if ('not_before' in done) return { work: 'waiting', not_before: done.not_before };
  await record(context, id, progress, done);
  return { work: 'going_on' };
}

/** If another run was first, its result counts. Output that no result names is never read. */
async function record(context: Context, job_id: string, progress: JobProgress, done: StepResult): Promise<void> {
  const before = totalsOf(progress);
  const chunk = progress.revision + 1;
  const outputAt = done.output ? await outputRevision(context, job_id) : -1;
  const output = await outputAppends(context, { job_id, chunk, at: outputAt }, done.output ?? []);
  const data: JobResultEvent['data'] = {
    job_id,
    chunk,
    done: before.done + done.done,
    counts: addCounts(before.counts, done.counts),
    errors: [...done.errors],
    errors_so_far: before.errors + done.errors.length,
    ...(done.warnings && done.warnings.length > 0 && { warnings: done.warnings.map((warning) => ({ ...warning })) }),
    resources: [...(done.resources ?? [])],
    output: output.length > 0 ? { from: outputAt + 1, to: outputAt + output.length } : null,
    next: done.next ?? null,
    at: context.now,
  };
  const result = { stream: jobResultsStream(job_id), expected: toExpected(progress.revision), events: [{ type: 'JobChunkDone', data }] };
  await tryAppendAll(context, [...output, result]);
}

/**
 * Of the texts of one event, in bytes as JSON: they are sealed twice, and an append must stay below 512 kB. A longer text is
 * divided.
 */
const OUTPUT_BYTES = 200_000;
/** A UTF-16 unit has at most 6 bytes as JSON. */
const PIECE_UNITS = Math.floor(OUTPUT_BYTES / 6);

async function outputAppends(
  { log }: Context,
  { job_id, chunk, at }: { readonly job_id: string; readonly chunk: number; readonly at: number },
  texts: readonly OutputText[],
): Promise<EventAppend[]> {
  const pieces = texts.flatMap(({ subject, text }) => piecesOf(text).map((piece) => ({ subject, content: { text: piece } })));
  const boxes = await log.sealBoxes(pieces);
  const groups: string[][] = [];
  let size = OUTPUT_BYTES;
  for (const [i, { content }] of pieces.entries()) {
    const bytes = jsonBytes(content.text);
    if (size + bytes > OUTPUT_BYTES) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(boxes[i] as string);
    size += bytes;
  }
  return groups.map((group, i) => {
    const event: JobOutputEvent = { type: 'JobOutputStored', data: { job_id, chunk, boxes: group } };
    return { stream: jobOutputStream(job_id), expected: toExpected(at + i), events: [event] };
  });
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** No pair of surrogates is divided. */
function piecesOf(text: string): string[] {
  if (jsonBytes(text) <= OUTPUT_BYTES) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE_UNITS);
    if (to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

async function outputRevision({ log }: Context, id: string): Promise<number> {
  const [last] = (await log.readSealed(jobOutputStream(id), { backwards: true, limit: 1 })) ?? [];
  return last?.revision ?? -1;
}

function addCounts(a: JobCounts, b: JobCounts): JobCounts {
  const sum = { ...a };
  for (const [name, n] of Object.entries(b)) setOwnField(sum, name, (ownField(sum, name) ?? 0) + n);
  return sum;
}
