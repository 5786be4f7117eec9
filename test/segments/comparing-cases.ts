/** What rules say of values: each row is a rule over a field or a property, a value that is there, whether the rule holds, and why. */
import type { AttributeOp, Scalar } from '../../domain/segments/rule.js';

export interface ComparingCase {
  /** A field of a contact, or `properties.` and the path of a property. */
  readonly of: string;
  readonly op: AttributeOp;
  readonly value?: Scalar | readonly Scalar[];
  readonly case_sensitive?: boolean;
  readonly stored: unknown;
  readonly holds: boolean;
  readonly why: string;
}

type Row = readonly [op: AttributeOp, value: Scalar | readonly Scalar[] | undefined, stored: unknown, holds: boolean];
interface Kind {
  readonly of: string;
  readonly why: string;
  readonly case_sensitive?: boolean;
  readonly rows: readonly Row[];
}

const kinds: readonly Kind[] = [
  {
    of: 'email',
    why: 'RFC 5321, 2.4: domains have no case; contacts have the whole address in small letters',
    rows: [
      ['eq', 'Boss@Nt.Test', 'boss@nt.test', true],
      ['neq', 'BOSS@nt.test', 'boss@nt.test', false],
      ['in', ['x@nt.test', 'Boss@nt.test'], 'boss@nt.test', true],
      ['not_in', ['Boss@nt.test'], 'boss@nt.test', false],
      ['not_in', ['Boss@nt.test'], 'bass@nt.test', true],
      ['eq', ' boss@nt.test ', 'boss@nt.test', true],
      ['ends_with', '@NT.test', 'boss@nt.test', true],
      ['contains', 'NT.', 'boss@nt.test', true],
      ['starts_with', 'Boss', 'boss@nt.test', true],
      ['not_contains', 'BOSS', 'boss@nt.test', false],
      ['eq', 'boss@nt.test', 'boss@nt.test.example', false],
      ['exists', undefined, undefined, false],
    ],
  },
  { of: 'email', case_sensitive: true, why: 'an address has no case, whatever is asked', rows: [['eq', 'Boss@Nt.Test', 'boss@nt.test', true]] },
  {
    of: 'phone',
    why: 'E.164: separators are no part of a number; 00 is the international prefix (ITU-T E.123)',
    rows: [
      ['eq', '+1 (415) 555-0100', '+14155550100', true],
      ['eq', '0014155550100', '+14155550100', true],
      ['in', ['+49 30 1', '+1.415.555.0100'], '+14155550100', true],
      ['not_in', ['+1-415-555-0100'], '+14155550100', false],
      ['starts_with', '+1 415', '+14155550100', true],
      ['starts_with', '001', '+14155550100', true],
      ['starts_with', '+49', '+14155550100', false],
      ['ends_with', '01 00', '+14155550100', true],
      ['contains', '555-01', '+14155550100', true],
      ['contains', '00', '+14155550100', true],
      ['contains', ' - ', '+14155550100', false],
    ],
  },
  {
    of: 'locale',
    why: 'RFC 5646, 2.1.1: tags have no case; POSIX writes an underscore',
    rows: [
      ['eq', 'de_DE', 'de-DE', true],
      ['eq', 'PT-br', 'pt-BR', true],
      ['in', ['en', 'De'], 'de', true],
      ['starts_with', 'EN_', 'en-GB', true],
      ['eq', 'de', 'de-DE', false],
      ['neq', 'de-de', 'de_DE', false],
    ],
  },
  { of: 'timezone', why: 'IANA: names have no case', rows: [['eq', 'europe/berlin', 'Europe/Berlin', true]] },
  {
    of: 'plan',
    why: 'the guide: texts compare without case',
    rows: [
      ['eq', 'gold', 'Gold', true],
      ['eq', 'GOLD', 'gold', true],
      ['neq', 'gold', 'Gold', false],
      ['in', ['silver', 'GOLD'], 'Gold', true],
      ['not_in', ['gold'], 'Gold', false],
      ['contains', 'gold', 'All Gold', true],
      ['not_contains', 'GOLD', 'all gold', false],
      ['starts_with', 'ALL', 'all gold', true],
      ['starts_with', 'gold', 'all gold', false],
      ['ends_with', 'Gold', 'ALL GOLD', true],
      ['eq', 'gold', 'gold ', false],
      ['eq', 'gold', 'golden', false],
      ['in', ['gold'], 'golden', false],
      ['eq', 'pl', 'PL', true],
      ['in', ['pl', 'de'], 'DE', true],
    ],
  },
  {
    of: 'plan',
    case_sensitive: true,
    why: 'the guide: with `case_sensitive`, case counts in each operator',
    rows: [
      ['eq', 'gold', 'Gold', false],
      ['eq', 'Gold', 'Gold', true],
      ['neq', 'gold', 'Gold', true],
      ['in', ['gold', 'GOLD'], 'Gold', false],
      ['not_in', ['gold'], 'Gold', true],
      ['contains', 'gold', 'All Gold', false],
      ['contains', 'Gold', 'All Gold', true],
      ['not_contains', 'gold', 'All Gold', true],
      ['starts_with', 'all', 'All Gold', false],
      ['ends_with', 'gold', 'All Gold', false],
      ['ends_with', 'Gold', 'All Gold', true],
    ],
  },
  {
    of: 'plan',
    why: 'Unicode, 3.13 and UAX 15: full case mapping, and one text in two spellings of its accents',
    rows: [
      ['eq', 'STRASSE', 'straße', true],
      ['eq', 'ÉCOLE', 'école', true],
      ['eq', 'é', 'e\u0301', true],
      ['contains', 'É', 'cafe\u0301s', true],
      ['eq', 'ΟΔΟΣ', 'οδος', true],
      ['starts_with', 'οδοσ', 'οδος', true],
      ['eq', 'москва', 'МОСКВА', true],
      ['eq', 'e', 'é', false],
    ],
  },
  { of: 'plan', case_sensitive: true, why: 'UAX 15: the spelling of accents is no case', rows: [['eq', 'é', 'e\u0301', true]] },
  {
    of: 'plan',
    why: 'the guide: a text that says a number compares as the number where the rule has one',
    rows: [
      ['eq', 10, '10.00', true],
      ['eq', 10, '10.01', false],
      ['gte', 10, '10.00', true],
      ['gt', 10, '10.00', false],
      ['lt', 10, '9.99', true],
      ['lt', 10, 'nine', false],
      ['between', [5, 10], '7.5', true],
      ['in', [5, 10], '10', true],
      ['not_in', [5, 10], '10', false],
      ['gt', 9, '10', true],
      ['lt', 5, '', false],
    ],
  },
  {
    of: 'plan',
    why: 'the guide: an empty text and an empty list are no values',
    rows: [
      ['exists', undefined, '', false],
      ['not_exists', undefined, '', true],
      ['exists', undefined, null, false],
      ['exists', undefined, undefined, false],
      ['exists', undefined, ' ', true],
      ['exists', undefined, 0, true],
      ['exists', undefined, false, true],
      ['exists', undefined, 'x', true],
      ['not_exists', undefined, 'x', false],
      ['eq', 'x', '', false],
      ['neq', 'x', '', true],
      ['neq', 'x', undefined, true],
      ['not_in', ['x'], undefined, true],
      ['not_contains', 'x', undefined, true],
      ['starts_with', 'x', undefined, false],
    ],
  },
  {
    of: 'hobbies',
    why: 'the guide: each element of a list compares as a text does',
    rows: [
      ['contains', 'golf', ['Golf', 'Chess'], true],
      ['contains', 'GOL', ['Golf'], false],
      ['not_contains', 'golf', ['Golf'], false],
      ['in', ['golf'], ['Golf'], true],
      ['in', ['tennis', 'CHESS'], ['Golf', 'Chess'], true],
      ['not_in', ['golf'], ['Golf'], false],
      ['not_in', ['golf'], ['Chess'], true],
      ['exists', undefined, [], false],
      ['not_exists', undefined, [], true],
      ['exists', undefined, ['Golf'], true],
      ['contains', 'golf', [], false],
      ['not_contains', 'golf', [], true],
    ],
  },
  {
    of: 'hobbies',
    case_sensitive: true,
    why: 'the guide: with `case_sensitive`, case counts in lists, too',
    rows: [
      ['contains', 'golf', ['Golf'], false],
      ['in', ['golf'], ['Golf'], false],
      ['in', ['Golf'], ['Golf'], true],
    ],
  },
  {
    of: 'tags',
    why: 'the guide: tags are a list of texts',
    rows: [
      ['contains', 'vip', ['VIP'], true],
      ['in', ['Vip', 'x'], ['vip'], true],
      ['not_contains', 'VIP', ['vip'], false],
    ],
  },
  {
    of: 'seats',
    why: 'the guide: numbers compare by size',
    rows: [
      ['eq', 5, 5, true],
      ['eq', 5, 5.1, false],
      ['in', [4, 5], 5, true],
      ['gt', 5, 5, false],
      ['gte', 5, 5, true],
      ['between', [1, 5], 5, true],
      ['exists', undefined, 0, true],
      ['lt', 5, undefined, false],
    ],
  },
  {
    of: 'properties.total_price',
    why: 'Shopify, order: total_price is a text, "10.00"',
    rows: [
      ['gte', 10, '10.00', true],
      ['gt', 10, '10.00', false],
      ['lt', 100, '20.5', true],
      ['eq', 10, '10.00', true],
      ['neq', 10, '10.00', false],
      ['in', [10, 20], '20.0', true],
      ['not_in', [10, 20], '20.0', false],
      ['between', [9, 11], '10.00', true],
      ['gte', 10, 10, true],
      ['gte', 10, ' 10 ', true],
      ['gte', 10, '1e3', true],
      ['gte', -5, '-4.5', true],
      ['gte', 10, '+10', true],
      ['gte', 0, '.5', true],
    ],
  },
  {
    of: 'properties.total_price',
    why: 'the guide: what says no number is no number',
    rows: [
      ['gte', 0, '', false],
      ['gte', 0, ' ', false],
      ['lt', 0, '', false],
      ['gte', 0, '10 €', false],
      ['gte', 0, '1,000', false],
      ['gte', 0, '0x10', false],
      ['gte', 0, 'Infinity', false],
      ['gte', 0, 'NaN', false],
      ['gte', 0, true, false],
      ['gte', 0, null, false],
      ['gte', 0, ['10'], false],
      ['gte', 0, undefined, false],
    ],
  },
  {
    of: 'properties.code',
    why: 'the guide: where the rule has a text, texts are compared as texts',
    rows: [
      ['eq', '10', '10.00', false],
      ['eq', '10', '10', true],
      ['eq', '10', 10, false],
      ['eq', 'summer', 'SUMMER', true],
      ['in', ['summer'], 'Summer', true],
      ['neq', 'summer', 'SUMMER', false],
      ['contains', 'MER', 'summer', true],
      ['starts_with', 'SUM', 'summer', true],
      ['eq', true, true, true],
      ['eq', true, 'true', false],
      ['exists', undefined, '', false],
      ['exists', undefined, [], false],
      ['exists', undefined, null, false],
      ['exists', undefined, {}, true],
      ['not_exists', undefined, '', true],
      ['contains', 'golf', ['Golf'], true],
      ['in', [5], ['5.0', 'x'], true],
    ],
  },
  {
    of: 'properties.code',
    case_sensitive: true,
    why: 'the guide: `case_sensitive` holds for properties, too',
    rows: [
      ['eq', 'summer', 'SUMMER', false],
      ['contains', 'MER', 'summer', false],
      ['in', ['SUMMER'], 'SUMMER', true],
    ],
  },
  {
    of: 'properties.at',
    why: 'RFC 3339: days in order of their characters',
    rows: [
      ['gt', '2026-01-31', '2026-02-01', true],
      ['lte', '2026-01-31', '2026-02-01', false],
      ['between', ['2026-01-01', '2026-12-31'], '2026-02-01', true],
    ],
  },
];

export const comparingCases: readonly ComparingCase[] = kinds.flatMap(({ rows, ...kind }) =>
  rows.map(([op, value, stored, holds]) => ({ ...kind, op, ...(value !== undefined && { value }), stored, holds })),
);
