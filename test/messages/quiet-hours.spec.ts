import { expect } from 'chai';
import fc from 'fast-check';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import { endOfQuietHours, isQuiet } from '../../domain/messages/quiet-hours.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';

const zone = (name: string): UtcOffsetAt => {
  const offsets = utcOffsetsOf(name);
  if (!offsets) throw new Error(`no zone ${name}`);
  return offsets;
};
/** The wall clock of a zone by another implementation: `HH:MM:SS`. */
const shown = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(ms);
const next = (start: string, end: string, at: string, name: string): string =>
  new Date(endOfQuietHours({ start, end }, Date.parse(at), zone(name))).toISOString();

describe('quiet hours', () => {
  it('do not apply by day, and apply over midnight until the morning', () => {
    expect(next('21:00', '08:00', '2026-01-15T12:00:00.123Z', 'Europe/Paris')).to.equal('2026-01-15T12:00:00.123Z');
    expect(next('21:00', '08:00', '2026-01-15T20:00:00.000Z', 'Europe/Paris')).to.equal('2026-01-16T07:00:00.000Z');
    expect(next('21:00', '08:00', '2026-01-16T02:30:15.500Z', 'Europe/Paris')).to.equal('2026-01-16T07:00:00.000Z');
    expect(next('12:00', '14:00', '2026-01-15T12:30:00.000Z', 'Europe/Paris')).to.equal('2026-01-15T13:00:00.000Z');
  });

  it('begin with their first minute and end with their last', () => {
    expect(next('21:00', '08:00', '2026-01-15T20:59:59.999Z', 'UTC')).to.equal('2026-01-15T20:59:59.999Z');
    expect(next('21:00', '08:00', '2026-01-15T21:00:00.000Z', 'UTC')).to.equal('2026-01-16T08:00:00.000Z');
    expect(next('21:00', '08:00', '2026-01-16T07:59:59.999Z', 'UTC')).to.equal('2026-01-16T08:00:00.000Z');
    expect(next('21:00', '08:00', '2026-01-16T08:00:00.000Z', 'UTC')).to.equal('2026-01-16T08:00:00.000Z');
  });

  it('end an hour earlier on the night on which clocks go forward, and later when they go back', () => {
    expect(next('21:00', '08:00', '2026-03-28T22:00:00.000Z', 'Europe/Paris')).to.equal('2026-03-29T06:00:00.000Z');
    expect(next('21:00', '08:00', '2026-10-24T20:00:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T07:00:00.000Z');
    expect(next('21:00', '08:00', '2026-03-08T04:00:00.000Z', 'America/New_York')).to.equal('2026-03-08T12:00:00.000Z');
  });

  it('end with the clock change if their end is in the skipped hour', () => {
    expect(next('22:00', '02:30', '2026-03-29T00:30:00.000Z', 'Europe/Paris')).to.equal('2026-03-29T01:00:00.000Z');
    // The clock never shows a quiet time.
    expect(next('02:10', '02:50', '2026-03-29T00:59:59.999Z', 'Europe/Paris')).to.equal('2026-03-29T00:59:59.999Z');
    expect(next('02:10', '02:50', '2026-03-29T01:00:00.000Z', 'Europe/Paris')).to.equal('2026-03-29T01:00:00.000Z');
    // They begin in it, and last until their end.
    expect(next('02:30', '06:00', '2026-03-29T01:00:00.000Z', 'Europe/Paris')).to.equal('2026-03-29T04:00:00.000Z');
  });

  it('apply twice if their time comes twice', () => {
    // 02:30 comes at 00:30 and again at 01:30 UTC.
    expect(next('22:00', '02:30', '2026-10-24T23:00:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T00:30:00.000Z');
    expect(next('22:00', '02:30', '2026-10-25T00:45:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T00:45:00.000Z');
    expect(next('22:00', '02:30', '2026-10-25T01:00:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T01:30:00.000Z');
    expect(next('02:30', '02:59', '2026-10-25T00:30:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T00:59:00.000Z');
    expect(next('02:30', '02:59', '2026-10-25T01:30:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T01:59:00.000Z');
    // The quiet hours begin in the second one and would have begun in the first.
    expect(next('02:30', '08:00', '2026-10-25T00:30:00.000Z', 'Europe/Paris')).to.equal('2026-10-25T01:00:00.000Z');
  });

  it('support zones that change by half an hour, change at midnight, or skipped a day', () => {
    expect(next('21:00', '02:15', '2026-10-03T14:00:00.000Z', 'Australia/Lord_Howe')).to.equal('2026-10-03T15:30:00.000Z');
    expect(next('21:00', '08:00', '2026-03-08T03:00:00.000Z', 'America/Havana')).to.equal('2026-03-08T12:00:00.000Z');
    expect(next('21:00', '08:00', '2011-12-30T08:00:00.000Z', 'Pacific/Apia')).to.equal('2011-12-30T18:00:00.000Z');
  });

  it('never pass a message at a quiet wall-clock time, and never delay it longer', () => {
    const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Africa/Casablanca', 'UTC'];
    const time = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'));
    const moments = fc.oneof(
      fc.integer({ min: Date.parse('2026-03-28T12:00:00Z'), max: Date.parse('2026-03-29T18:00:00Z') }),
      fc.integer({ min: Date.parse('2026-10-24T12:00:00Z'), max: Date.parse('2026-10-25T18:00:00Z') }),
      fc.integer({ min: Date.parse('2010-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...zones), time, time, moments, (name, start, end, at) => {
        fc.pre(start !== end);
        const quietAt = (ms: number) => {
          const clock = shown(ms, name);
          return start < end ? start <= clock && clock < end : start <= clock || clock < end;
        };
        const moment = endOfQuietHours({ start, end }, at, zone(name));
        expect(isQuiet({ start, end }, at, zone(name))).to.equal(quietAt(at));
        expect(quietAt(moment), shown(moment, name)).to.equal(false);
        if (moment === at) return;
        expect(quietAt(moment - 1), 'a moment earlier').to.equal(true);
        for (let before = at; before < moment; before += 20 * 60_000) expect(quietAt(before)).to.equal(true);
      }),
    );
  });
});
