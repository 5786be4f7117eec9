/**
 * What rules, fields and cells make of dates: inputs with the zones of contact and account, the right value, and why it is right. Nothing here
 * is computed by the service: the moments are those of the tz database, by another program.
 */

/** What is stored of a value of a custom field; null: it is refused. */
export const fieldCases: readonly (readonly [type: 'date' | 'datetime', given: unknown, account: string, stored: string | null, source: string])[] = [
  ['datetime', '2020-01-01 10:00:00', 'Europe/Berlin', '2020-01-01T09:00:00.000Z', 'cases F16'],
  ['datetime', '2020-01-01T10:00:00', 'Europe/Berlin', '2020-01-01T09:00:00.000Z', 'cases F16'],
  ['datetime', '2020-01-01T10:00', 'Europe/Berlin', '2020-01-01T09:00:00.000Z', 'cases F16'],
  ['datetime', '2020-01-01', 'Europe/Berlin', '2019-12-31T23:00:00.000Z', 'cases F16'],
  ['datetime', '2020-07-01', 'America/Los_Angeles', '2020-07-01T07:00:00.000Z', 'cases F16'],
  ['datetime', '2020-01-01T10:00:00Z', 'Europe/Berlin', '2020-01-01T10:00:00.000Z', 'RFC 3339 5.6'],
  ['datetime', '2020-01-01T10:00:00+09:00', 'Europe/Berlin', '2020-01-01T01:00:00.000Z', 'RFC 3339 5.6'],
  ['datetime', '2027-03-28T02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00.000Z', 'RFC 5545 3.3.5'],
  ['datetime', '2027-10-31T02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00.000Z', 'RFC 5545 3.3.5'],
  ['datetime', 1672653600, 'Europe/Berlin', '2023-01-02T10:00:00.000Z', 'cases D26'],
  ['datetime', 1672653600000, 'Europe/Berlin', '2023-01-02T10:00:00.000Z', 'cases D26'],
  ['datetime', '2020-02-30', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '2020-02-30T10:00:00Z', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '2021-02-29T10:00:00', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '2020-04-31 10:00:00', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '31.12.1990', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '12/25/1990', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', 'tomorrow', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', true, 'Europe/Berlin', null, 'cases F29'],
  ['datetime', 5, 'Europe/Berlin', null, 'cases F29'],
  ['datetime', 20200101, 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '2020-01-01T25:00:00Z', 'Europe/Berlin', null, 'cases F29'],
  ['datetime', '9999-12-31T23:59:59-00:01', 'Europe/Berlin', null, 'cases F29'],
  ['date', '2020-02-29', 'Europe/Berlin', '2020-02-29', 'leap day'],
  ['date', '2020-02-30', 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
  ['date', '2021-02-29', 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
  ['date', '31.12.1990', 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
  ['date', '2020-01-01T10:00:00Z', 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
  ['date', 'tomorrow', 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
  ['date', 20200101, 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
  ['date', 1672653600, 'Europe/Berlin', null, 'a date of the API is YYYY-MM-DD'],
];

/** The same of a cell of a file. */
export const cellCases: readonly (readonly [type: 'date' | 'datetime', text: string, account: string, stored: string | null, source: string])[] = [
  ['datetime', '2020-01-01 10:00:00', 'Europe/Berlin', '2020-01-01T09:00:00.000Z', 'cases F16'],
  ['datetime', '2027-03-28 02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z', 'RFC 5545 3.3.5'],
  ['datetime', '2027-10-31 02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z', 'RFC 5545 3.3.5'],
  ['datetime', '31.12.1990', 'Europe/Berlin', '1990-12-30T23:00:00.000Z', 'cases F16'],
  ['datetime', '30.02.2020 10:00', 'Europe/Berlin', null, 'there is no such day'],
  ['datetime', '02/30/2020', 'Europe/Berlin', null, 'there is no such day'],
  ['date', '30.02.2020', 'Europe/Berlin', null, 'there is no such day'],
  ['date', '2020-02-30', 'Europe/Berlin', null, 'there is no such day'],
  ['date', '31.12.1990', 'Europe/Berlin', '1990-12-31', 'cases F16'],
  ['date', '1672653600', 'Pacific/Auckland', '2023-01-02', 'cases D26'],
  ['date', '1672700400', 'Pacific/Auckland', '2023-01-03', 'a moment is the day on the clocks of the account'],
];

/** What is stored of a rule over `due`, a datetime; null: it is refused. */
export const writtenRuleCases: readonly (readonly [rule: object, account: string, stored: object | null, source: string])[] = [
  [
    { type: 'date', field: 'due', op: 'before', value: '2027-03-29T09:00:00' },
    'Europe/Berlin',
    { type: 'date', field: 'due', op: 'before', value: '2027-03-29T07:00:00.000Z' },
    'a time without a zone is of the account',
  ],
  [
    { type: 'date', field: 'due', op: 'after', value: '2027-03-29 09:00' },
    'America/Los_Angeles',
    { type: 'date', field: 'due', op: 'after', value: '2027-03-29T16:00:00.000Z' },
    'a time without a zone is of the account',
  ],
  [
    { type: 'date', field: 'due', op: 'after', value: '2027-03-29' },
    'America/Los_Angeles',
    { type: 'date', field: 'due', op: 'after', value: '2027-03-29' },
    'a date is a day in the zone of the contact',
  ],
  [
    { type: 'date', field: 'due', op: 'before', value: '2027-03-29T09:00:00+02:00' },
    'America/Los_Angeles',
    { type: 'date', field: 'due', op: 'before', value: '2027-03-29T09:00:00+02:00' },
    'a given zone counts',
  ],
  [{ type: 'date', field: 'due', op: 'before', value: '2027-02-30' }, 'Europe/Berlin', null, 'there is no such day'],
  [{ type: 'date', field: 'due', op: 'before', value: '2027-02-30T10:00:00' }, 'Europe/Berlin', null, 'there is no such day'],
  [{ type: 'date', field: 'due', op: 'before', value: '2027-02-30T10:00:00Z' }, 'Europe/Berlin', null, 'there is no such day'],
  [{ type: 'date', field: 'due', op: 'before', value: '29.03.2027' }, 'Europe/Berlin', null, 'cases F29'],
  [{ type: 'date', field: 'due', op: 'before', value: 'P3D' }, 'Europe/Berlin', null, 'no time'],
  [
    { type: 'attribute', field: 'due', op: 'gt', value: '2027-03-29T09:00:00' },
    'Europe/Berlin',
    { type: 'attribute', field: 'due', op: 'gt', value: '2027-03-29T07:00:00.000Z' },
    'a time without a zone is of the account',
  ],
  [
    { type: 'attribute', field: 'due', op: 'between', value: ['2027-03-28T02:30:00', '2027-10-31T02:30:00'] },
    'Europe/Berlin',
    { type: 'attribute', field: 'due', op: 'between', value: ['2027-03-28T01:30:00.000Z', '2027-10-31T00:30:00.000Z'] },
    'RFC 5545 3.3.5',
  ],
  [
    { type: 'event', event: 'x', window: { since: '2027-03-29T09:00:00' } },
    'Europe/Berlin',
    { type: 'event', event: 'x', window: { since: '2027-03-29T07:00:00.000Z' } },
    'a time without a zone is of the account',
  ],
  [
    { type: 'event', event: 'x', window: { between: ['2027-03-29T09:00:00', '2027-03-30T09:00:00Z'] } },
    'Europe/Berlin',
    { type: 'event', event: 'x', window: { between: ['2027-03-29T07:00:00.000Z', '2027-03-30T09:00:00Z'] } },
    'a time without a zone is of the account',
  ],
  [{ type: 'event', event: 'x', window: { since: '2027-02-30T09:00:00' } }, 'Europe/Berlin', null, 'there is no such day'],
];
