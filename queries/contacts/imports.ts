import {
  type AcceptedImport,
  type ImportCounts,
  type ImportProblem,
  type ImportResultEvent,
  importResultsStream,
  type RevertCounts,
} from '../../domain/contacts/import.js';
import { countsOf, loadProgress, type Progress } from '../../log/contacts/load-import.js';
import type { EventLog } from '../../log/event-log.js';

export interface ProblemWithCursor {
  readonly chunk: number;
  readonly nth: number;
  readonly problem: ImportProblem;
}

/** Chunks per read. */
const CHUNKS_PER_READ = 20;

/** The problems of rows, in order, after a cursor or from the first. */
export async function loadProblems(
  log: EventLog,
  id: string,
  after: { readonly chunk: number; readonly nth: number } | null,
  limit: number,
): Promise<ProblemWithCursor[]> {
  const found: ProblemWithCursor[] = [];
  for (let from = after?.chunk ?? 0; found.length < limit; from += CHUNKS_PER_READ) {
    const page = (await log.read<ImportResultEvent>(importResultsStream(id), { from, limit: CHUNKS_PER_READ })) ?? [];
    for (const { event } of page) {
      if (event.type !== 'ImportChunkDone') return found.slice(0, limit);
      const { chunk, errors } = event.data;
      const rest = errors.map((problem, nth) => ({ chunk, nth, problem }));
      found.push(...(chunk === after?.chunk ? rest.filter(({ nth }) => nth > after.nth) : rest));
    }
    if (page.length < CHUNKS_PER_READ) break;
  }
  return found.slice(0, limit);
}

/** An import in the API. */
export interface ImportView extends ImportCounts {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'canceling' | 'completed' | 'canceled' | 'reverting' | 'reverted';
  readonly total: number;
  /** Rows that are processed. */
  readonly processed: number;
  readonly error_count: number;
  readonly errors: readonly ImportProblem[];
  readonly reverted: RevertCounts | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** `errors`: how many of its problems are included. */
export async function readImport(log: EventLog, job: AcceptedImport, errors: number): Promise<ImportView> {
  const finished = 'counts' in job;
  const progress = finished ? null : await loadProgress(log, job.id);
  const counts = finished ? job.counts : countsOf(progress as Progress).counts;
  const problems = counts.failed > 0 ? await loadProblems(log, job.id, null, errors) : [];
  const { created, merged, unchanged, failed } = counts;
  const processed = created + merged + unchanged + failed;
  return {
    id: job.id,
    status: job.status === 'running' && processed === 0 ? 'queued' : job.status,
    total: job.total,
    processed,
    ...counts,
    error_count: finished ? job.errors : countsOf(progress as Progress).errors,
    errors: problems.map(({ problem }) => problem),
    reverted: job.status === 'reverted' ? job.reverted : null,
    created_at: job.created_at,
    finished_at: finished ? job.finished_at : null,
  };
}
