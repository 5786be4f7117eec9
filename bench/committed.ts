import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownField, setOwnField } from '../domain/kernel/own-fields.js';
import type { Part } from './figures.js';
import { type Machine, machineText } from './machine.js';

/** The source, beside which `dist/` is. */
const FILE = fileURLToPath(new URL('../../bench/committed.json', import.meta.url));

/** A figure of an earlier run, and how many times the reference of that run it was. */
interface CommittedFigure {
  readonly value: number;
  readonly ratio?: number;
}

interface CommittedPart {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly machine: string;
  readonly quick: boolean;
  readonly figures: Readonly<Record<string, CommittedFigure>>;
}

/** By part and figure: what the last run gave whose figures were committed, with its day and machine. */
type CommittedTable = Readonly<Record<string, CommittedPart>>;

const committed = (): CommittedTable => JSON.parse(readFileSync(FILE, 'utf8')) as CommittedTable;

/** The same part with the committed figures beside its own. */
export function withCommitted(part: Part): Part {
  const known = ownField(committed(), part.name);
  if (!known) return part;
  const { date, machine, quick } = known;
  const figures = part.figures.map((figure) => {
    const before = ownField(known.figures, figure.name);
    return before ? { ...figure, committed: before } : figure;
  });
  return { ...part, figures, committed: `${date}, ${machine}${quick ? ', a quick run' : ''}` };
}

/** Writes the figures of a run into the table. */
export function commit(parts: readonly Part[], machine: Machine, quick: boolean): void {
  const all: Record<string, CommittedPart> = { ...committed() };
  for (const { name, figures } of parts) {
    const own: Record<string, CommittedFigure> = {};
    for (const { name: of, value, reference } of figures)
      setOwnField(own, of, { value: rounded(value), ...(reference && { ratio: rounded(reference.ratio) }) });
    const date = new Date().toISOString().slice(0, 10);
    setOwnField(all, name, { date, machine: machineText(machine), quick, figures: own });
  }
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}

const rounded = (value: number): number => Number(value.toPrecision(4));
