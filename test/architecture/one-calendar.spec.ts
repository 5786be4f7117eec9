import { expect } from 'chai';
import { readSources } from './source.js';

/** Which files read texts that begin with a year by themselves, and why. */
const readers: Readonly<Record<string, string>> = {
  'domain/kernel/written-times.ts': 'reads them for everything else',
  'domain/contacts/cells/times.ts': 'has more forms: the columns of files say which one is meant',
  'api/contacts/columns/meanings.ts': 'looks for the times of consents in the exports of other services',
  'domain/forms/visits.ts': 'has days that the service makes itself',
  'api/messages/analytics.ts': 'has days of a report in UTC',
  'api/http/validation/validation.ts': 'knows that a format has matched, and asks for the year alone',
  'carriers/runtime/incoming.ts': 'asks which times are not of one of the forms of mail',
  'formats/templates/filters/dates.ts': 'has the forms of Liquid',
};
/** Which files go through the calendar by themselves, and why. */
const calendars: Readonly<Record<string, string>> = {
  'domain/kernel/written-times.ts': 'knows which days there are',
  'domain/kernel/clocks.ts': 'has the years after a date',
};

const YEAR_FIRST = /\\d\{4\}\)?\(?(?:-|\[-)/;
const OF_CALENDAR = /\.setUTC(?:FullYear|Month|Date)\(/;
/** Of the zone of the machine, which is nobody's. */
const OF_MACHINE = /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes)\(|getTimezoneOffset/;

describe('times of people', () => {
  const layers = /^(?:domain|formats|log|commands|projections|processes|carriers|net|api)\//;
  const files = readSources(process.cwd()).filter(({ path }) => layers.test(path));
  const withSome = (pattern: RegExp): string[] => files.flatMap(({ path, text }) => (pattern.test(text) ? [path] : [])).sort();

  it('are read in one place, but for those that have other forms', () => {
    expect(withSome(YEAR_FIRST)).to.deep.equal(Object.keys(readers).sort());
  });
  it('are moved through the calendar in few places, and days of durations in one', () => {
    expect(withSome(OF_CALENDAR)).to.deep.equal(Object.keys(calendars).sort());
  });
  it('are never those of the machine', () => {
    expect(withSome(OF_MACHINE)).to.deep.equal([]);
  });
});
