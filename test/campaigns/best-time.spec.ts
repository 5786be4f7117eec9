import { expect } from 'chai';
import fc from 'fast-check';
import { type BestHourOf, bestTime } from '../../domain/campaigns/best-time.js';
import { sendTimeOf } from '../../domain/campaigns/send-time.js';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import { isQuiet } from '../../domain/messages/quiet-hours.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';

const HOUR = 3_600_000;
const zone = (name: string): UtcOffsetAt => utcOffsetsOf(name) as UtcOffsetAt;
const at = (text: string): number => Date.parse(text);
const peak = (hour: number): number[] => Array.from({ length: 24 }, (_, one) => 1 / (1 + Math.min((one - hour + 24) % 24, (hour - one + 24) % 24)));
const best = (hour: number | null, more: Partial<BestHourOf> = {}): BestHourOf => ({
  ...{ hours: hour === null ? null : peak(hour), bucket: 9_999, quiet: null },
  ...more,
});
const time = (from: string, of: BestHourOf, name = 'UTC', isAllowed?: (ms: number) => boolean): string =>
  new Date(bestTime(at(from), zone(name), of, isAllowed)).toISOString();

describe('the best time to send', () => {
  it('is the next start of the best hour by the clocks of the recipient, or at once within it', () => {
    expect(time('2026-01-15T10:20:00Z', best(19), 'Europe/Berlin')).to.equal('2026-01-15T18:00:00.000Z');
    expect(time('2026-01-15T10:20:00Z', best(8), 'Europe/Berlin')).to.equal('2026-01-16T07:00:00.000Z');
    expect(time('2026-01-15T10:20:00Z', best(11), 'Europe/Berlin')).to.equal('2026-01-15T10:20:00.000Z');
    expect(time('2026-01-15T10:20:00Z', best(9), 'Asia/Kolkata')).to.equal('2026-01-16T03:30:00.000Z');
  });

  it('is 17:00 where nothing is known, or the nearest allowed hour', () => {
    expect(time('2026-01-15T10:20:00Z', best(null))).to.equal('2026-01-15T17:00:00.000Z');
    expect(time('2026-01-15T10:20:00Z', best(null), 'UTC', (ms) => new Date(ms).getUTCHours() < 12)).to.equal('2026-01-15T11:00:00.000Z');
  });

  it('is outside quiet hours: the best of the others, and never before they end', () => {
    const quiet = { start: '20:00', end: '08:30' };
    expect(time('2026-01-15T10:00:00Z', best(22, { quiet }))).to.equal('2026-01-15T19:00:00.000Z');
    expect(time('2026-01-15T22:00:00Z', best(8, { quiet }))).to.equal('2026-01-16T08:30:00.000Z');
    expect(time('2026-01-15T21:00:00Z', best(23, { quiet: { start: '00:00', end: '23:59' } }))).to.equal('2026-01-15T23:59:00.000Z');
  });

  it('is another allowed hour for one in ten', () => {
    const found = Array.from({ length: 10_000 / 50 }, (_, i) => time('2026-01-15T10:00:00Z', best(19, { bucket: i * 50 })));
    const others = found.filter((one) => one !== '2026-01-15T19:00:00.000Z');
    expect(others.length).to.be.within(18, 20);
    expect(new Set(others).size).to.be.above(15);
  });

  it('comes in the days of a change of clocks, too', () => {
    // Clocks skip from 2:00 to 3:00; the hour is sent an hour later.
    expect(time('2026-03-28T22:00:00Z', best(2), 'Europe/Berlin')).to.equal('2026-03-29T01:00:00.000Z');
    expect(time('2026-10-24T20:00:00Z', best(2), 'Europe/Berlin')).to.equal('2026-10-25T00:00:00.000Z');
  });

  it('is allowed, not quiet, and within 25 hours after the quiet hours, whatever the clocks', () => {
    const times = fc.record({
      from: fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-31T00:00:00Z') }),
      name: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'),
      hour: fc.integer({ min: 0, max: 23 }),
      bucket: fc.integer({ min: 0, max: 9_999 }),
      quiet: fc.constantFrom(null, { start: '21:00', end: '08:00' }, { start: '12:30', end: '13:30' }),
    });
    fc.assert(
      fc.property(times, ({ from, name, hour, bucket, quiet }) => {
        const found = bestTime(from, zone(name), best(hour, { bucket, quiet }));
        expect(found).to.be.within(from, from + 37 * HOUR);
        if (quiet) expect(isQuiet(quiet, found, zone(name))).to.equal(false);
      }),
    );
  });
});

describe('a campaign at the best hour', () => {
  const asked = { scheduledFor: null, now: '2026-01-15T10:20:00.000Z', zone: zone('UTC'), contactZone: zone('Europe/Berlin') };
  const days = [1, 2, 3, 4, 5, 6, 7];

  it('is sent inside the window, in the zone of the contact', () => {
    const sent = (more: object, hour: number) => sendTimeOf({ ...asked, schedule: { send_time: 'best_hour', ...more }, best: best(hour) });
    expect(sent({}, 19)).to.deep.equal({ at: '2026-01-15T18:00:00.000Z', because: 'send_at' });
    const window = { days, start: '09:00', end: '17:00' };
    expect(sent({ window, use_contact_timezone: true }, 19)).to.deep.equal({ at: '2026-01-15T15:00:00.000Z', because: 'send_at' });
    const mondays = { days: [1], start: '09:00', end: '17:00' };
    expect(sent({ window: mondays, use_contact_timezone: true }, 14)).to.deep.equal({ at: '2026-01-19T13:00:00.000Z', because: 'window' });
  });

  it('is sent earlier rather than too late', () => {
    const schedule = { send_time: 'best_hour', send_at: '2026-01-15T12:00:00Z', skip_if_late_seconds: 7_200 } as const;
    const found = sendTimeOf({ ...asked, schedule, scheduledFor: '2026-01-15T12:00:00.000Z', best: best(19) });
    expect(found).to.deep.include({ because: 'send_at' });
    expect(found).to.have.property('at', '2026-01-15T14:00:00.000Z');
  });
});
