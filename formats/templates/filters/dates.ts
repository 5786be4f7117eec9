import { DateTime, FixedOffsetZone } from 'luxon';
import { templateLimits } from '../limits.js';
import type { RenderContext } from '../render-context.js';
import { isNil, plainOf, textOf } from '../values.js';
import { FilterFailure, type FilterTable } from './filter.js';
import { formatted } from './strftime.js';

/** An offset or a name of a zone at the end of a date in words, such as `5 March 2026 10:00 +0100`. */
const OFFSET_AT_END = /\s*(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2}))$/i;
const MS = 1_000;

/** The zone in which a date without one is: that of the contact, else that of the account. */
export function zoneOf(context: RenderContext): string {
  const { contact, account } = context.globals as {
    readonly contact?: { timezone?: unknown } | null;
    readonly account?: { timezone?: unknown } | null;
  };
  const named = [contact?.timezone, account?.timezone].find((zone) => typeof zone === 'string' && DateTime.utc().setZone(zone).isValid);
  return typeof named === 'string' ? named : 'UTC';
}

/** The time that a value names; null for one that is none. It keeps an offset of its own, and is in the zone otherwise. */
export function givenTime(value: unknown, context: RenderContext): DateTime | null {
  const zone = zoneOf(context);
  const plain = plainOf(value);
  if (typeof plain === 'number') return valid(DateTime.fromMillis(plain * MS, { zone }));
  if (typeof plain !== 'string') return null;
  const text = plain.trim();
  const { now } = context.globals as { readonly now?: unknown };
  if (/^(?:now|today)$/i.test(text)) return typeof now === 'string' ? valid(DateTime.fromISO(now, { zone })) : null;
  if (text === now) return valid(DateTime.fromISO(text, { zone }));
  if (/^\d{5,}$/.test(text)) return valid(DateTime.fromSeconds(Number(text), { zone }));
  return fromText(text, zone);
}

const valid = (time: DateTime): DateTime | null => (time.isValid ? time : null);

function fromText(text: string, zone: string): DateTime | null {
  const options = { zone, setZone: true } as const;
  const iso = text
    .replace(/^(\d{4}-\d{1,2}-\d{1,2}) +(\d)/, '$1T$2')
    .replace(/ +(?=[+-]\d{2}:?\d{2}$|Z$|UTC$)/i, '')
    .replace(/UTC$/i, 'Z');
  for (const read of [DateTime.fromISO(iso, options), DateTime.fromRFC2822(text, options), DateTime.fromHTTP(text, options)])
    if (read.isValid) return read;
  return text.length > templateLimits.dateFormat ? null : fromWords(text, zone);
}

/** A date in words, as people write it: `March 14, 2016`. The clock on the wall is read first, then its zone. */
function fromWords(text: string, zone: string): DateTime | null {
  if (!/[a-z]{3}|\d{1,4}[/-]\d{1,2}[/-]\d/i.test(text)) return null;
  const found = OFFSET_AT_END.exec(text);
  const wall = found ? text.slice(0, found.index) : text;
  const at = Date.parse(`${wall.replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1')} UTC`);
  // A day that there is not, such as 30 February, becomes another one.
  if (Number.isNaN(at) || !new RegExp(`(?<!\\d)0?${new Date(at).getUTCDate()}(?!\\d)`).test(wall)) return null;
  const [, , sign = '+', hours = '0', minutes = '0'] = found ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return valid(DateTime.fromMillis(at, { zone: 'utc' }).setZone(found ? FixedOffsetZone.instance(offset) : zone, { keepLocalTime: true }));
}

/** A time in a zone that is given: a name, or minutes as JavaScript counts them. */
function inZone(time: DateTime, zone: unknown): DateTime {
  const plain = plainOf(zone);
  if (isNil(plain)) return time;
  const moved = time.setZone(typeof plain === 'number' ? FixedOffsetZone.instance(-plain) : textOf(plain));
  if (!moved.isValid) throw new FilterFailure(`there is no time zone '${textOf(plain).slice(0, 50)}'`);
  return moved;
}

function date(this: { readonly context: RenderContext }, value: unknown, format: unknown, zone: unknown): unknown {
  for (const given of [format, zone])
    if (textOf(given).length > templateLimits.dateFormat) throw new FilterFailure(`it has at most ${templateLimits.dateFormat} characters`);
  const pattern = textOf(format);
  if (isNil(format) || pattern === '') return value;
  const time = givenTime(value, this.context);
  return time === null ? value : formatted(inZone(time, zone), pattern);
}

const fixed = (pattern: string) =>
  function (this: { readonly context: RenderContext }, value: unknown): unknown {
    const time = givenTime(value, this.context);
    return time === null ? value : formatted(time, pattern);
  };

/** Filters over times. */
export const dateFilters: FilterTable = {
  date: [0, 2, date],
  date_to_xmlschema: [0, 0, fixed('%Y-%m-%dT%H:%M:%S%:z')],
  date_to_rfc822: [0, 0, fixed('%a, %d %b %Y %H:%M:%S %z')],
};
