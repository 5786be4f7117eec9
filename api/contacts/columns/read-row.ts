import type { RowStatement } from '../../../domain/contacts/statements.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';

/** A row of an import before its shape is validated. */
export interface ReadRow {
  readonly row: number;
  /** Null if the row is not a contact. */
  readonly contact: unknown;
  /** What it says of consent, suppressions and lists. */
  readonly statements?: readonly RowStatement[];
  /** Problems of the cells whose text is not a valid value of their field. */
  readonly problems: readonly FieldProblem[];
}
