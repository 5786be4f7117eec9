import { type ContactInput, contactInput, missingKey, readContactInput } from '../../commands/contacts/contact-input.js';
import type { Context } from '../../commands/runtime/command.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX } from '../../domain/contacts/facts.js';
import type { ImportRow } from '../../domain/contacts/import.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { type CheckedRequest, itemChecker } from '../http/items.js';
import { unknownFieldsIn } from '../http/unknown-field-policy.js';
import type { ReadRow } from './columns/read-row.js';

/** Rows that are checked before other requests get the thread. */
const CHECKED_AT_ONCE = 100;

/** Checks the rows of imports by the schema of a contact. */
export const contactChecker = itemChecker('contacts', contactInput);

/** Rows with their contact or their problems. */
export async function* checkedRows(rows: Iterable<ReadRow>, { ruleContext, unknownFields }: CheckedRequest): AsyncGenerator<ImportRow> {
  // Before the first row was read it is known that nothing is repeated.
  const request: CheckedRequest = { ruleContext, unknownFields: { ...unknownFields, isOpen: false } };
  for (const { row, contact, statements, problems: known } of rows) {
    if (row % CHECKED_AT_ONCE === 0) await ruleContext().yieldToEventLoop();
    if (contact === null && known.length > 0) {
      yield { row, problems: known.map(stored) };
      continue;
    }
    const value = withoutNulls(contact);
    const { items, problems } = await contactChecker.checkItems([value], request);
    if (items.length > 0 && known.length === 0) {
      yield { row, contact: value as Record<string, unknown>, ...(statements && { statements }) };
      continue;
    }
    const others =
      known.length > 0 && problems.length === 0 ? await contactChecker.allProblems([value], ruleContext(), unknownFields.strict) : problems;
    yield { row, problems: [...known, ...others].map(stored) };
  }
}

/** Cells that are no value of their field, by field: how many, and the first of them. */
export class LeftOutCells {
  readonly #found = new Map<string, { count: number; readonly row: number; readonly message: string }>();
  /** All rows are counted. */
  isComplete = false;

  add(row: number, field: string, message: string): void {
    const known = this.#found.get(field);
    if (known) known.count += 1;
    else this.#found.set(field, { count: 1, row, message });
  }

  /** A sentence each field. `columnOf`: the name of the column that fills it. */
  warnings(columnOf: (field: string) => string): string[] {
    return [...this.#found].map(([field, { count, row, message }]) => {
      const cells = count === 1 ? '1 cell was left out, in' : `${count} cells were left out, the first in`;
      return `column '${columnOf(field)}': ${cells} row ${row}: ${message}`;
    });
  }
}

/** The same for rows of a file: cells with a problem are left out of rows that another field identifies. */
export async function* leniently(
  rows: Iterable<ReadRow>,
  ruleContext: () => Context,
  fields: CustomFields,
  leftOut: LeftOutCells,
): AsyncGenerator<ImportRow> {
  const reader = { account: '', addresses: NO_KEYS, fields };
  // The fields are columns that were understood.
  const request: CheckedRequest = { ruleContext, unknownFields: unknownFieldsIn('new', false) };
  const problemsOf = async (contact: ContactInput): Promise<readonly FieldProblem[]> => {
    const { items, problems } = await contactChecker.checkItems([contact], request);
    if (items.length === 0) return problems;
    const reading = readContactInput(contact, reader);
    return 'problems' in reading ? reading.problems : reading.row.keys.length === 0 ? [missingKey] : [];
  };
  for (const { row, contact, statements, problems: known } of rows) {
    if (row % CHECKED_AT_ONCE === 0) await ruleContext().yieldToEventLoop();
    if (contact === null) {
      yield { row, problems: known.map(stored) };
      continue;
    }
    const { problems: malformed } = await contactChecker.checkItems([contact], request);
    // The readers of the cells have checked everything else. Whether the contact is identified is found when the row is processed.
    if (malformed.length === 0 && known.length === 0) {
      yield { row, contact: contact as Record<string, unknown>, ...(statements && { statements }) };
      continue;
    }
    const first = malformed.length > 0 ? malformed : await problemsOf(contact as ContactInput);
    const wrong = [...known, ...first.filter((problem) => problem !== missingKey)];
    const rest = withoutFields(contact as ContactInput, wrong);
    if (wrong.length === 0 || !rest || (await problemsOf(rest)).length > 0) {
      yield { row, problems: (wrong.length === 0 ? first : wrong).map(stored) };
      continue;
    }
    for (const { field, message } of wrong) leftOut.add(row, fieldOf(field), message);
    yield { row, contact: rest as Record<string, unknown>, ...(statements && { statements }) };
  }
  leftOut.isComplete = true;
}

/** Only whether there are keys matters here. */
const NO_KEYS = { key: () => '' };

/** The contact without the fields of some problems; null if a problem is of no field. */
function withoutFields(contact: ContactInput, problems: readonly FieldProblem[]): ContactInput | null {
  const names = new Set(problems.map(({ field }) => fieldOf(field)));
  if (names.has('') || names.has('body') || names.has('custom_fields')) return null;
  const { custom_fields, ...base } = contact;
  const kept = (entries: Record<string, unknown>, prefix: string) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !names.has(`${prefix}${name}`)));
  const custom = kept(custom_fields ?? {}, CUSTOM_FIELD_PREFIX);
  return { ...kept(base, ''), ...(Object.keys(custom).length > 0 && { custom_fields: custom }) };
}

/** The field of a path: `tags` of `tags[3]`. */
const fieldOf = (path: string): string => path.replace(/\[.*$/, '');

const stored = ({ field, code, message }: FieldProblem): FieldProblem => ({ field: field === 'body' ? '' : field, code, message });

/** Nulls change nothing in an import. */
export function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const known = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, name === 'custom_fields' && !Array.isArray(value) ? withoutNulls(value) : value]));
}
