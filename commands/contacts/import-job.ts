import {
  type AcceptedImport,
  contactImport,
  type Import,
  type ImportCounts,
  type ImportProblem,
  type ImportResultEvent,
  type ImportRow,
  type ImportRowsEvent,
  importResultsStream,
  importRowsStream,
  importStream,
  type RevertCounts,
  zeroCounts,
} from '../../domain/contacts/import.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { EventLog } from '../../log/event-log.js';
import { loadAggregate } from '../../log/load-aggregate.js';

export interface LoadedImport {
  readonly state: Import;
  readonly account: string | null;
  readonly revision: number;
}

export async function loadImport(log: EventLog, id: string): Promise<LoadedImport> {
  const { state, account, revision } = await loadAggregate(log, contactImport, importStream(id));
  return { state, account, revision };
}

/** Whether all rows of it came in, so that it is there for callers. */
export const isAccepted = (job: Import): job is AcceptedImport => 'total' in job;

/** An import of an account, from the log. Throws `not_found`, also where its rows did not all come. */
export async function findImport(log: EventLog, account: string, id: string): Promise<AcceptedImport> {
  const job = await loadImport(log, id);
  if (job.account !== account || !isAccepted(job.state)) throw notFound('import', id);
  return job.state;
}

/** How far an import is: the last that was recorded of its chunks. */
export interface Progress {
  /** Revision of the results, -1 where nothing is done yet. */
  readonly revision: number;
  readonly last: ImportResultEvent | null;
}

export async function loadProgress(log: EventLog, id: string): Promise<Progress> {
  const [last] = (await log.read<ImportResultEvent>(importResultsStream(id), { backwards: true, limit: 1 })) ?? [];
  return last ? { revision: last.revision, last: last.event } : { revision: -1, last: null };
}

/** What all chunks so far came to. */
export const countsOf = ({ last }: Progress): { counts: ImportCounts; errors: number } =>
  last?.type === 'ImportChunkDone' ? { counts: last.data.counts, errors: last.data.errors_so_far } : { counts: zeroCounts, errors: 0 };

/** The rows of a chunk; null where there is none, or where nobody can read it any more. */
export async function loadRows(log: EventLog, id: string, chunk: number): Promise<readonly ImportRow[] | null> {
  const [stored] = (await log.read<ImportRowsEvent>(importRowsStream(id), { from: chunk, limit: 1 })) ?? [];
  return stored && stored.event.data.rows.length > 0 ? stored.event.data.rows : null;
}

export interface ProblemWithCursor {
  readonly chunk: number;
  readonly nth: number;
  readonly problem: ImportProblem;
}

/** Chunks read at once. */
const CHUNKS_PER_READ = 20;

/** What was wrong with rows, in their order, after a place or from the first. */
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

/** An import as its account sees it. */
export interface ImportView extends ImportCounts {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'canceling' | 'completed' | 'canceled' | 'reverting' | 'reverted';
  readonly total: number;
  /** Rows that are worked off. */
  readonly processed: number;
  readonly error_count: number;
  readonly errors: readonly ImportProblem[];
  readonly reverted: RevertCounts | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** `errors`: so many of its problems are shown with it. */
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
