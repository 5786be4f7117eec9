import type { JobCounts, JobProblem } from '../../domain/jobs/job.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { Context } from '../runtime/command.js';

/** One chunk of a job, as its kind gets it. */
export interface JobStep<Params = unknown, Item = unknown> {
  readonly job_id: string;
  readonly params: Params;
  readonly chunk: number;
  /** The input of the chunk; empty for a job without input. */
  readonly items: readonly Item[];
  /** `next` of the chunk before; null for the first one. */
  readonly from: string | null;
  /** Of all chunks before. */
  readonly counts: JobCounts;
  /** Position at which the job was accepted: its work must include everything up to it. */
  readonly accepted: Position;
}

/** A part of a job's output. `text` is readable until the key of the subject or that of the job is destroyed. */
export interface OutputText {
  readonly subject: string;
  readonly text: string;
}

/** What a chunk has done, without the chunks before. */
export interface StepResult {
  readonly done: number;
  readonly counts: JobCounts;
  readonly errors: readonly JobProblem[];
  /** What a caller should know of items that are no problems, by the number of the item. Nothing personal. */
  readonly warnings?: readonly Readonly<Record<string, unknown>>[];
  /** Ids of what was changed. */
  readonly resources?: readonly string[];
  readonly output?: readonly OutputText[];
  /** Only of a job without input: where its next chunk begins. Null or undefined after the last one. */
  readonly next?: string | null;
}

/** Nothing is to be done before this time (milliseconds since 1970). */
export interface NotBefore {
  readonly not_before: number;
}

/**
 * A kind of job is a value. `work` must be safe to repeat: a chunk that was interrupted is processed again, also by two nodes at
 * once, and the first result that is recorded counts. `waiting`: nothing can be done yet; the chunk is tried again later.
 */
export interface JobKind<Params = unknown, Item = unknown> {
  /** A stored name. */
  readonly kind: string;
  /** The jobs of a lane are done one after another for each account. */
  readonly lane: string;
  readonly priority: 1 | 2;
  readonly cancelable: boolean;
  /** A later job reverts what its chunks changed, by their `resources`: a chunk that may have begun is done before the job is canceled. */
  readonly revertible?: boolean;
  /** How long a completed job keeps its output, in milliseconds; 0 where nothing reads it. */
  readonly keepMs: number;
  /** Why a job that is done has failed, by its parameters; null if it has not. */
  failure?(params: Params): string | null;
  readonly work: (context: Context, step: JobStep<Params, Item>) => Promise<StepResult | 'waiting' | NotBefore>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds kinds of every parameter and item
export type AnyJobKind = JobKind<any, any>;

/** Throws for a kind that this program does not know: another release has accepted the job. */
export function kindOf(kinds: readonly AnyJobKind[], name: string): AnyJobKind {
  const found = kinds.find(({ kind }) => kind === name);
  if (!found) throw new Error(`there is no kind of job '${name}'`);
  return found;
}
