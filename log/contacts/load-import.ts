import {
  type AcceptedImport,
  contactImport,
  type Import,
  type ImportCounts,
  type ImportResultEvent,
  type ImportRow,
  type ImportRowsEvent,
  importResultsStream,
  importRowsStream,
  importStream,
  zeroCounts,
} from '../../domain/contacts/import.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { EventLog } from '../event-log.js';
import { loadAggregate } from '../load-aggregate.js';

export interface LoadedImport {
  readonly state: Import;
  readonly account: string | null;
  readonly revision: number;
}

export async function loadImport(log: EventLog, id: string): Promise<LoadedImport> {
  const { state, account, revision } = await loadAggregate(log, contactImport, importStream(id));
  return { state, account, revision };
}

/** Whether all rows are stored, so that callers can see the import. */
export const isAccepted = (job: Import): job is AcceptedImport => 'total' in job;

/** An import of an account. Throws `not_found`, also if not all of its rows arrived. */
export async function findImport(log: EventLog, account: string, id: string): Promise<AcceptedImport> {
  const job = await loadImport(log, id);
  if (job.account !== account || !isAccepted(job.state)) throw notFound('import', id);
  return job.state;
}

/** The last recorded result of an import's chunks. */
export interface Progress {
  /** Revision of the result stream; -1 if no chunk is done. */
  readonly revision: number;
  readonly last: ImportResultEvent | null;
}

export async function loadProgress(log: EventLog, id: string): Promise<Progress> {
  const [last] = (await log.read<ImportResultEvent>(importResultsStream(id), { backwards: true, limit: 1 })) ?? [];
  return last ? { revision: last.revision, last: last.event } : { revision: -1, last: null };
}

/** The totals of all chunks so far. */
export const countsOf = ({ last }: Progress): { counts: ImportCounts; errors: number } =>
  last?.type === 'ImportChunkDone' ? { counts: last.data.counts, errors: last.data.errors_so_far } : { counts: zeroCounts, errors: 0 };

/** The rows of a chunk; null if there is none or if it can no longer be read. */
export async function loadRows(log: EventLog, id: string, chunk: number): Promise<readonly ImportRow[] | null> {
  const [stored] = (await log.read<ImportRowsEvent>(importRowsStream(id), { from: chunk, limit: 1 })) ?? [];
  return stored && stored.event.data.rows.length > 0 ? stored.event.data.rows : null;
}
