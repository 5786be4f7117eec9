import { moreRestrictive, type RowStatement } from '../../../domain/contacts/statements.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { type MeaningTable, meaningOf } from './meanings.js';

/** What a column says, and of what. */
export interface StatementColumn {
  readonly name: string;
  readonly about: Pick<RowStatement, 'kind' | 'channel' | 'list_id'>;
  readonly reading: MeaningTable;
  /** The caller has mapped it: its grants count. */
  readonly isMapped: boolean;
  /** A column of an export of this service: what its cell says, or what is wrong with it. */
  readonly parse?: (text: string) => RowStatement[] | string;
}

interface RowSaying {
  readonly statements: readonly RowStatement[];
  readonly problems: readonly FieldProblem[];
}

/**
 * What the cells of a row say. Of several statements about one thing the most restrictive counts, with the earliest time that is known.
 * A cell that is not understood is a problem: an opt-out is never skipped.
 */
export function statementsOf(cells: readonly (readonly [column: StatementColumn, text: string])[]): RowSaying {
  const said = new Map<string, RowStatement>();
  const problems: FieldProblem[] = [];
  const exact: RowStatement[] = [];
  for (const [{ name, about, reading, isMapped, parse }, text] of cells) {
    if (parse) {
      const parsed = text === '' ? [] : parse(text);
      if (typeof parsed === 'string') problems.push({ field: name, code: 'unclear_consent', message: parsed });
      else exact.push(...parsed);
      continue;
    }
    const read = meaningOf(text, reading);
    if (read === null) problems.push(unclearCell(name, text));
    if (!read?.meaning) continue;
    const key = `${about.kind}/${about.channel ?? about.list_id}`;
    const one: RowStatement = { ...about, meaning: read.meaning, ...(read.at && { at: read.at }), ...(isMapped && { mapped: true }) };
    const other = said.get(key);
    said.set(key, other ? unifyStatements(other, one) : one);
  }
  return { statements: [...exact, ...said.values()], problems };
}

function unifyStatements(a: RowStatement, b: RowStatement): RowStatement {
  const winner = moreRestrictive(a.meaning, b.meaning) === a.meaning ? a : b;
  const times = [a, b].flatMap(({ meaning, at }) => (meaning === winner.meaning && at ? [at] : [])).sort();
  return { ...winner, ...(times[0] && { at: times[0] }) };
}

const unclearCell = (name: string, text: string): FieldProblem => ({
  field: name,
  code: 'unclear_consent',
  message: `'${text.slice(0, 60)}' says neither yes nor no to messages. Use for example subscribed, unsubscribed, yes or no.`,
});
