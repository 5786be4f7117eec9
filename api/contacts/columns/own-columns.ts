import { consentChannels, lawfulBases, PURPOSE_PATTERN } from '../../../domain/consent/consent.js';
import type { RowStatement, StatementMeaning } from '../../../domain/contacts/statements.js';
import { utcClocks } from '../../../domain/kernel/clocks.js';
import { beginOf, isoOf, readTime } from '../../../domain/kernel/written-times.js';
import { suppressionReasonNames, suppressionScopes } from '../../../domain/suppressions/reasons.js';
import { suppressionChannels } from '../../../domain/suppressions/suppression.js';

/** The columns of this service's own exports that say more than one word can: JSON. What is exported comes back unchanged. */
export const OWN_COLUMNS = ['consents', 'lists', 'suppressions'] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];

/** A list of the account. */
export interface ListName {
  readonly id: string;
  readonly name: string;
}

type Item = Readonly<Record<string, unknown>>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOfTexts = <T extends string>(value: unknown, texts: readonly T[]): T | undefined => texts.find((text) => text === value);
const momentOf = (value: unknown): string | undefined => {
  const time = typeof value === 'string' ? readTime(value, utcClocks) : null;
  return (time && isoOf(beginOf(time, utcClocks))) ?? undefined;
};

/** Whether a column is one of them: its name, and cells that are JSON. */
export const ownColumnOf = (name: string, values: Iterable<string>): OwnColumn | null => {
  const own = oneOfTexts(name.toLowerCase(), OWN_COLUMNS);
  for (const value of values) if (!/^(?:\[\s*)?\{/.test(value)) return null;
  return own ?? null;
};

/** What a cell of such a column says, or what is wrong with it. */
export function readOwnColumn(column: OwnColumn, text: string, lists: readonly ListName[]): RowStatement[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The cell is no JSON.';
  }
  const items = Array.isArray(value) ? value : column === 'consents' && isItem(value) ? consentItems(value) : null;
  if (items === null) return `Use a list such as ${examples[column]}.`;
  const read = items.map((item) => (isItem(item) ? readers[column](item, lists) : `Use a list such as ${examples[column]}.`));
  return read.find((one) => typeof one === 'string') ?? read.filter((one) => typeof one !== 'string').sort(byTime);
}

const examples: Readonly<Record<OwnColumn, string>> = {
  consents: '[{"channel":"email","purpose":"marketing","status":"granted"}]',
  lists: '[{"name":"News","status":"subscribed"}]',
  suppressions: '[{"channel":"email","scope":"all","reason":"bounced"}]',
};

const byTime = (a: RowStatement, b: RowStatement): number => ((a.at ?? '') < (b.at ?? '') ? -1 : 1);

/** `{"email":{"marketing":"granted"}}`, as a contact shows them. */
const consentItems = (value: Item): Item[] =>
  Object.entries(value).flatMap(([channel, purposes]) =>
    isItem(purposes) ? Object.entries(purposes).map(([purpose, status]) => ({ channel, purpose, status })) : [{}],
  );

const meaningOfStatus: ReadonlyMap<unknown, StatementMeaning> = new Map([
  ['granted', 'granted'],
  ['subscribed', 'granted'],
  ['pending', 'pending'],
  ['withdrawn', 'unsubscribed'],
  ['unsubscribed', 'unsubscribed'],
  ['cleaned', 'bounced'],
]);

const PURPOSE = new RegExp(PURPOSE_PATTERN.pattern);

const readers: Readonly<Record<OwnColumn, (item: Item, lists: readonly ListName[]) => RowStatement | string>> = {
  consents: ({ channel: given, purpose, status, lawful_basis, occurred_at }) => {
    const channel = oneOfTexts(given, consentChannels);
    const meaning = meaningOfStatus.get(status);
    if (!channel || !meaning || typeof purpose !== 'string' || !PURPOSE.test(purpose)) return `Use a list such as ${examples.consents}.`;
    const basis = oneOfTexts(lawful_basis, lawfulBases);
    const at = momentOf(occurred_at);
    return { kind: 'consent', channel, purpose, meaning, exact: true, mapped: true, ...(basis && { lawful_basis: basis }), ...(at && { at }) };
  },
  lists: ({ id, name, status }, lists) => {
    const meaning = meaningOfStatus.get(status);
    const list = lists.find((one) => one.id === id) ?? lists.find((one) => one.name === name);
    if (!meaning) return `Use a list such as ${examples.lists}.`;
    if (!list) return `There is no list '${String(name ?? id).slice(0, 100)}'. Create it first.`;
    return { kind: 'list', list_id: list.id, meaning, mapped: true };
  },
  suppressions: ({ channel: given, reason: why, scope, since }) => {
    const channel = oneOfTexts(given, suppressionChannels);
    const reason = oneOfTexts(why, suppressionReasonNames);
    if (!channel || !reason) return `Use a list such as ${examples.suppressions}.`;
    const at = momentOf(since);
    const meaning = reason === 'erased' ? 'manual' : reason;
    return { kind: 'suppression', channel, meaning, scope: oneOfTexts(scope, suppressionScopes) ?? 'all', mapped: true, ...(at && { at }) };
  },
};
