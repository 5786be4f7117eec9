/** What the cells of a column mean, by the type of the field that they fill. */
import type { UtcOffsetAt } from '../../kernel/clocks.js';
import { INEXACT_CODE, inexactHint, inexactNumbers } from '../../kernel/exact-numbers.js';
import type { CustomField, CustomFieldType } from '../custom-field.js';
import { booleanOf } from './booleans.js';
import { type DecimalMark, decimalMarksOf, numberOfText } from './numbers.js';
import { partsOf } from './parts.js';
import { type DateOrder, dateOrdersOf, dayOfText, timeOfText } from './times.js';

/** How the numbers and dates of a column are written; null where no cell can be read in two ways. */
export interface CellStyle {
  readonly decimal: DecimalMark | null;
  readonly order: DateOrder | null;
  /** The clocks of times without a zone. */
  readonly offsetAt: UtcOffsetAt;
}

/** The value of a cell, or why it has none. */
export type CellReading = { readonly value: unknown } | { readonly code: string; readonly message: string };

/** Characters of a cell in a message. */
const MAX_SHOWN = 60;

const expectations: Readonly<Record<Exclude<CustomFieldType, 'string' | 'string_list'>, { readonly what: string; readonly example: string }>> = {
  number: { what: 'number', example: '12.5' },
  boolean: { what: 'true or false', example: 'true' },
  date: { what: 'date', example: '1990-12-31' },
  datetime: { what: 'time', example: '2026-01-31T10:30:00Z' },
  json: { what: 'JSON', example: '{"size":"XL"}' },
};

/** Reads a cell that is not empty. Messages name its text, unless the field is personal: they are stored. */
export function readCell(text: string, { type, pii }: Pick<CustomField, 'type' | 'pii'>, style: CellStyle): CellReading {
  if (type === 'string') return { value: text };
  if (type === 'string_list') return { value: partsOf(text, 'semicolon') };
  if (type === 'json') return readJson(text, pii);
  const value = scalarOf(text, type, style);
  if (value === 'inexact') return { code: INEXACT_CODE, message: inexactHint(pii ? 'The number' : shownCell(text)) };
  return value === undefined || value === AMBIGUOUS ? wrong(type, value ?? 'invalid_type', text, pii) : { value };
}

const AMBIGUOUS = 'ambiguous';

function scalarOf(text: string, type: 'number' | 'boolean' | 'date' | 'datetime', { decimal, order, offsetAt }: CellStyle) {
  switch (type) {
    case 'number':
      return numberOfText(text, decimal);
    case 'boolean':
      return booleanOf(text);
    case 'date':
      return dayOfText(text, order, offsetAt);
    case 'datetime':
      return timeOfText(text, order, offsetAt);
    default:
      return type satisfies never;
  }
}

function readJson(text: string, pii: boolean): CellReading {
  try {
    const value: unknown = JSON.parse(text);
    const [inexact] = inexactNumbers(value, '');
    return inexact ? { code: inexact.code, message: pii ? inexactHint('A number') : inexact.message } : { value };
  } catch {
    return wrong('json', 'invalid_type', text, pii);
  }
}

function wrong(type: keyof typeof expectations, code: string, text: string, pii: boolean): CellReading {
  const { what, example } = expectations[type];
  const shown = `${pii ? 'what the cell has' : shownCell(text)}${code === AMBIGUOUS ? ', which can be read in two ways' : ''}`;
  return { code, message: type === 'boolean' ? `Use true or false, not ${shown}.` : `Use a ${what} such as ${example}, not ${shown}.` };
}

/** A cell in a message. */
const shownCell = (text: string): string => `'${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}'`;

/** How a number or a date is written, where that matters. */
type Style = DecimalMark | 'DMY' | 'MDY';

/** What the cells of one column say about how its numbers or dates are written. */
export class StyleEvidence {
  readonly #certain = new Set<Style>();
  #doubtful: string | null = null;

  /** `stylesOf`: the styles in which a cell is a value, if these give different values. */
  constructor(private readonly stylesOf: (text: string) => readonly Style[]) {}

  add(text: string): void {
    const styles = this.stylesOf(text);
    if (styles.length > 1) this.#doubtful ??= text;
    else for (const style of styles) this.#certain.add(style);
  }

  /** The style of the column; null if no cell needs one. `ask` has a cell that can be read in two ways, where nothing decides. */
  decide(fallback: Style | null): { readonly style: Style | null } | { readonly ask: string } {
    const [only, ...others] = this.#certain;
    if (only !== undefined && others.length === 0) return { style: only };
    if (this.#doubtful === null) return { style: null };
    return only !== undefined && fallback !== null ? { style: fallback } : { ask: this.#doubtful };
  }
}

export const numberEvidence = (): StyleEvidence => new StyleEvidence(decimalMarksOf);
export const dateEvidence = (): StyleEvidence => new StyleEvidence(dateOrdersOf);
