import type { ImportOptions, ImportRow } from '../../domain/contacts/import.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { internalCommand } from '../runtime/command.js';
import { requireLists } from './accept-import.js';
import { importRows } from './import-rows.js';

/** What would become of a row. */
export interface RowPreview {
  readonly row: number;
  readonly would: 'create' | 'merge' | 'unchanged' | 'fail';
  /** The contact that the row is about; null of one that does not exist yet. */
  readonly contact_id: string | null;
  readonly errors: readonly FieldProblem[];
  /** What is kept apart because its addresses belong to others: codes of the warnings. */
  readonly warnings: readonly string[];
}

interface PreviewInput {
  readonly options: ImportOptions;
  readonly rows: readonly ImportRow[];
}

const verbs = { created: 'create', merged: 'merge', unchanged: 'unchanged' } as const;

/** What an import would make of some rows, by the same work over an overlay of the log. Nothing is written. Throws `validation_error` for unknown lists. */
export const previewImport = internalCommand({
  name: 'PreviewImport',

  async handle({ options, rows }: PreviewInput, context): Promise<RowPreview[]> {
    await requireLists(context, options.list_ids);
    const outcomes = new Map<number, Pick<RowPreview, 'would' | 'contact_id'>>();
    const { errors, warnings } = await importRows(
      context,
      {
        ...{ id: context.newId('job'), options, trial: context.log.overlay() },
        observe: (row, { outcome, contacts }) =>
          outcomes.set(row, { would: verbs[outcome], contact_id: outcome === 'created' ? null : (contacts[0] ?? null) }),
      },
      rows,
    );
    return rows.map(({ row }) => ({
      row,
      ...(outcomes.get(row) ?? { would: 'fail', contact_id: null }),
      warnings: warnings.filter((one) => one.row === row).map(({ code, contact_id }) => `${code} ${contact_id}`),
      errors: errors.filter((error) => error.row === row).map(({ field, code, message }) => ({ field, code, message })),
    }));
  },
});
