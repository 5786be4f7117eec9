import { type ImportCounts, type ImportOptions, type ImportProblem, type ImportRow, zeroCounts } from '../../domain/contacts/import.js';
import { invalid } from '../../domain/kernel/errors.js';
import { internalCommand } from '../kernel.js';
import { chunksOf, requireLists } from './accept-import.js';
import { importRows } from './import-rows.js';
import { addCounts } from './work-on-import.js';

/** Rows that are tried together: what they would write is in memory meanwhile. */
const MAX_ROWS_TOGETHER = 2_000;
const MAX_CHARACTERS_TOGETHER = 2_000_000;

export interface DryRunResult {
  readonly total: number;
  readonly counts: ImportCounts;
  readonly errors: readonly ImportProblem[];
}

interface DryRunInput {
  readonly options: ImportOptions;
  readonly rows: () => AsyncIterable<ImportRow> | Iterable<ImportRow>;
}

/**
 * What an import would come to: the same work over a log that takes appends which nobody else sees. Nothing is written. Of a
 * file of more than 2,000 rows, one that names a contact of rows further above counts as merged, although it might say
 * nothing new. Throws `validation_error` for a list that there is not, and where there are no rows.
 */
export const dryRunImport = internalCommand({
  name: 'TryImport',

  async handle({ options, rows }: DryRunInput, context): Promise<DryRunResult> {
    await requireLists(context, options.list_ids);
    const id = context.newId('job');
    const seen = new Set<string>();
    const errors: ImportProblem[] = [];
    let counts = zeroCounts;
    let total = 0;
    for await (const part of chunksOf(rows(), { most: MAX_ROWS_TOGETHER, characters: MAX_CHARACTERS_TOGETHER })) {
      const done = await importRows(context, { id, options, trial: context.log.overlay(), seen }, part);
      for (const key of done.keys) seen.add(key);
      errors.push(...done.errors);
      counts = addCounts(counts, done.counts);
      total += part.length;
    }
    if (total === 0) throw invalid([{ field: 'contacts', code: 'required', message: 'Send at least one row.' }]);
    return { total, counts, errors };
  },
});
