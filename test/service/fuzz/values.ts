import fc, { type Arbitrary } from 'fast-check';
import { inheritedNames } from '../../support/inherited-names.js';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const NAMES_OF_OBJECTS = [...inheritedNames, 'prototype', 'then', 'length', 'toJSON'];

/** Texts that often break programs. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...NAMES_OF_OBJECTS,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    'ﷺ'.repeat(50),
    '👩‍👩‍👧‍👦'.repeat(40),
    '0',
    '-1',
    'NaN',
    '1e400',
    'null',
    '[object Object]',
    '../../etc/passwd',
    "'; DROP TABLE events; --",
    '{{7*7}}',
    '%s%n%00',
    '+14155550100',
    '+',
    'a@b',
    'ada@example.com',
    '9999-12-31T23:59:59.999Z',
    '0000-00-00T00:00:00Z',
    '2026-02-30T25:61:61+99:99',
    'x'.repeat(5_000),
  ),
);

const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    { a: {} },
    { toString: 1, valueOf: 1 },
    { constructor: { prototype: 1 } },
    nested(20),
    nested(63),
    nested(70),
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...NAMES_OF_OBJECTS)), fc.jsonValue({ maxDepth: 1 })),
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

/** Recipients and URLs that do not leave this machine. */
const texts: Readonly<Record<string, Arbitrary<string>>> = {
  to: fc.constantFrom('+14155550100', '+14155550101', '+15005550001', '+15005550002', '+15005550004', 'ada@example.com', 'bounce@sandbox.test'),
  channel: fc.constantFrom('sms', 'sms', 'sms', 'whatsapp', 'rcs', 'email', 'push', 'pigeon'),
  webhook_url: fc.constantFrom(
    'http://127.0.0.1:4/',
    'http://127.0.0.1:9/',
    'http://10.0.0.1/',
    'http://[::1',
    'ftp://127.0.0.1/',
    'http://u:p@127.0.0.1:9/',
    '//x',
    '',
  ),
  email: fc.nat(99).map((n) => `user${n}@example.com`),
  idempotency_key: fc.nat(20).map(String),
};

/** Values that are mostly valid for a schema. */
export function allowedBy(schema: Schema, name = ''): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => allowedBy(one, name)));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type as string | undefined];
  return fc.oneof(...types.map((type) => valueOfType(type, schema, name)));
}

function valueOfType(type: string | undefined, schema: Schema, name: string): Arbitrary<unknown> {
  const { minimum = -5, maximum = 1_000, minLength = 0, maxLength = 50 } = schema;
  switch (type) {
    case 'string':
      if (schema.format === 'date-time') return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((d) => d.toISOString());
      return texts[name] ?? fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 50) });
    case 'integer':
      return fc.integer({ min: Math.max(minimum, -1e6), max: Math.min(maximum, 1e6) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(allowedBy(schema.items ?? {}, name), { maxLength: 5 });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf({ properties, required = [] }: Schema): Arbitrary<unknown> {
  if (!properties)
    return fc.dictionary(fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom(...NAMES_OF_OBJECTS)), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 });
  const member = (name: string) => allowedBy(properties[name] ?? {}, name).map((value) => [name, value] as const);
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // Few elements: in a long list one would nearly always be invalid.
  return fc
    .tuple(
      fc.tuple(...required.map(member)),
      fc.subarray(optional, { maxLength: Math.min(3, optional.length) }).chain((names) => fc.tuple(...names.map(member))),
    )
    .map(([always, sometimes]) => Object.fromEntries([...always, ...sometimes]));
}

type Mutation = 'replace' | 'remove' | 'add';

/** The value with a hostile value at a random path. */
export const mutated = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(value, hostileValue, fc.array(fc.nat(1_000), { minLength: 4, maxLength: 4 }), fc.constantFrom<Mutation>('replace', 'remove', 'add'))
    .map(([base, hostile, path, how]) => mutate(base, hostile, path, how));

/** Returns a copy with a change at a path, which may be cut short. The value is not changed. */
function mutate(value: unknown, hostile: unknown, [index = 0, ...deeper]: readonly number[], how: Mutation): unknown {
  if (typeof value !== 'object' || value === null) return hostile;
  const entries = Object.entries(value);
  const at = index % Math.max(1, entries.length);
  const [key, inner] = entries[at] ?? [];
  if (key === undefined || deeper.length === 0 || typeof inner !== 'object') {
    if (key !== undefined && how !== 'add') entries.splice(at, 1, ...(how === 'replace' ? [[key, hostile] as [string, unknown]] : []));
    else entries.push([NAMES_OF_OBJECTS[index % NAMES_OF_OBJECTS.length] as string, hostile]);
  } else entries[at] = [key, mutate(inner, hostile, deeper, how)];
  // From entries, so that `__proto__` becomes an own property and is part of the JSON text.
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
