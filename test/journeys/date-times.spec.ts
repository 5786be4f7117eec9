import { expect } from 'chai';
import fc from 'fast-check';
import { nextTurn } from '../../domain/journeys/date-times.js';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';

const clocks = (zone: string) => utcOffsetsOf(zone) as UtcOffsetAt;

/** The next times of a date, each after the one before. */
function turnsOf(
  trigger: { time?: string; offset?: string; repeat?: 'once' | 'yearly' },
  value: unknown,
  from: string,
  n: number,
  zone = 'Europe/Paris',
) {
  const over = new Set<number>();
  const found: string[] = [];
  for (let since = Date.parse(from); found.length < n; ) {
    const next = nextTurn({ type: 'date', field: 'born', ...trigger }, value, { since, offsetAt: clocks(zone), over: (nth) => over.has(nth) });
    if (next === null) break;
    over.add(next.nth);
    found.push(new Date(next.at).toISOString());
    since = next.at;
  }
  return found;
}
const yearly = { repeat: 'yearly' } as const;

describe('The times of a date', () => {
  it('are at nine in the morning, or at the time of the trigger, on the clocks of the contact', () => {
    expect(turnsOf({}, '2026-03-03', '2026-01-01T00:00:00Z', 2)).to.deep.equal(['2026-03-03T08:00:00.000Z']);
    expect(turnsOf({ time: '23:30' }, '2026-07-03', '2026-01-01T00:00:00Z', 1, 'America/New_York')).to.deep.equal(['2026-07-04T03:30:00.000Z']);
    expect(turnsOf({}, '2026-03-03T15:04:05Z', '2026-01-01T00:00:00Z', 1)).to.deep.equal(['2026-03-03T15:04:05.000Z']);
    expect(turnsOf({ time: '09:00' }, '2026-03-03T23:30:00Z', '2026-01-01T00:00:00Z', 1)).to.deep.equal(['2026-03-04T08:00:00.000Z']);
  });
  it('come once, and not where the date is over, or every year from then on', () => {
    expect(turnsOf({}, '2025-03-03', '2026-01-01T00:00:00Z', 2)).to.deep.equal([]);
    expect(turnsOf(yearly, '1990-03-03', '2026-03-03T08:00:00Z', 2)).to.deep.equal(['2026-03-03T08:00:00.000Z', '2027-03-03T08:00:00.000Z']);
    expect(turnsOf(yearly, '1990-03-03', '2026-03-03T08:00:00.001Z', 1)).to.deep.equal(['2027-03-03T08:00:00.000Z']);
    expect(turnsOf(yearly, '2031-03-03', '2026-01-01T00:00:00Z', 2)).to.deep.equal(['2031-03-03T08:00:00.000Z', '2032-03-03T08:00:00.000Z']);
  });
  it('of a leap day are on the 28th of other years', () => {
    const days = turnsOf(yearly, '1996-02-29', '2026-01-01T00:00:00Z', 4).map((at) => at.slice(0, 10));
    expect(days).to.deep.equal(['2026-02-28', '2027-02-28', '2028-02-29', '2029-02-28']);
    expect(turnsOf(yearly, '1996-02-29', '2100-01-01T00:00:00Z', 1)).to.deep.equal(['2100-02-28T08:00:00.000Z']);
  });
  it('keep their time of day where an offset crosses a change of clocks', () => {
    expect(turnsOf({ offset: '-P3D' }, '2026-03-30', '2026-01-01T00:00:00Z', 1)).to.deep.equal(['2026-03-27T08:00:00.000Z']);
    expect(turnsOf({ offset: 'P1D' }, '2026-10-24', '2026-01-01T00:00:00Z', 1)).to.deep.equal(['2026-10-25T08:00:00.000Z']);
    expect(turnsOf({ ...yearly, offset: '-P400D' }, '2020-06-01', '2026-01-01T00:00:00Z', 1)).to.deep.equal(['2026-04-27T07:00:00.000Z']);
  });
  it('come where clocks skip their hour, and once where they repeat it', () => {
    expect(turnsOf({ ...yearly, time: '02:30' }, '1990-03-29', '2026-01-01T00:00:00Z', 2)).to.deep.equal([
      '2026-03-29T01:30:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ]);
    expect(turnsOf({ ...yearly, time: '02:30' }, '1990-10-25', '2026-01-01T00:00:00Z', 2)).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2027-10-25T00:30:00.000Z',
    ]);
  });
  it('are none of a value that is no date', () => {
    for (const value of [undefined, null, 5, '', 'soon', '2026-13-40', '<erased>'])
      expect(turnsOf(yearly, value, '2026-01-01T00:00:00Z', 1)).to.deep.equal([]);
  });
  it('come exactly once a year, in every zone and for every date', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu', 'Pacific/Apia');
    const day = fc.date({ min: new Date('1930-01-01'), max: new Date('2020-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, day, fc.integer({ min: 0, max: 23 }), (zone, date, hour) => {
        const time = `${String(hour).padStart(2, '0')}:30`;
        const found = turnsOf({ ...yearly, time }, date.toISOString().slice(0, 10), '2021-06-15T00:00:00Z', 6, zone);
        expect(found).to.have.length(6);
        const gaps = found.slice(1).map((at, i) => (Date.parse(at) - Date.parse(found[i] as string)) / 86_400_000);
        for (const gap of gaps) expect(gap).to.be.within(363.9, 367.1);
      }),
    );
  });
});
