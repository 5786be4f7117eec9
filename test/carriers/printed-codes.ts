import { carrierNames, carrierOf } from '../../carriers/registry.js';
import { type CodeTable, errorClasses } from '../../carriers/runtime/codes.js';
import type { StatusMeaning } from '../../carriers/runtime/incoming.js';

/** All tables of codes, in the order of the carriers. */
export const codeTables: readonly CodeTable[] = carrierNames.flatMap((name) => carrierOf(name).codes);

/** The tables as docs/carriers.md has them. */
export const printedCodes = (): string => codeTables.map(printed).join('\n\n');

const code = (text: string): string => `\`${text}\``;
const NONE = '–';

function printed(table: CodeTable): string {
  const head = [`### ${table.title}`, '', `[Documentation](${table.page})`, ''];
  return [...head, ...('statuses' in table ? statusRows(table) : errorRows(table))].join('\n');
}

const ANSWERS = { transient_error: 'tried again', misconfigured: 'waits for the settings', permanent_error: 'failed' } as const;
const LISTED = { opted_out: '`stop_keyword`; of an email `unsubscribed`', complained: '`complained`', bounced: '`bounced`' } as const;

function errorRows({ codes, onlyAnswers }: Extract<CodeTable, { codes: unknown }>): string[] {
  const rows = Object.entries(codes).map(([name, [means, says]]) => {
    const { outcome, reason, ...rule } = errorClasses[means];
    const answer = outcome === 'permanent_error' ? `${ANSWERS[outcome]}, ${code(reason)}` : ANSWERS[outcome];
    const suppresses = 'listed_as' in rule ? LISTED[rule.listed_as] : NONE;
    return [code(name), says, answer, ...(onlyAnswers ? [] : [code(reason)]), suppresses];
  });
  return tableOf(['Code', 'Says', 'As an answer', ...(onlyAnswers ? [] : ['In a report']), 'Suppresses'], rows);
}

const statusRows = ({ statuses }: Extract<CodeTable, { statuses: unknown }>): string[] =>
  tableOf(
    ['Status', 'Recorded as', '`status_reason`', 'Class', 'Suppresses'],
    Object.entries(statuses).map(([name, meaning]) => [
      code(name),
      meaning?.kind ?? NONE,
      meaning?.reason ? code(meaning.reason) : NONE,
      meaning?.bounce_class ?? NONE,
      meaning ? suppressionOf(meaning) : NONE,
    ]),
  );

function suppressionOf({ kind, reason, listed_as }: StatusMeaning): string {
  if (listed_as) return listed_as === 'opted_out' ? '`unsubscribed`' : LISTED[listed_as];
  if (kind === 'unsubscribed') return '`unsubscribed`';
  if (kind === 'complained') return '`complained`';
  return reason === 'hard_bounce' ? '`bounced`' : NONE;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(head),
  `|${head.map(() => '---|').join('')}`,
  ...rows.map(row),
];
