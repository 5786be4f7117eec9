/** Texts of moments. Nothing here asks for the time or the zone by itself. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Place {
  /** A language tag such as `en-GB`. */
  readonly locale: string;
  /** A name of the time zone database such as `Europe/Berlin`. */
  readonly zone: string;
}

/** Formats are slow to make and few. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf({ locale, zone }: Place, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, zone, options]);
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  formats.set(key, format);
  return format;
}

const MOMENT: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
  hourCycle: 'h23',
};

/** A day and time with the name of its zone, and with the year if that is not the one of `now`: `3 May, 14:05 GMT+2`. */
export function momentText(at: Date, now: Date, place: Place): string {
  const yearOf = (moment: Date): string => formatOf(place, { year: 'numeric' }).format(moment);
  return formatOf(place, yearOf(at) === yearOf(now) ? MOMENT : { ...MOMENT, year: 'numeric' }).format(at);
}

/** A day: `3 May 2026`. */
export const dayText = (at: Date, place: Place): string => formatOf(place, { day: 'numeric', month: 'short', year: 'numeric' }).format(at);

/** To the millisecond, and the same everywhere: `2026-05-03 12:05:09.120 UTC`. */
export const exactText = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', ' UTC');

/** How far from `now`, such as `5 min. ago` or `in 2 hr.`; null for a day or more, where the moment itself tells more. */
export function distanceText(at: Date, now: Date, locale: string): string | null {
  const distance = at.getTime() - now.getTime();
  const size = Math.abs(distance);
  if (size >= DAY) return null;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  if (size < MINUTE) return format.format(0, 'second');
  return size < HOUR ? format.format(Math.trunc(distance / MINUTE), 'minute') : format.format(Math.trunc(distance / HOUR), 'hour');
}

/** How long, by its two largest units: `2 h 5 min`, `340 ms`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
