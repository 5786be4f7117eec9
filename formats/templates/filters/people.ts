import { DateTime } from 'luxon';
import type { RenderContext } from '../render-context.js';
import { isNil, plainOf, textOf } from '../values.js';
import { givenTime, zoneOf } from './dates.js';
import { FilterFailure, type FilterTable } from './filter.js';
import { wholeOf } from './texts.js';

type This = { readonly context: RenderContext };

/** The language of the contact, else of the account, else English. */
function languageOf({ context }: This): string {
  const { contact, account } = context.globals as { readonly contact?: { locale?: unknown } | null; readonly account?: { locale?: unknown } | null };
  for (const given of [contact?.locale, account?.locale]) {
    const known = typeof given === 'string' ? supported(given.replaceAll('_', '-')) : undefined;
    if (known !== undefined) return known;
  }
  return 'en';
}

function supported(tag: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
}

function numeric(value: unknown): number {
  const plain = plainOf(value);
  const number = typeof plain === 'string' && plain.trim() !== '' ? Number(plain) : plain;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new FilterFailure(`'${textOf(plain).slice(0, 50)}' is no number`);
  return number;
}

function money(this: This, value: unknown, currency: unknown): string {
  if (isNil(value)) return '';
  const code = textOf(currency).toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw new FilterFailure("it takes the code of a currency, such as 'EUR'");
  return new Intl.NumberFormat(languageOf(this), { style: 'currency', currency: code }).format(numeric(value));
}

function number(this: This, value: unknown, places: unknown): string {
  if (isNil(value)) return '';
  const digits = isNil(places) ? undefined : wholeOf(places, 0);
  if (digits !== undefined && (digits < 0 || digits > 20)) throw new FilterFailure('it takes 0 to 20 digits');
  const options = digits === undefined ? { maximumFractionDigits: 20 } : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(languageOf(this), options).format(numeric(value));
}

const STYLES = {
  short: DateTime.DATETIME_SHORT,
  medium: DateTime.DATETIME_MED,
  long: DateTime.DATETIME_FULL,
  date: DateTime.DATE_FULL,
  time: DateTime.TIME_SIMPLE,
} as const;
const styles = new Map<string, Intl.DateTimeFormatOptions>(Object.entries(STYLES));

/** The time on the clock of the contact, also where it was given with an offset of its own. */
function localTime(this: This, value: unknown, style: unknown): unknown {
  if (isNil(value)) return '';
  const options = styles.get(isNil(style) ? 'medium' : textOf(style));
  if (!options) throw new FilterFailure(`it takes one of ${[...styles.keys()].join(', ')}`);
  const time = givenTime(value, this.context);
  if (time === null) throw new FilterFailure(`'${textOf(value).slice(0, 50)}' is no time`);
  return time.setZone(zoneOf(this.context)).setLocale(languageOf(this)).toLocaleString(options);
}

/** Filters that write numbers and times as the recipient reads them. */
export const peopleFilters: FilterTable = {
  money: [1, 1, money],
  number: [0, 1, number],
  local_time: [0, 1, localTime],
};
