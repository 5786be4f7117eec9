import { type ImportCounts, type ImportOptions, type ImportProblem, type ImportRow, zeroCounts } from '../../domain/contacts/import.js';
import { invalid } from '../../domain/kernel/errors.js';
import { internalCommand } from '../runtime/command.js';
import { chunksOf, requireLists } from './accept-import.js';
import { importRows, type RowWarning } from './import-rows.js';

/** Rows that are processed together: their appends are held in memory. */
const MAX_ROWS_TOGETHER = 2_000;
const MAX_CHARACTERS_TOGETHER = 2_000_000;

const countNames = Object.keys(zeroCounts) as (keyof ImportCounts)[];
const addCounts = (a: ImportCounts, b: ImportCounts): ImportCounts =>
  Object.fromEntries(countNames.map((name) => [name, a[name] + b[name]])) as unknown as ImportCounts;

export interface ImportDryRunResult {
  readonly total: number;
  readonly counts: ImportCounts;
  readonly errors: readonly ImportProblem[];
  readonly warnings: readonly RowWarning[];
}

interface DryRunInput {
  readonly options: ImportOptions;
  readonly rows: () => AsyncIterable<ImportRow> | Iterable<ImportRow>;
}

/**
 * The result an import would have, by the same work over an overlay of the log. Nothing is written. In a file of more than 2,000
 * rows, a row that names a contact of earlier rows counts as merged even if it changes nothing. Throws `validation_error` for
 * unknown lists and if there are no rows.
 */
export const dryRunImport = internalCommand({
  name: 'TryImport',

  async handle({ options, rows }: DryRunInput, context): Promise<ImportDryRunResult> {
    await requireLists(context, options.list_ids);
    const id = context.newId('job');
    const seen = new Set<string>();
    const errors: ImportProblem[] = [];
    const warnings: RowWarning[] = [];
    let counts = zeroCounts;
    let total = 0;
    for await (const part of chunksOf(rows(), { most: MAX_ROWS_TOGETHER, characters: MAX_CHARACTERS_TOGETHER })) {
      const done = await importRows(context, { id, options, trial: context.log.overlay(), seen }, part);
      for (const key of done.keys) seen.add(key);
      errors.push(...done.errors);
      warnings.push(...done.warnings);
      counts = addCounts(counts, done.counts);
      total += part.length;
    }
    if (total === 0) throw invalid([{ field: 'contacts', code: 'required', message: 'Send at least one row.' }]);
    return { total, counts, errors, warnings };
  },
});
