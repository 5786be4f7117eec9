import { ownField } from '../../domain/kernel/own-fields.js';

const key = (others: string): string =>
  `Begin with a small letter, then use small letters, digits${others}, 64 characters at most: for example first_order.`;

/** How to correct a text that does not match its pattern, in words. By the pattern. */
const texts: Readonly<Record<string, string>> = {
  '^[a-z][a-z0-9_]{0,63}$': key(' and _'),
  '^[a-z][a-z0-9_-]{0,63}$': key(', _ and -'),
  '^[a-z][a-z0-9_.-]{0,63}$': key(', _, . and -'),
  '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$': 'Use small letters, digits and hyphens between them, 63 characters at most: for example spring-sale.',
  '^[A-Za-z0-9_-]{1,64}$': 'Use letters, digits, _ and -, 64 characters at most: for example first_mail.',
  '^[a-z0-9][a-z0-9_-]{0,31}$': 'Use small letters, digits, _ and -, 32 characters at most: for example a.',
  '^(?!__proto__$|constructor$|prototype$)[^\\u0000-\\u001f\\u007f]{1,64}$': 'Use 1 to 64 characters, none of them a control character.',
  '^[^\\u0000-\\u001f\\u007f]*$': 'Use one line of text, without line breaks, tabs and other control characters.',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'Use a time of day, for example 09:30.',
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?$':
    'Use a date, for example 2026-01-15, or a time such as 2026-01-15T10:30:00Z.',
  '^P(?=.*[1-9])([0-9]{1,4}W|([0-9]{1,4}D)?(T(?=[0-9])([0-9]{1,4}H)?([0-9]{1,4}M)?([0-9]{1,4}S)?)?)$':
    'Use an ISO 8601 duration of weeks, days, hours, minutes or seconds, for example P7D or PT12H.',
  '^P[1-9][0-9]{0,3}D$': 'Use a number of days as an ISO 8601 duration, for example P90D.',
  '^[+-]?P.+$': 'Use an ISO 8601 duration after or before, for example P3D or -P3D.',
  '^https://[^\\s\\u0000-\\u001f\\u007f"\';,]+$': 'Use an absolute URL that begins with https://.',
  '^#[0-9a-fA-F]{6}$': 'Use a colour of six hexadecimal digits, for example #0a4f9e.',
  '^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$': 'Use a language tag, for example en or en-GB.',
  '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *; *[ -~]+)?$': 'Use a media type, for example application/pdf.',
  '^[\\u0021-\\u007e]+$': 'Use visible ASCII characters, without spaces.',
  '^[\\u0020-\\u007e]*$': 'Use ASCII characters of one line.',
  '^properties\\..+$': 'Use the path of a property of the event, for example properties.cart_id.',
  '^([1-9][0-9]{0,8}|draft|published)$': 'Use the number of a version, draft or published.',
};

/** Of ids: `^acc_` and 26 characters. */
const ID = /^\^([a-z]{3}_)\[/;

/** In words where this is known, else the pattern itself. */
export function patternText(pattern: string): string {
  const id = ID.exec(pattern);
  if (id) return `Use an id that begins with ${id[1]}.`;
  return Object.hasOwn(texts, pattern) ? (ownField(texts, pattern) as string) : `Use a text that matches ${pattern}.`;
}
