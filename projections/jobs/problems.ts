import { type ImportResultEvent, importResultsStream } from '../../domain/contacts/legacy-import.js';
import { type JobProblem, type JobResultEvent, jobResultsStream } from '../../domain/jobs/job.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/** A problem of an item of a job, with its place: the number of the chunk, and its own number in that chunk. */
export interface ProblemWithCursor {
  readonly chunk: number;
  readonly nth: number;
  readonly problem: JobProblem;
}

/** Chunks per read. */
const CHUNKS_PER_READ = 20;

type ChunkDone = JobResultEvent | ImportResultEvent;

/** The problems of a job's items, in order, after a cursor or from the first. */
export const loadJobProblems = (log: EventLog, id: string, after: Pick<ProblemWithCursor, 'chunk' | 'nth'> | null, limit: number) =>
  loadProblems(log, jobResultsStream(id), after, limit);

/** The same of an import that was accepted before imports were jobs. */
export const loadImportProblems = (log: EventLog, id: string, after: Pick<ProblemWithCursor, 'chunk' | 'nth'> | null, limit: number) =>
  loadProblems(log, importResultsStream(id), after, limit);

async function loadProblems(
  log: EventLog,
  stream: string,
  after: Pick<ProblemWithCursor, 'chunk' | 'nth'> | null,
  limit: number,
): Promise<ProblemWithCursor[]> {
  const found: ProblemWithCursor[] = [];
  for (let from = after?.chunk ?? 0; found.length < limit; from += CHUNKS_PER_READ) {
    const page = (await log.read<ChunkDone>(stream, { from, limit: CHUNKS_PER_READ })) ?? [];
    for (const { event } of page) {
      // What reverting an import did follows the results of its chunks.
      if (event.type === 'ImportChunkReverted') return found.slice(0, limit);
      const { chunk, errors } = event.data;
      const rest = errors.map((problem, nth) => ({ chunk, nth, problem }));
      found.push(...(chunk === after?.chunk ? rest.filter(({ nth }) => nth > after.nth) : rest));
    }
    if (page.length < CHUNKS_PER_READ) break;
  }
  return found.slice(0, limit);
}
