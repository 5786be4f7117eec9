import { expect } from 'chai';
import fc from 'fast-check';
import { sameLocalTime } from '../../domain/campaigns/send-time.js';
import { delayEnd, waitEnd } from '../../domain/journeys/delay-times.js';
import type { DelayNode } from '../../domain/journeys/nodes/delay.js';
import { instantOf, type UtcOffsetAt } from '../../domain/kernel/clocks.js';
import { readTime } from '../../domain/kernel/written-times.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { firstShowing, laterOnWall, timeOnWall } from '../support/calendar.js';
import { campaignCases, durationCases, untilCases } from './time-cases.js';

const clocks = (zone: string) => utcOffsetsOf(zone) as UtcOffsetAt;
const iso = (ms: number) => new Date(ms).toISOString();
const SINCE = Date.parse('2000-01-01T00:00:00Z');

describe('A duration', () => {
  for (const [since, duration, contact, ends, source] of durationCases)
    it(`of ${duration} after ${since} in ${contact} ends at ${ends} (${source})`, () => {
      expect(iso(waitEnd(duration, Date.parse(since), clocks(contact)))).to.equal(ends);
      expect(iso(laterOnWall(Date.parse(since), duration, contact))).to.equal(ends);
    });
});

describe('A delay until a value', () => {
  for (const [value, offset, contact, account, ends, source] of untilCases)
    it(`${JSON.stringify(value)} ${offset ?? ''} in ${contact}, of an account in ${account}, ends at ${ends} (${source})`, () => {
      const node = { id: 'd', kind: 'delay', mode: 'until', if_past: 'continue', field: 'properties.at', next: null } as const;
      const until: DelayNode = offset === null ? node : { ...node, offset };
      const end = delayEnd(until, SINCE, { offsetAt: clocks(contact), value: readTime(value, clocks(account)) });
      expect(typeof end === 'number' ? iso(end) : end).to.equal(ends);
    });
});

describe('A campaign at the local time of its contacts', () => {
  for (const [at, account, contact, sent, source] of campaignCases)
    it(`that is sent at ${at} of an account in ${account} is sent at ${sent} in ${contact} (${source})`, () => {
      expect(iso(sameLocalTime(Date.parse(at), clocks(account), clocks(contact)))).to.equal(sent);
    });
});

describe('Clocks', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Auckland',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/Havana',
  );
  const minute = fc.integer({ min: Date.parse('2024-01-01T00:00:00Z') / 60_000, max: Date.parse('2029-01-01T00:00:00Z') / 60_000 });
  const near = fc.constantFrom(
    '2026-03-29T00:00:00Z',
    '2026-10-25T00:00:00Z',
    '2026-03-08T06:00:00Z',
    '2026-11-01T05:00:00Z',
    '2026-04-04T14:00:00Z',
    '2026-10-03T15:00:00Z',
  );
  const moments = fc
    .oneof(
      minute,
      fc.tuple(near, fc.integer({ min: -3_000, max: 3_000 })).map(([at, off]) => Date.parse(at) / 60_000 + off),
    )
    .map((n) => n * 60_000);
  const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) };

  it('show a local time first where they show it twice, and later where they skip it, in every zone', () => {
    fc.assert(
      fc.property(zones, moments, (zone, local) => {
        expect(iso(instantOf(local, clocks(zone)))).to.equal(iso(firstShowing(iso(local).slice(0, 19).replace('T', ' '), zone)));
      }),
      RUNS,
    );
  });
  it('count days of a duration, and let its hours pass, in every zone', () => {
    const durations = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 50 })).map(([days, hours]) => `P${days}DT${hours}H`);
    fc.assert(
      fc.property(zones, moments, durations, (zone, since, duration) => {
        expect(iso(waitEnd(duration, since, clocks(zone)))).to.equal(iso(laterOnWall(since, duration, zone)));
      }),
      RUNS,
    );
  });
  it('say when a text is that has no zone, and no text that is no time has a moment', () => {
    const digits = fc.tuple(
      fc.integer({ min: 2024, max: 2028 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 0, max: 25 }),
    );
    const two = (n: number) => String(n).padStart(2, '0');
    const texts = fc
      .tuple(digits, fc.constantFrom('', 'T%:30:00', ' %:15:00', 'T%:00:00Z', 'T%:00:00+05:30'))
      .map(([[year, month, day, hour], form]) => `${year}-${two(month)}-${two(day)}${form.replace('%', two(hour))}`);
    fc.assert(
      fc.property(zones, texts, (zone, text) => {
        const read = readTime(text, clocks(zone));
        const wall = timeOnWall(text, zone);
        const shown = read && ('day' in read ? { day: iso(read.day).slice(0, 10) } : { ms: read.instant });
        expect(shown).to.deep.equal(wall);
      }),
      RUNS,
    );
  });
});
