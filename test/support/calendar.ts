/**
 * The calendar as a person reads it from a clock on the wall: nothing is computed from offsets, days are walked and clocks are looked at.
 * It shares no code with the service, whose answers it checks. Times are milliseconds since 1970.
 */

const MINUTE = 60_000;
const faces = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show, `2026-03-29 02:30:00`. */
export function wallAt(ms: number, zone: string): string {
  const face = faces.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  faces.set(zone, face);
  return face.format(ms);
}

/** `2026-03-29` a number of days later, by walking. */
export function daysLater(day: string, days: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

const known = new Map<string, number>();

/**
 * The first moment at which the clocks of a zone show a text. Where they skip it, the moment as long after the jump as the text is after
 * the last time that they showed before it.
 */
export function firstShowing(text: string, zone: string): number {
  const held = known.get(`${zone} ${text}`);
  if (held !== undefined) return held;
  const about = Date.parse(`${text.replace(' ', 'T')}Z`);
  const start = about - 15 * 60 * MINUTE;
  let last = start;
  let found: number | null = null;
  // Clocks of today are set by quarters of an hour.
  for (let at = start; at <= about + 15 * 60 * MINUTE; at += 15 * MINUTE) {
    const shown = wallAt(at, zone);
    if (shown === text) {
      found = at;
      break;
    }
    if (shown < text) last = at;
  }
  const answer = found ?? last + (about - Date.parse(`${wallAt(last, zone).replace(' ', 'T')}Z`));
  known.set(`${zone} ${text}`, answer);
  return answer;
}

const PARTS = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** The moment a duration after another: first the days of the calendar, at the same time on the wall, then the hours as they pass. */
export function laterOnWall(ms: number, duration: string, zone: string): number {
  const { days, rest } = partsOf(duration);
  if (days === 0) return ms + rest;
  const [day = '', time = ''] = wallAt(ms, zone).split(' ');
  const within = ms - Math.floor(ms / 1_000) * 1_000;
  return firstShowing(`${daysLater(day, days)} ${time}`, zone) + within + rest;
}

/** The moment a duration after the beginning of a day. */
export function laterThanDay(day: string, duration: string, zone: string): number {
  const { days, rest } = partsOf(duration);
  return firstShowing(`${daysLater(day, days)} 00:00:00`, zone) + rest;
}

function partsOf(duration: string): { readonly days: number; readonly rest: number } {
  const [, sign, weeks, days, hours, minutes, seconds] = PARTS.exec(duration) ?? [];
  if (sign === undefined) throw new Error(`${duration} is no duration`);
  const of = (text = '0') => Number(text) * (sign === '-' ? -1 : 1);
  return { days: of(weeks) * 7 + of(days) || 0, rest: (of(hours) * 60 + of(minutes)) * MINUTE + of(seconds) * 1_000 || 0 };
}

/** A day, or a moment, as an event or a field names it; null where that is no time. `zone`: of times without one. */
export function timeOnWall(value: unknown, zone: string): { readonly day: string } | { readonly ms: number } | null {
  if (typeof value === 'number') return Number.isFinite(value) && value > 99_999_999 ? { ms: value > 99_999_999_999 ? value : value * 1_000 } : null;
  if (typeof value !== 'string') return null;
  const [day = '', time, ...more] = value.replace('T', ' ').split(' ');
  if (more.length > 0 || !/^\d{4}-\d\d-\d\d$/.test(day) || !isOnCalendar(day)) return null;
  if (time === undefined) return { day };
  if (/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time)) return { ms: firstShowing(`${day} ${time}`, zone) };
  return /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/.test(time) ? { ms: Date.parse(`${day}T${time}`) } : null;
}

/** Whether walking from the first of the month comes to the day. */
function isOnCalendar(day: string): boolean {
  const first = `${day.slice(0, 7)}-01`;
  return (
    /-(0[1-9]|1[0-2])-/.test(first) &&
    Array.from({ length: 31 }, (_, i) => daysLater(first, i)).some((one) => one === day && one.slice(0, 7) === day.slice(0, 7))
  );
}
