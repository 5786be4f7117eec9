import { toUSVString } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { allowedBy, hostileText, mutated, NAMES_OF_OBJECTS, type Schema } from './values.js';

/** What an operation takes. */
export interface Contents {
  readonly body: Schema | null;
  /** The other media types of a body: of a form, a table, an email. */
  readonly mediaTypes: readonly string[];
  /** Valid bodies. */
  readonly examples: readonly unknown[];
}

const RAW_BODIES = [
  '',
  '{',
  '[',
  '"text"',
  'null',
  '1',
  'NaN',
  '{"a":1,}',
  "{'a':1}",
  '{"to":1e999}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2,"__proto__":null}',
  '[1,2',
  '\ufeff{}',
  '{"to":"\\ud800"}',
  '{"to":"\\u0000"}',
  '['.repeat(200) + ']'.repeat(200),
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  `{"message":"${'x'.repeat(200_000)}"}`,
  `[${'{},'.repeat(20_000)}{}]`,
];

/** A body; its type where it is not JSON. */
export interface Body {
  readonly bytes: Buffer;
  readonly type?: string;
}

const bytesOfText = (text: string): Body => ({ bytes: Buffer.from(text) });
/** Values as JSON. */
export const json = (value: Arbitrary<unknown>): Arbitrary<Body> => value.map((v) => bytesOfText(JSON.stringify(v) ?? ''));

/** Bodies of an operation, of which most are no valid ones; null for one without. */
export function bodyOf(operation: Contents | null): Arbitrary<Body | null> {
  const raw = fc.oneof(
    fc.constantFrom(...RAW_BODIES).map(bytesOfText),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes: Buffer.from(bytes) })),
    fc.constant({ bytes: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }),
    fc.json().map((text) => ({ bytes: Buffer.from(text, 'utf16le') })),
  );
  if (!operation?.body) return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: raw });
  const examples = operation.examples.map((example) => fc.constant(example));
  const right = fc.oneof(allowedBy(operation.body), ...examples);
  return fc.oneof(
    { weight: 4, arbitrary: json(right) },
    { weight: 6, arbitrary: json(mutated(right)) },
    { weight: 2, arbitrary: json(mutated(mutated(right))) },
    { weight: 2, arbitrary: raw },
    ...operation.mediaTypes.map((type) => ({ weight: 4, arbitrary: bodyOfType(type, mutated(right)) })),
  );
}

/** A value in another media type: as far as it has fields, they become those of a form, or the columns of a table. */
function bodyOfType(type: string, value: Arbitrary<unknown>): Arbitrary<Body> {
  const pairs = fc
    .tuple(value, fc.array(fc.tuple(hostileText, hostileText), { maxLength: 3 }))
    .map(([of, more]): [string, string][] => [...fieldsOf(of), ...more]);
  if (type === 'application/x-www-form-urlencoded') return pairs.map((all) => ({ type, bytes: Buffer.from(new URLSearchParams(all).toString()) }));
  if (type === 'multipart/form-data') return fc.tuple(pairs, table).map(([all, file]) => multipart([...all, ['file', file]]));
  if (type === 'text/csv') return table.map((text) => ({ type, bytes: Buffer.from(text) }));
  return pairs.map((all) => ({ type, bytes: Buffer.from(`${all.map(([name, text]) => `${name}: ${text}`).join('\r\n')}\r\n\r\nHello`) }));
}

const fieldsOf = (value: unknown): [string, string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, part]) => [name, typeof part === 'string' ? part : JSON.stringify(part)])
    : [];

const COLUMNS = ['email', 'phone', 'first_name', 'custom_fields.plan', 'custom_fields.constructor', 'tags', 'address', 'reason', 'occurred_at'];
const column = fc.oneof(fc.constantFrom(...COLUMNS, ...NAMES_OF_OBJECTS), hostileText);
const cell = fc.oneof(fc.constantFrom('ada@example.com', '+14155550100', '2026-01-31', 'pro', ''), hostileText);
const table = fc
  .array(column, { minLength: 1, maxLength: 5 })
  .chain((names) => fc.tuple(fc.constant(names), fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }), { maxLength: 5 })))
  .map(([names, rows]) => [names, ...rows].map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n'));

const BOUNDARY = 'a-boundary-of-the-fuzz';
function multipart(parts: readonly (readonly [name: string, text: string])[]): Body {
  const written = parts.map(([name, text]) => {
    const file = name === 'file' ? '; filename="table.csv"\r\nContent-Type: text/csv' : '';
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${encodeURIComponent(toUSVString(name))}"${file}\r\n\r\n${text}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: Buffer.from(`${written.join('')}--${BOUNDARY}--\r\n`) };
}
