import { type ImportRow, type LegacyImportCounts, zeroLegacyCounts } from '../../../domain/contacts/import.js';
import {
  type AcceptedLegacyImport,
  type ImportResultEvent,
  type ImportRowsEvent,
  importResultsStream,
  importRowsStream,
  importStream,
  type LegacyImport,
  legacyImport,
} from '../../../domain/contacts/legacy-import.js';
import type { EventLog } from '../../runtime/event-log.js';
import { isOwn, loadAggregate } from '../load-aggregate.js';

export interface LoadedLegacyImport {
  readonly state: LegacyImport;
  readonly account: string | null;
  readonly revision: number;
}

export async function loadLegacyImport(log: EventLog, id: string): Promise<LoadedLegacyImport> {
  const { state, account, revision } = await loadAggregate(log, legacyImport, importStream(id));
  return { state, account, revision };
}

/** Whether all rows are stored, so that callers can see the import. */
export const isAcceptedLegacy = (job: LegacyImport): job is AcceptedLegacyImport => 'total' in job;

/** An import of an account that was accepted before imports were jobs; null also if not all of its rows arrived. */
export async function loadOwnLegacyImport(log: EventLog, account: string, id: string): Promise<AcceptedLegacyImport | null> {
  const found = await loadLegacyImport(log, id);
  return isOwn(found, account) && isAcceptedLegacy(found.state) ? found.state : null;
}

/** The last recorded result of an import's chunks. */
export interface LegacyImportProgress {
  /** Revision of the result stream; -1 if no chunk is done. */
  readonly revision: number;
  readonly last: ImportResultEvent | null;
}

export async function loadImportProgress(log: EventLog, id: string): Promise<LegacyImportProgress> {
  const [last] = (await log.read<ImportResultEvent>(importResultsStream(id), { backwards: true, limit: 1 })) ?? [];
  return last ? { revision: last.revision, last: last.event } : { revision: -1, last: null };
}

/** The totals of all chunks so far. */
export const countsOf = ({ last }: LegacyImportProgress): { counts: LegacyImportCounts; errors: number } =>
  last?.type === 'ImportChunkDone' ? { counts: last.data.counts, errors: last.data.errors_so_far } : { counts: zeroLegacyCounts, errors: 0 };

/** The rows of a chunk; null if there is none or if it can no longer be read. */
export async function loadRows(log: EventLog, id: string, chunk: number): Promise<readonly ImportRow[] | null> {
  const [stored] = (await log.read<ImportRowsEvent>(importRowsStream(id), { from: chunk, limit: 1 })) ?? [];
  return stored && stored.event.data.rows.length > 0 ? stored.event.data.rows : null;
}
