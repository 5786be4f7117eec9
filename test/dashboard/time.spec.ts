import { expect } from 'chai';
import { dayText, distanceText, durationText, exactText, momentText } from '../../dashboard/src/ui/pure/time.js';

const at = (text: string): Date => new Date(text);
const berlin = { locale: 'en-GB', zone: 'Europe/Berlin' };

describe('times of the dashboard', () => {
  describe('a moment', () => {
    const now = at('2026-11-27T12:00:00Z');

    it('names its zone', () => expect(momentText(at('2026-07-03T12:05:00Z'), now, berlin)).to.equal('3 Jul, 14:05 CEST'));
    it('follows the summer time of its zone', () => expect(momentText(at('2026-01-03T12:05:00Z'), now, berlin)).to.equal('3 Jan, 13:05 CET'));
    it('counts midnight as the first hour', () =>
      expect(momentText(at('2026-07-03T00:00:00Z'), now, { locale: 'en-GB', zone: 'UTC' })).to.equal('3 Jul, 00:00 UTC'));
    it('has the year if it is another one', () => expect(momentText(at('2025-07-03T12:05:00Z'), now, berlin)).to.equal('3 Jul 2025, 14:05 CEST'));
    it('has the year that it is in its zone', () => {
      const moment = at('2025-12-31T23:30:00Z');
      expect(momentText(moment, now, berlin)).to.equal('1 Jan, 00:30 CET');
      expect(momentText(moment, now, { ...berlin, zone: 'UTC' })).to.equal('31 Dec 2025, 23:30 UTC');
    });
    it('speaks the language', () =>
      expect(momentText(at('2026-07-03T12:05:00Z'), now, { ...berlin, locale: 'de-DE' })).to.match(/^3\. Juli,? (?:um )?14:05(?: Uhr)? MESZ$/));
    it('is exact to the millisecond in UTC', () => expect(exactText(at('2026-07-03T12:05:09.120Z'))).to.equal('2026-07-03 12:05:09.120 UTC'));
  });

  it('a day is the one of its zone', () => {
    const moment = at('2026-07-03T22:30:00Z');
    expect(dayText(moment, berlin)).to.equal('4 Jul 2026');
    expect(dayText(moment, { ...berlin, zone: 'America/New_York' })).to.equal('3 Jul 2026');
  });

  describe('a distance', () => {
    const now = at('2026-11-27T12:00:00.000Z');
    const from = (text: string): string | null => distanceText(at(text), now, 'en');

    it('is now within a minute, before and after', () => {
      expect(from('2026-11-27T11:59:00.001Z')).to.equal('now');
      expect(from('2026-11-27T12:00:59.999Z')).to.equal('now');
    });
    it('has whole minutes', () => {
      expect(from('2026-11-27T11:59:00.000Z')).to.equal('1 min. ago');
      expect(from('2026-11-27T11:00:00.001Z')).to.equal('59 min. ago');
      expect(from('2026-11-27T12:05:30.000Z')).to.equal('in 5 min.');
    });
    it('has whole hours', () => {
      expect(from('2026-11-27T11:00:00.000Z')).to.equal('1 hr. ago');
      expect(from('2026-11-28T11:59:59.999Z')).to.equal('in 23 hr.');
    });
    it('is none for a day or more', () => {
      expect(from('2026-11-26T12:00:00.000Z')).to.equal(null);
      expect(from('2026-11-28T12:00:00.000Z')).to.equal(null);
    });
  });

  const durations: readonly (readonly [milliseconds: number, text: string])[] = [
    [0, '0 ms'],
    [340.4, '340 ms'],
    [1_000, '1 s'],
    [59_499, '59 s'],
    [60_000, '1 min'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [3_661_000, '1 h 1 min'],
    [90_000_000, '1 d 1 h'],
    [86_460_000, '1 d'],
  ];
  for (const [milliseconds, text] of durations)
    it(`${milliseconds} milliseconds are ${text}`, () => expect(durationText(milliseconds)).to.equal(text));
});
