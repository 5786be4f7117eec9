/**
 * The Base64 of the same bytes in the form of RFC 4648, 4: with padding, without line breaks. Null if the text is not Base64. Line
 * breaks (RFC 2045) and missing padding are accepted.
 */
export function normalizeBase64(text: string): string | null {
  const whole = encoded(text);
  if (whole === text) return text;
  const joined = text.replace(/[\r\n\t ]+/g, '').replace(/={0,2}$/, '');
  const padded = joined.padEnd(Math.ceil(joined.length / 4) * 4, '=');
  return encoded(padded) === padded ? padded : null;
}

const encoded = (text: string): string => Buffer.from(text, 'base64').toString('base64');

/** The bytes of a normalized Base64. */
export const base64Length = (normalized: string): number =>
  (normalized.length / 4) * 3 - (normalized.endsWith('==') ? 2 : normalized.endsWith('=') ? 1 : 0);
