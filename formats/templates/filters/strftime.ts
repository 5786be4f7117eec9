import type { DateTime } from 'luxon';
import { LimitReached } from '../limits.js';

/** A conversion: flags, width, letter. */
const PART = /%([-_0^#:]*)(\d*)(?:[EO])?([a-zA-Z%+])/g;
const MAX_WIDTH = 100;
const ENGLISH = { locale: 'en-US' } as const;

interface Part {
  readonly text: string;
  /** Of numbers: to how many characters they are filled, and by which. */
  readonly width?: number;
  readonly fill?: '0' | ' ';
}
type Conversion = (time: DateTime, flags: string) => Part;

const number =
  (read: (time: DateTime) => number, width: number, fill: '0' | ' ' = '0'): Conversion =>
  (time) => ({ text: String(read(time)), width, fill });
const words =
  (format: string): Conversion =>
  (time) => ({ text: time.setLocale(ENGLISH.locale).toFormat(format) });
const composed =
  (pattern: string): Conversion =>
  (time) => ({ text: formatted(time, pattern) });
const hourOf12 = ({ hour }: DateTime): number => hour % 12 || 12;
/** The week of the year, where weeks begin on a Sunday (0) or Monday (1). */
const weekOf = (time: DateTime, first: 0 | 1): number => Math.floor((time.ordinal + 6 - ((time.weekday - first + 7) % 7)) / 7);

function offsetOf({ offset }: DateTime, flags: string): string {
  const size = Math.abs(offset);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hours}${flags.includes(':') ? ':' : ''}${minutes}`;
}

const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['a', words('ccc')],
  ['A', words('cccc')],
  ['b', words('LLL')],
  ['h', words('LLL')],
  ['B', words('LLLL')],
  ['c', composed('%a %b %e %H:%M:%S %Y')],
  ['C', number(({ year }) => Math.floor(year / 100), 2)],
  ['d', number(({ day }) => day, 2)],
  ['D', composed('%m/%d/%y')],
  ['e', number(({ day }) => day, 2, ' ')],
  ['F', composed('%Y-%m-%d')],
  ['g', number(({ weekYear }) => weekYear % 100, 2)],
  ['G', number(({ weekYear }) => weekYear, 4)],
  ['H', number(({ hour }) => hour, 2)],
  ['I', number(hourOf12, 2)],
  ['j', number(({ ordinal }) => ordinal, 3)],
  ['k', number(({ hour }) => hour, 2, ' ')],
  ['l', number(hourOf12, 2, ' ')],
  ['L', number(({ millisecond }) => millisecond, 3)],
  ['m', number(({ month }) => month, 2)],
  ['M', number(({ minute }) => minute, 2)],
  ['n', () => ({ text: '\n' })],
  ['N', ({ millisecond }) => ({ text: `${String(millisecond).padStart(3, '0')}000000` })],
  ['p', ({ hour }, flags) => ({ text: hour < 12 !== flags.includes('#') ? (hour < 12 ? 'AM' : 'pm') : hour < 12 ? 'am' : 'PM' })],
  ['P', ({ hour }) => ({ text: hour < 12 ? 'am' : 'pm' })],
  ['q', ({ day }) => ({ text: ordinalEnd(day) })],
  ['r', composed('%I:%M:%S %p')],
  ['R', composed('%H:%M')],
  ['s', number((time) => Math.floor(time.toSeconds()), 1)],
  ['S', number(({ second }) => second, 2)],
  ['t', () => ({ text: '\t' })],
  ['T', composed('%H:%M:%S')],
  ['u', number(({ weekday }) => weekday, 1)],
  ['U', number((time) => weekOf(time, 0), 2)],
  ['v', composed('%e-%^b-%Y')],
  ['V', number(({ weekNumber }) => weekNumber, 2)],
  ['w', number(({ weekday }) => weekday % 7, 1)],
  ['W', number((time) => weekOf(time, 1), 2)],
  ['x', composed('%m/%d/%y')],
  ['X', composed('%H:%M:%S')],
  ['y', number(({ year }) => year % 100, 2)],
  ['Y', number(({ year }) => year, 1)],
  ['z', (time, flags) => ({ text: offsetOf(time, flags) })],
  ['Z', (time) => ({ text: time.zone.isUniversal && time.offset === 0 ? 'UTC' : (time.setLocale(ENGLISH.locale).offsetNameShort ?? '') })],
  ['%', () => ({ text: '%' })],
  ['+', composed('%a %b %e %H:%M:%S %Z %Y')],
]);

const ordinalEnd = (day: number): string => (day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'));

/** A time by a format of `strftime`, with the names of English. What is no conversion stays as it is. */
export function formatted(time: DateTime, format: string): string {
  return format.replace(PART, (whole, flags: string, width: string, letter: string) => {
    const conversion = conversions.get(letter);
    if (!conversion) return whole;
    if (Number(width) > MAX_WIDTH) throw new LimitReached('memory');
    const { text, width: usual = 0, fill = ' ' } = conversion(time, flags);
    const cased = flags.includes('^') || (flags.includes('#') && letter !== 'p') ? text.toUpperCase() : text;
    if (flags.includes('-')) return cased;
    const by = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill;
    return cased.padStart(width === '' ? usual : Number(width), by);
  });
}
