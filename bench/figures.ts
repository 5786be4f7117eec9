/** The figures of the benchmark as data: printed as a table or as one JSON document. */

/** The limit of a figure. */
export interface Bound {
  /** The number that is compared with the limit. */
  readonly of: 'value' | 'ratio';
  readonly at: 'least' | 'most';
  readonly is: number;
  /** The goal beyond the bound. */
  readonly aim?: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Measured in the same run, alternating with the value. `ratio` is value divided by reference. */
  readonly reference?: { readonly name: string; readonly value: number; readonly ratio: number };
  readonly bound?: Bound;
  readonly met?: boolean;
  /** That of the run whose figures are committed. */
  readonly committed?: { readonly value: number; readonly ratio?: number };
}

export interface Part {
  /** As `--only` names it. */
  readonly name: string;
  readonly title: string;
  /** Conditions of the measurement: sizes, rounds, connections. */
  readonly dataset: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** Day and machine of the committed figures. */
  readonly committed?: string;
}

export function figure(name: string, value: number, unit: string, more: { reference?: { name: string; value: number }; bound?: Bound } = {}): Figure {
  const { reference, bound } = more;
  const ratio = reference && value / reference.value;
  const held = bound?.of === 'ratio' ? ratio : value;
  return {
    name,
    value,
    unit,
    ...(reference && { reference: { ...reference, ratio: ratio as number } }),
    ...(bound && held !== undefined && { bound, met: bound.at === 'least' ? held >= bound.is : held <= bound.is }),
  };
}

/** By linear interpolation; `fraction` from 0 to 1. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = fraction * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export const medianOf = (values: readonly number[]): number => percentile(values, 0.5);

/** Rounds to three significant digits. */
export function short(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

export function figureTable({ name, title, dataset, seconds, figures, committed }: Part): string {
  const rows = figures.map((f) => [
    f.name,
    `${short(f.value)} ${f.unit}`,
    f.reference ? `${short(f.reference.ratio)} x ${f.reference.name} (${short(f.reference.value)})` : '',
    f.committed ? `before: ${short(f.committed.value)}${f.committed.ratio === undefined ? '' : ` (${short(f.committed.ratio)} x)`}` : '',
    boundText(f),
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...rows.map((row) => (row[column] as string).length)));
  const lines = rows.map(
    (row) => `  ${row.map((cell, i) => (i === 1 ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number))).join('  ')}`,
  );
  const head = [`(${name}) ${title}`, `  ${dataset}; ${short(seconds)} s in all`, ...(committed ? [`  before: ${committed}`] : [])];
  return [...head, ...lines.map((line) => line.trimEnd())].join('\n');
}

function boundText({ bound, met }: Figure): string {
  if (!bound) return '';
  const { of, at, is, aim } = bound;
  const unit = of === 'ratio' ? ' x' : '';
  return `${met ? 'met' : 'MISSED'}: at ${at} ${short(is)}${unit}${aim === undefined ? '' : `, aim ${short(aim)}${unit}`}`;
}
