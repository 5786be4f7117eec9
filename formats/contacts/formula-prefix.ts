/** What a spreadsheet would run as a formula, also behind apostrophes. Numbers, also of phones, stay as they are. */
const FORMULA = /^'*(?:[=@\t\r]|[+-](?![\d.]))/;

/** A cell for a file that a spreadsheet may open: an apostrophe keeps it from running. */
export const withFormulaPrefix = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** The cell before its apostrophe was put in front. */
export const withoutFormulaPrefix = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
