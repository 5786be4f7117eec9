/**
 * What rules make of dates: inputs with the zones of contact and account, the right value, and why it is right. Nothing here
 * is computed by the service: the moments are those of the tz database, by another program.
 */

/** A rule over a stored date. `contact` null: the contact has no zone. */
type StoredDate = readonly [op: string, value: string, stored: string, contact: string | null, account: string];

/** The rule holds from a moment until right before another; null where that end is not looked at. */
const spans: readonly (readonly [...StoredDate, from: string | null, until: string | null, why: string])[] = [
  ['within_next', 'PT12H', '2027-03-20', 'Europe/Berlin', 'UTC', '2027-03-19T11:00Z', '2027-03-20T23:00Z', 'until its midnight'],
  ['within_next', 'PT12H', '2027-03-20', 'Pacific/Auckland', 'Europe/Berlin', '2027-03-18T23:00Z', '2027-03-20T11:00Z', 'until its midnight'],
  ['within_next', 'PT12H', '2027-03-20', 'America/Los_Angeles', 'Europe/Berlin', '2027-03-19T19:00Z', '2027-03-21T07:00Z', 'until its midnight'],
  ['within_next', 'PT12H', '2027-03-20', null, 'Europe/Berlin', '2027-03-19T11:00Z', '2027-03-20T23:00Z', 'until its midnight'],
  ['within_next', 'P1D', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-03-27T23:00Z', '2027-03-29T22:00Z', 'today counts'],
  ['within_next', 'P3D', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-03-25T23:00Z', '2027-03-29T22:00Z', 'RFC 5545 3.3.6'],
  ['within_next', 'PT72H', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-03-25T22:00Z', '2027-03-29T22:00Z', 'RFC 5545 3.3.6'],
  ['within_last', 'P1D', '2027-03-28', 'Europe/Berlin', 'UTC', '2027-03-27T23:00Z', '2027-03-28T22:00Z', 'RFC 5545 3.3.6'],
  ['within_last', 'PT24H', '2027-03-28', 'Europe/Berlin', 'UTC', '2027-03-27T23:00Z', '2027-03-28T23:00Z', 'RFC 5545 3.3.6'],
  ['within_last', 'P1D', '2027-10-31', 'Europe/Berlin', 'UTC', '2027-10-30T22:00Z', '2027-10-31T23:00Z', 'RFC 5545 3.3.6'],
  ['more_than_ago', 'P1D', '2027-10-31', 'Europe/Berlin', 'UTC', '2027-10-31T23:00Z', null, 'RFC 5545 3.3.6'],
  ['more_than_ago', 'P7D', '2027-03-25', null, 'Europe/Berlin', '2027-03-31T22:00Z', null, 'RFC 5545 3.3.6'],
  ['more_than_from_now', 'P2D', '2027-03-30', 'Europe/Berlin', 'UTC', null, '2027-03-27T23:00Z', 'RFC 5545 3.3.6'],
  ['more_than_from_now', 'P2D', '2027-03-30', 'Pacific/Auckland', 'UTC', null, '2027-03-27T11:00Z', 'a day of the contact'],
  ['within_next', 'P1D', '2027-03-14', 'America/Havana', 'UTC', '2027-03-13T05:00Z', '2027-03-15T04:00Z', 'they skip midnight'],
  ['within_next', 'P1D', '2027-03-29T07:00:00.000Z', 'Europe/Berlin', 'UTC', '2027-03-28T07:00Z', '2027-03-29T07:00Z', 'RFC 5545 3.3.6'],
  ['within_next', 'PT24H', '2027-03-29T00:30:00.000Z', 'Europe/Berlin', 'UTC', '2027-03-28T00:30Z', '2027-03-29T00:30Z', 'RFC 5545 3.3.6'],
  ['within_last', 'P1D', '2027-03-28T00:30:00.000Z', 'Europe/Berlin', 'UTC', '2027-03-28T00:30Z', '2027-03-28T23:30Z', 'RFC 5545 3.3.6'],
  ['more_than_ago', 'P1D', '2027-10-30T00:30:00.000Z', 'Europe/Berlin', 'UTC', '2027-10-31T00:30Z', null, 'RFC 5545 3.3.6'],
  ['more_than_from_now', 'P1W', '2027-04-01T10:00:00.000Z', 'America/Los_Angeles', 'UTC', null, '2027-03-25T10:00Z', 'RFC 5545 3.3.6'],
  ['anniversary_within_next', 'P1D', '1990-03-29', 'Europe/Berlin', 'UTC', '2027-03-27T23:00Z', '2027-03-29T22:00Z', 'today counts'],
  ['anniversary_within_next', 'P7D', '1990-03-29', 'Pacific/Auckland', 'UTC', '2027-03-21T11:00Z', '2027-03-29T11:00Z', 'today counts'],
  ['anniversary_within_next', 'PT12H', '1990-03-29', null, 'Europe/Berlin', '2027-03-28T10:00Z', '2027-03-29T22:00Z', 'today counts'],
  ['anniversary_within_next', 'P1D', '1996-02-29', 'Europe/Berlin', 'UTC', '2027-02-26T23:00Z', '2027-02-28T23:00Z', 'a leap day'],
  ['anniversary_within_next', 'P1D', '1996-02-29', 'Europe/Berlin', 'UTC', '2028-02-27T23:00Z', '2028-02-29T23:00Z', 'a leap day'],
  [
    'anniversary_within_next',
    'P2D',
    '2020-03-28T23:30:00.000Z',
    'Europe/Berlin',
    'UTC',
    '2027-03-26T23:00Z',
    '2027-03-29T22:00Z',
    'the day of its clocks',
  ],
];

/** Whether the rule holds at a moment. */
const moments: readonly (readonly [...StoredDate, now: string, holds: boolean, why: string])[] = [
  ['anniversary_within_next', 'P1D', '1990-03-29', 'Europe/Berlin', 'UTC', '2027-03-29T10:00Z', true, 'today counts'],
  ['anniversary_within_next', 'P7D', '1990-03-29', 'Pacific/Auckland', 'UTC', '2027-03-28T23:00Z', true, 'today counts'],
  ['anniversary_within_next', 'PT12H', '1990-03-29', null, 'Europe/Berlin', '2027-03-29T10:00Z', true, 'today counts'],
  ['anniversary_within_next', 'P1D', '1996-02-29', 'Europe/Berlin', 'UTC', '2027-02-28T11:00Z', true, 'a leap day'],
  ['anniversary_within_next', 'P1D', '1996-02-29', 'Europe/Berlin', 'UTC', '2028-02-29T11:00Z', true, 'a leap day'],
  ['anniversary_within_next', 'P2D', '2020-03-28T23:30:00.000Z', 'Europe/Berlin', 'UTC', '2027-03-29T10:00Z', true, 'the day of its clocks'],
  ['before', '2027-03-29', '2027-03-28', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', true, 'days compare as days'],
  ['before', '2027-03-29', '2027-03-29', 'Pacific/Auckland', 'UTC', '2027-01-01T00:00Z', false, 'days compare as days'],
  ['after', '2027-03-29', '2027-03-29', 'America/Los_Angeles', 'UTC', '2027-01-01T00:00Z', false, 'days compare as days'],
  ['after', '2027-03-29', '2027-03-30', 'America/Los_Angeles', 'UTC', '2027-01-01T00:00Z', true, 'days compare as days'],
  ['before', '2027-03-28T23:00:00.000Z', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', true, 'a day of the contact'],
  ['before', '2027-03-28T22:00:00.000Z', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', false, 'a day of the contact'],
  ['after', '2027-03-28T21:59:59.999Z', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', true, 'a day of the contact'],
  ['after', '2027-03-28T22:00:00.000Z', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', false, 'a day of the contact'],
  ['after', '2027-03-28T11:00:00.000Z', '2027-03-29', 'Pacific/Auckland', 'UTC', '2027-01-01T00:00Z', false, 'a day of the contact'],
  ['before', '2027-03-29', '2027-03-28T21:59:59.999Z', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', true, 'a day of the contact'],
  ['before', '2027-03-29', '2027-03-28T22:00:00.000Z', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', false, 'a day of the contact'],
  ['after', '2027-03-29', '2027-03-29T21:59:59.999Z', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', false, 'a day of the contact'],
  ['after', '2027-03-29', '2027-03-29T22:00:00.000Z', 'Europe/Berlin', 'UTC', '2027-01-01T00:00Z', true, 'a day of the contact'],
  ['anniversary_within_next', 'P1D', '2027-03-29', 'Europe/Berlin', 'UTC', '2027-03-29T10:00Z', false, 'the day itself is no anniversary'],
  ['within_next', 'P1D', '2027-02-30', 'Europe/Berlin', 'UTC', '2027-02-28T10:00Z', false, 'there is no such day'],
  ['more_than_ago', 'P1D', 'soon', 'Europe/Berlin', 'UTC', '2027-02-28T10:00Z', false, 'no date'],
];

const rightBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString();

/** Each moment, and whether the rule holds at it: those around both ends of each span, and the others. */
export const ruleCases: typeof moments = [
  ...spans.flatMap(([op, value, stored, contact, account, from, until, why]) => [
    ...(from === null
      ? []
      : ([
          [op, value, stored, contact, account, rightBefore(from), false, why],
          [op, value, stored, contact, account, from, true, why],
        ] as const)),
    ...(until === null
      ? []
      : ([
          [op, value, stored, contact, account, rightBefore(until), true, why],
          [op, value, stored, contact, account, until, false, why],
        ] as const)),
  ]),
  ...moments,
];
