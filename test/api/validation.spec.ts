import { expect } from 'chai';
import Type from 'typebox';
import { bodyValidator, judged, parseQuery, queryValidator } from '../../api/http/validation/validation.js';
import {
  annotate,
  anyRecord,
  boundedText,
  lineOf,
  list,
  mapOf,
  named,
  nullable,
  oneOf,
  optional,
  partial,
  record,
  type TSchema,
  text,
  time,
} from '../../domain/kernel/schema.js';
import { idPattern, textPattern } from '../../domain/kernel/text-patterns.js';

const codes = (schema: TSchema, value: unknown): Record<string, string> =>
  Object.fromEntries(bodyValidator(schema)(value).problems.map((p) => [p.field, p.code]));

describe('validation', () => {
  describe('of a text with a pattern', () => {
    const tag = textPattern('^a', 'Begin with a.');
    const messages = (schema: TSchema, value: unknown, validator = bodyValidator) =>
      validator(schema)(value).problems.map(({ field, message }) => `${field}: ${message}`);

    it('answers with the hint of the pattern, wherever the schema is', () => {
      const name = Type.String({ ...tag, description: 'A name.' });
      const inner = named('Inner', record({ name: annotate(name, { description: 'Another.' }), maybe: optional(nullable(boundedText(tag))) }));
      const schema = record({
        inner: partial(inner),
        list: list(name),
        map: mapOf(name),
        either: Type.Union([name, record({ rotate: Type.Literal(true) })]),
      });
      const value = { inner: { name: 'b', maybe: 'b' }, list: ['a', 'b'], map: { key: 'b' }, either: 'b' };
      expect(messages(schema, value)).to.deep.equal(
        ['inner.name', 'inner.maybe', 'list[1]', 'map.key', 'either'].map((field) => `${field}: Begin with a.`),
      );
      expect(messages(record({ name }), { name: 'b' }, queryValidator)).to.deep.equal(['name: Begin with a.']);
    });

    it('knows two hints of one pattern apart', () => {
      const other = record({ name: boundedText(textPattern('^a', 'Use ada.')) });
      expect(messages(record({ name: boundedText(tag) }), { name: 'b' })).to.deep.equal(['name: Begin with a.']);
      expect(messages(other, { name: 'b' })).to.deep.equal(['name: Use ada.']);
    });

    it('never shows the hint where the schema is printed', () => {
      expect(JSON.stringify(boundedText(tag))).to.equal('{"type":"string","pattern":"^a"}');
    });
  });

  it('has a stable code for each kind of problem', () => {
    const schema = record({
      missing: text,
      type: Type.Integer(),
      long: Type.String({ maxLength: 2 }),
      short: Type.String({ minLength: 2 }),
      word: oneOf('a', 'b'),
      format: time,
      pattern: Type.String({ pattern: '^a' }),
      small: Type.Number({ minimum: 1 }),
      large: Type.Number({ maximum: 1 }),
      few: list(text, { minItems: 1 }),
      many: Type.Record(Type.String(), text, { maxProperties: 1 }),
    });
    const value = { type: 'x', long: 'abc', short: 'a', word: 'c', format: 'x', pattern: 'b', small: 0, large: 2, few: [], many: { a: 'a', b: 'b' } };
    expect(codes(schema, value)).to.deep.equal({
      missing: 'required',
      type: 'wrong_type',
      long: 'too_long',
      short: 'too_short',
      word: 'not_allowed',
      format: 'invalid_format',
      pattern: 'invalid_format',
      small: 'out_of_range',
      large: 'out_of_range',
      few: 'too_few',
      many: 'too_many',
    });
  });

  it('has a message with what to do', () => {
    const messageOf = (schema: TSchema, value: unknown) => bodyValidator(record({ x: schema }))({ x: value }).problems[0]?.message;
    expect(messageOf(Type.Number({ minimum: 1 }), 0)).to.equal('Use a number of at least 1.');
    expect(messageOf(nullable(Type.String()), 5)).to.equal('Use a string or null.');
    expect(messageOf(nullable(oneOf('a', 'b')), 'c')).to.equal('Use one of: a, b, null.');
    expect(messageOf(nullable(oneOf('a', 'b')), null)).to.equal(undefined);
    expect(messageOf(Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c')).to.equal('Use one of: a, b.');
    expect(messageOf(Type.Union([Type.String(), Type.Integer(), list(text)]), {})).to.equal('Use a string or a whole number or an array.');
    expect(messageOf(text, '')).to.equal('Use a non-empty text.');
    expect(messageOf(Type.String({ maxLength: 1 }), 'ab')).to.equal('Use at most 1 character.');
    expect(messageOf(Type.String({ pattern: '^a' }), 'b')).to.equal('Use a text that matches ^a.');
    expect(messageOf(Type.String(lineOf(9)), 'a\nb')).to.include('one line of text');
    expect(messageOf(boundedText(idPattern('acc')), 'b')).to.equal('Use an id that begins with acc_.');
  });

  it('gives the path of a field in lists and in names that the caller chose', () => {
    const schema = record({ items: list(record({ to: text })), data: Type.Record(Type.String(), text) });
    expect(Object.keys(codes(schema, { items: [{ to: 'a' }, {}, 5], data: { 'a/b~c': 5 } }))).to.deep.equal([
      'items[1].to',
      'items[2]',
      'data.a/b~c',
    ]);
    expect(codes(schema, 5)).to.deep.equal({ body: 'wrong_type' });
  });

  it('names of a union only what is wrong in the form that was meant', () => {
    const who = Type.Union([
      record({ kind: Type.Literal('email'), email: Type.String({ format: 'email' }) }),
      record({ kind: Type.Literal('phone'), phone: text, country: text }),
    ]);
    const schema = record({ who: list(who) });
    const value = { who: [{ kind: 'email', email: 'x' }, { kind: 'phone' }, 5] };
    expect(codes(schema, value)).to.deep.equal({
      'who[0].email': 'invalid_format',
      'who[1].phone': 'required',
      'who[1].country': 'required',
      'who[2]': 'wrong_type',
    });
  });

  it('takes unknown fields out, and names each once, however many elements have it', () => {
    const schema = record({ items: list(record({ a: optional(text) })), free: optional(anyRecord) });
    const value = { items: [{ a: 'x', b: 1 }, { b: 2 }], free: { any: 1 }, other: 1 };
    const { problems, warnings } = judged(bodyValidator(schema)(value), { strict: false });
    expect(problems).to.deep.equal([]);
    expect(warnings).to.deep.equal(['unknown field: items[].b', 'unknown field: other']);
    expect(value).to.deep.equal({ items: [{ a: 'x' }, {}], free: { any: 1 } });
  });

  it('accepts a field of any branch of a union', () => {
    const schema = Type.Union([record({ email: text }), record({ phone: text })]);
    const value = { email: 'a', phone: 'b', fax: 'c' };
    expect(judged(bodyValidator(schema)(value), { strict: false }).warnings).to.deep.equal(['unknown field: fax']);
    expect(value).to.deep.equal({ email: 'a', phone: 'b' });
  });

  it('never coerces a body', () => {
    expect(codes(record({ n: Type.Integer(), b: Type.Boolean() }), { n: '5', b: 'true' })).to.deep.equal({ n: 'wrong_type', b: 'wrong_type' });
  });

  it('takes only times that are moments', () => {
    const of = (at: string) => codes(record({ at: time }), { at });
    for (const good of ['2026-01-15T10:30:00Z', '2026-01-15T10:30:00.123+05:30']) expect(of(good), good).to.deep.equal({});
    for (const bad of [
      '1998-12-31T23:59:60Z',
      '9999-12-31T23:59:59-00:01',
      '0000-01-01T00:00:00+00:01',
      '2026-02-30T00:00:00Z',
      '2026-01-15T10:30:00',
      '2026-01-15',
      `${'2'.repeat(5000)}`,
    ]) {
      expect(of(bad), bad.slice(0, 30)).to.deep.equal({ at: 'invalid_format' });
    }
  });

  it('rejects a list that is too long before it validates its elements', () => {
    const schema = record({ items: list(record({ a: text }), { maxItems: 10 }) });
    const { problems } = bodyValidator(schema)({ items: Array(1_000_000).fill(0) });
    expect(problems).to.deep.equal([{ field: 'items', code: 'too_many', message: 'Use at most 10 elements.' }]);
  });

  it('lists a thousand problems and counts the others, of ten thousand bad elements with several each', () => {
    const schema = record({ items: list(record({ a: text, b: text, c: nullable(text) }), { maxItems: 10_000 }) });
    const { problems, truncated } = bodyValidator(schema)({ items: Array.from({ length: 10_000 }, () => ({ a: 1, b: '' })) });
    expect([problems.length, truncated]).to.deep.equal([1000, 29_000]);
  });

  it('rejects a schema with a format or keyword that is not checked', () => {
    expect(() => bodyValidator(Type.String({ format: 'shoe-size' }))({})).to.throw(/shoe-size/);
    expect(() => bodyValidator({ type: 'string', maxlength: 5 } as TSchema)({})).to.throw(/maxlength/);
  });
});

describe('a query string', () => {
  const check = queryValidator(
    record({
      limit: Type.Integer({ default: 50, maximum: 200 }),
      flag: optional(Type.Boolean()),
      tag: optional(list(text)),
      field: optional(Type.Record(Type.String(), Type.String())),
    }),
  );
  const read = (url: string) => {
    const query = parseQuery(url);
    return { problems: check(query).problems.map((p) => `${p.field} ${p.code}`), query: JSON.parse(JSON.stringify(query)) };
  };

  it('becomes values of the types that are asked for, with defaults', () => {
    expect(read('/x?limit=5&flag=true&tag=a&field[plan]=pro&field[a%20b]=c')).to.deep.equal({
      problems: [],
      query: { limit: 5, flag: true, tag: ['a'], field: { plan: 'pro', 'a b': 'c' } },
    });
    expect(read('/x').query).to.deep.equal({ limit: 50 });
    expect(read('/x?tag=a&tag=b').query.tag).to.deep.equal(['a', 'b']);
  });

  it('loses what is not known', () => {
    expect(read('/x?other=1&__proto__=2&__proto__[x]=3').query).to.deep.equal({ limit: 50 });
  });

  it('is refused where a value does not fit', () => {
    expect(read('/x?limit=&flag=maybe').problems).to.deep.equal(['limit wrong_type', 'flag wrong_type']);
    expect(read('/x?limit=1&limit=2').problems).to.deep.equal(['limit wrong_type']);
    expect(read('/x?limit=201').problems).to.deep.equal(['limit out_of_range']);
    expect(read('/x?field=a').problems).to.deep.equal(['field wrong_type']);
  });

  it('has no prototype to reach', () => {
    const query = parseQuery('/x?__proto__[a]=1&constructor[prototype]=1&a[__proto__]=1');
    expect(Object.getPrototypeOf(query)).to.equal(null);
    expect(({} as { a?: unknown }).a).to.equal(undefined);
  });
});
