import { CONTACT_IMPORT, CONTACT_IMPORT_DRY_RUN, type ImportOptions, type ImportRow } from '../../domain/contacts/import.js';
import type { ImportEvent } from '../../domain/contacts/legacy-import.js';
import { importStream } from '../../domain/contacts/legacy-import.js';
import { DomainError, type FieldProblem, invalid, isDomainError } from '../../domain/kernel/errors.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { findEarlierRun } from '../runtime/idempotency.js';

/** A chunk has at most this many rows and about this many characters: an append must stay below 512 kB. */
const CHUNK_ROWS = 1_000;
const CHUNK_CHARACTERS = 100_000;
/** Up to this many rows are processed while the caller waits. */
export const MAX_SYNCHRONOUS_ROWS = 1_000;

export interface AcceptImportInput {
  readonly options: ImportOptions;
  /** Can be iterated repeatedly, with the same rows in the same order. */
  readonly rows: () => AsyncIterable<ImportRow> | Iterable<ImportRow>;
  /** Only finds out what the import would do. */
  readonly dryRun?: boolean;
  /** Once it is aborted nothing more is stored, and the import is abandoned. */
  readonly signal?: AbortSignal;
}

/**
 * Stores the rows of an import in sealed chunks as they arrive, as a job. Under an idempotency key a repeat continues where the
 * first try stopped. Throws `validation_error` for unknown lists and if there are no rows.
 */
export const acceptImport = internalCommand({
  name: 'AcceptImport',

  async handle({ options, rows, dryRun = false, signal }: AcceptImportInput, context): Promise<StoredJob> {
    const job_id = context.newId('job');
    const earlier = (await findLegacyImport(context, job_id)) ?? (await findStoredJob(context, job_id));
    if (earlier) return earlier;
    await requireLists(context, options.list_ids);
    const stored = await storeJob(context, {
      job_id,
      kind: dryRun ? CONTACT_IMPORT_DRY_RUN : CONTACT_IMPORT,
      params: { ...options, ...(context.cause.test && { test: true }) },
      chunks: chunksOf(rows()),
      ...(options.stopped && { total: options.stopped.total }),
      by: (total) => (total <= MAX_SYNCHRONOUS_ROWS && !dryRun ? 'request' : 'process'),
      signal,
    });
    if (!stored) throw invalid([{ field: 'contacts', code: 'required', message: 'Send at least one row.' }]);
    return stored;
  },
});

/** What an earlier run under the same key stored before imports were jobs; a process manager does the rest of it. */
async function findLegacyImport(context: Context, id: string): Promise<StoredJob | null> {
  const { log, cause, now } = context;
  const past = cause.key ? await log.read<ImportEvent>(importStream(id)) : null;
  if (!past) return null;
  findEarlierRun(cause, past);
  const accepted = past.find(({ event }) => event.type === 'ImportAccepted');
  if (accepted?.event.type !== 'ImportAccepted')
    throw new DomainError('conflict', 'The rows of this import did not all come. Send it again with another key.');
  context.markReplayed(accepted.position);
  return { job_id: id, total: accepted.event.data.total, by: 'process', created_at: past[0]?.event.data.at ?? now };
}

/** Throws `validation_error` that names every list that there is not. */
export async function requireLists(context: Pick<Context, 'log' | 'cause'>, ids: readonly string[]): Promise<void> {
  const problems = await unknownLists(context, ids);
  if (problems.length > 0) throw invalid(problems);
}

/** A problem for each list that there is not. Malformed ids are undefined. */
export async function unknownLists({ log, cause }: Pick<Context, 'log' | 'cause'>, ids: readonly (string | undefined)[]): Promise<FieldProblem[]> {
  const problems = await Promise.all(
    ids.map(async (id, i) => {
      try {
        if (id !== undefined) await loadList(log, cause.account, id);
        return [];
      } catch (e) {
        if (!isDomainError(e)) throw e;
        return [{ field: `list_ids[${i}]`, code: 'not_found', message: 'There is no such list.' }];
      }
    }),
  );
  return problems.flat();
}

/** Splits rows into chunks. The same rows always fall into the same chunks. */
export async function* chunksOf(
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
  { most = CHUNK_ROWS, characters = CHUNK_CHARACTERS } = {},
): AsyncGenerator<ImportRow[]> {
  let chunk: ImportRow[] = [];
  let size = 0;
  for await (const row of rows) {
    const own = JSON.stringify(row).length;
    if (chunk.length === most || (chunk.length > 0 && size + own > characters)) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(own > CHUNK_CHARACTERS ? tooLong(row) : row);
    size += Math.min(own, CHUNK_CHARACTERS);
  }
  if (chunk.length > 0) yield chunk;
}

const tooLong = ({ row }: ImportRow): ImportRow => ({
  row,
  problems: [{ field: '', code: 'too_long', message: `A row has at most ${CHUNK_CHARACTERS} characters.` }],
});
