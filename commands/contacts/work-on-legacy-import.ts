import Type from 'typebox';
import { type LegacyImportCounts, zeroLegacyCounts } from '../../domain/contacts/import.js';
import { importResultsStream, importStream, legacyImport } from '../../domain/contacts/legacy-import.js';
import { text } from '../../domain/kernel/schema.js';
import {
  countsOf,
  type LegacyImportProgress,
  loadImportProgress,
  loadLegacyImport,
  loadRows,
} from '../../log/aggregates/contacts/load-legacy-import.js';
import { tryAppend } from '../runtime/append.js';
import { type Context, command } from '../runtime/command.js';
import { importRows } from './import-rows.js';

/**
 * One step of an import that was accepted before imports were jobs: its next chunk, or its end. Runs that process the same chunk append the same events, and it is counted
 * once. `over` is true if nothing is left to do.
 */
export const workOnLegacyImport = command({
  name: 'WorkOnImport',
  input: Type.Object({ import_id: text }),

  async handle({ import_id }, context): Promise<{ readonly over: boolean }> {
    const { state } = await loadLegacyImport(context.log, import_id);
    if (state.status !== 'running' && state.status !== 'canceling') return { over: true };
    const progress = await loadImportProgress(context.log, import_id);
    const chunk = progress.revision + 1;
    if (state.status === 'canceling' || chunk === state.chunks) {
      await context.decide(legacyImport, importStream(import_id), { type: 'Finish', chunks: chunk, ...countsOf(progress), now: context.now });
      return { over: true };
    }
    const rows = await loadRows(context.log, import_id, chunk);
    if (!rows) {
      // Another run has finished the import, and its rows are destroyed.
      const { state: now } = await loadLegacyImport(context.log, import_id);
      if (now.status === 'running' || now.status === 'canceling') throw new Error(`rows of chunk ${chunk} of import ${import_id} cannot be read`);
      return { over: true };
    }
    const done = await importRows(context, { id: import_id, options: state.options }, rows);
    await record(context, import_id, progress, done);
    return { over: false };
  },
});

async function record(
  context: Context,
  import_id: string,
  progress: LegacyImportProgress,
  done: Awaited<ReturnType<typeof importRows>>,
): Promise<void> {
  const { counts, errors } = countsOf(progress);
  const { errors: own, contacts } = done;
  const data = {
    import_id,
    chunk: progress.revision + 1,
    counts: addCounts(counts, done.counts),
    errors: own,
    errors_so_far: errors + own.length,
    contacts,
    at: context.now,
  };
  // If another run was first, its result counts.
  await tryAppend(context, importResultsStream(import_id), progress.revision, [{ type: 'ImportChunkDone', data }]);
}

const countNames = Object.keys(zeroLegacyCounts) as (keyof LegacyImportCounts)[];

const addCounts = (a: LegacyImportCounts, b: LegacyImportCounts): LegacyImportCounts =>
  Object.fromEntries(countNames.map((name) => [name, a[name] + b[name]])) as LegacyImportCounts;
