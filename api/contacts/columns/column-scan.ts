import { type ColumnValues, isCertainOptOut } from './recognize.js';

/** Values of a column that are looked at one by one; columns about consent have few. */
const MAX_DISTINCT_VALUES = 300;

interface ScannedColumn {
  /** The row in which each value stands first. */
  readonly values: Map<string, number>;
  optOut: { readonly value: string; readonly row: number } | null;
}

/** Collects what the columns of a file contain, row by row, so that nothing is imported before all of it was looked at. */
export class ColumnScan {
  readonly #columns: readonly ScannedColumn[];
  #rows = 0;

  constructor(private readonly names: readonly string[]) {
    this.#columns = names.map(() => ({ values: new Map(), optOut: null }));
  }

  /** Number of rows so far. */
  get rows(): number {
    return this.#rows;
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** `cells`: without blanks around them. Cells beyond the columns are left out. */
  add(cells: readonly (string | undefined)[]): void {
    this.#rows += 1;
    for (let i = 0; i < this.#columns.length; i++) {
      const value = cells[i];
      const column = this.#columns[i] as ScannedColumn;
      if (!value) continue;
      if (column.values.size < MAX_DISTINCT_VALUES) {
        if (column.values.has(value)) continue;
        column.values.set(value, this.#rows);
      }
      if (column.optOut === null && isCertainOptOut(value)) column.optOut = { value, row: this.#rows };
    }
  }

  columns(): ColumnValues[] {
    return this.names.map((name, i) => {
      const { values, optOut } = this.#columns[i] as ScannedColumn;
      return { name, values: new Set(values.keys()), optOut: optOut?.value ?? null };
    });
  }

  /** The first row in which a column has a value; 1 if none is known. */
  rowOf(name: string, value: string): number {
    const column = this.#columns[this.names.indexOf(name)];
    if (!column) return 1;
    return column.values.get(value) ?? (column.optOut?.value === value ? column.optOut.row : 1);
  }
}
