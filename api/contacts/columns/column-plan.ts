import { consentChannels } from '../../../domain/consent/consent.js';
import type { CustomFields } from '../../../domain/contacts/custom-field.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { soundsLikeOptOut } from './consent-words.js';
import { consentFlag, listFlag, type MeaningTable, mappedSuppression, optOutFlag } from './meanings.js';
import { type ListName, ownColumnOf, readOwnColumn } from './own-columns.js';
import { type ColumnValues, type RecognizedColumn, recognizeColumns } from './recognize.js';
import type { StatementColumn } from './row-statements.js';

/** What the caller says of columns. */
export interface ColumnWishes {
  /** By the name of a column: the field that it fills or what it says, or null for a column that is left out. */
  readonly mapping: Readonly<Record<string, string | null>>;
  readonly ignored: readonly string[];
  readonly fields: CustomFields;
  readonly lists: readonly ListName[];
}

/** What becomes of a column. */
export interface PlannedColumn {
  readonly name: string;
  /** The field that it fills: `email`, `tags`, `name`, `custom_fields.plan`. */
  readonly field: string | null;
  /** Phone numbers with the country prefix and without a plus. */
  readonly isInternational: boolean;
  readonly statement: StatementColumn | null;
  /** Of recognized columns that fill one field, the lowest one is asked first. */
  readonly rank: number;
  readonly reason: string;
  readonly by: 'mapping' | 'ignored' | 'table' | 'nothing';
}

export interface ColumnPlan {
  readonly columns: readonly PlannedColumn[];
  /** Of the mapping. Fields are named as in `mapping`. */
  readonly problems: readonly FieldProblem[];
  /** Columns that sound like consent or an opt-out, and about which the caller has not said anything. */
  readonly unclear: readonly { readonly name: string; readonly value: string }[];
}

/** Decides what becomes of each column: the caller first, then the tables. Pure. */
export function planColumns(columns: readonly ColumnValues[], wishes: ColumnWishes): ColumnPlan {
  const problems: FieldProblem[] = [];
  const recognized = recognizeColumns(columns, wishes.fields);
  const own = new Map(columns.flatMap(({ name, values }) => ownColumn(name, values, wishes) ?? []));
  const planned = recognized.map((one) => {
    if (wishes.ignored.includes(one.name)) return leftOut(one.name, 'ignored', 'The import leaves it out.');
    const wanted = Object.hasOwn(wishes.mapping, one.name) ? ownField(wishes.mapping, one.name) : undefined;
    if (wanted === undefined) return own.get(one.name) ?? ofTable(one);
    if (wanted === null) return leftOut(one.name, 'ignored', 'The mapping leaves it out.');
    const mapped = ofMapping(one, wanted, wishes.lists);
    if ('code' in mapped) problems.push(mapped);
    return 'code' in mapped ? leftOut(one.name, 'ignored', mapped.message) : mapped;
  });
  const isMentioned = ({ name }: RecognizedColumn): boolean => wishes.ignored.includes(name) || Object.hasOwn(wishes.mapping, name) || own.has(name);
  const unclear = recognized.flatMap((one) => (one.unclear === null || isMentioned(one) ? [] : [{ name: one.name, value: one.unclear }]));
  return { columns: planned, problems, unclear };
}

/** A column of an export of this service, with what its cells say. */
function ownColumn(name: string, values: Iterable<string>, { lists }: ColumnWishes): [[string, PlannedColumn]] | null {
  const column = ownColumnOf(name, values);
  if (column === null) return null;
  const statement = {
    name,
    about: { kind: 'consent' } as const,
    reading: {},
    isMapped: true,
    parse: (text: string) => readOwnColumn(column, text, lists),
  };
  const reason = 'Exports of this service have such a column, and it comes back as it was.';
  return [[name, { name, field: null, isInternational: false, statement, rank: 0, reason, by: 'table' }]];
}

const leftOut = (name: string, by: 'ignored' | 'nothing', reason: string): PlannedColumn => ({
  ...{ name, field: null, isInternational: false, statement: null, rank: 0, reason, by },
});

function ofTable({ name, use, alsoFills, rank, reason }: RecognizedColumn): PlannedColumn {
  if (use === null || use.is === 'nothing') return { ...leftOut(name, 'nothing', reason), by: use === null ? 'nothing' : 'table' };
  const base = { name, isInternational: false, rank, reason, by: 'table' } as const;
  if (use.is === 'field') return { ...base, field: use.field, isInternational: use.isInternational ?? false, statement: null };
  const { kind, channel, reading } = use;
  return { ...base, field: alsoFills ?? null, statement: { name, about: { kind, channel }, reading, isMapped: false } };
}

/** The column as its mapping has it, or the problem of the mapping. */
function ofMapping(one: RecognizedColumn, wanted: string, lists: readonly ListName[]): PlannedColumn | FieldProblem {
  const { name } = one;
  const base = { name, isInternational: false, rank: 0, reason: 'The mapping says so.', by: 'mapping' } as const;
  const problem = (code: string, message: string): FieldProblem => ({ field: `mapping.${name}`, code, message });
  const [kind, rest = ''] = splitAtDot(wanted);
  if (kind === 'consent' || kind === 'suppression') {
    const channel = consentChannels.find((one) => one === rest);
    if (channel === undefined) return problem('unknown_channel', `There is no channel '${rest}'. Use ${kind}.${consentChannels.join(`, ${kind}.`)}.`);
    return { ...base, field: null, statement: { name, about: { kind, channel }, reading: readingOf(one, kind), isMapped: true } };
  }
  if (kind !== 'lists') return { ...base, field: wanted, statement: null };
  const list = lists.find(({ id }) => id === rest) ?? lists.find((list) => list.name.toLowerCase() === rest.toLowerCase());
  if (!list) return problem('unknown_list', `There is no list '${rest}'. Create it first, or name it by its id.`);
  return { ...base, field: null, statement: { name, about: { kind: 'list', list_id: list.id }, reading: listFlag, isMapped: true } };
}

function splitAtDot(text: string): [string, string?] {
  const dot = text.indexOf('.');
  return dot === -1 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}

/** A column that asks for the opt-out keeps its sense: `Unsubscribed` = true is no consent, whatever it is mapped to. */
function readingOf({ use, name }: RecognizedColumn, kind: 'consent' | 'suppression'): MeaningTable {
  if (use?.is === 'statement' && use.kind === kind) return use.reading;
  if (kind === 'suppression') return mappedSuppression;
  return soundsLikeOptOut(name) ? optOutFlag : consentFlag;
}

/** How a plan names what becomes of a column: the target of a mapping, or null. */
export function mappingTargetOf({ field, statement }: PlannedColumn): string | null {
  if (!statement) return field;
  if (statement.parse) return statement.name.toLowerCase();
  const { kind, channel, list_id } = statement.about;
  return kind === 'list' ? `lists.${list_id}` : `${kind}.${channel}`;
}
