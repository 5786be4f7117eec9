import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalText } from '../../domain/segments/canonical.js';
import { describeRule } from '../../domain/segments/describe.js';
import { compileCatalog } from '../../domain/segments/live/catalog.js';
import { hashNumber } from '../../domain/segments/live/hash.js';
import { leafSchemas, type Rule } from '../../domain/segments/rule.js';
import { normalized, ruleProblems } from '../../domain/segments/validate.js';
import { contactClocks } from '../../formats/messages/utc-offsets.js';
import { randomRule, randomTold } from './random-rules.js';
import { catalog, examples, judge } from './support.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

/** Values that a caller may put anywhere. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'P30D', 'P1M', '2026-02-30', -1, 1e308, 101, true, [], {}, 'constructor', '__proto__', 'custom_fields.plan'),
  fc.constantFrom<unknown>(...Object.keys(leafSchemas), 'all', 'any', 'not', 'between', 'within_last', 'exists'),
  fc.jsonValue({ maxDepth: 2 }),
);
const names = fc.constantFrom(
  'type',
  'rules',
  'rule',
  'field',
  'op',
  'value',
  'window',
  'count',
  'where',
  'last',
  'extra',
  '__proto__',
  'constructor',
);

/** Puts a value somewhere into a rule: `way` says where, and the value replaces what is there, comes beside it, or removes it. */
function changed(rule: unknown, way: readonly number[], name: string, value: unknown, how: 'replace' | 'add' | 'remove'): unknown {
  if (typeof rule !== 'object' || rule === null || way.length === 0) return how === 'add' ? rule : value;
  const [step = 0, ...rest] = way;
  const isList = Array.isArray(rule);
  const entries = Object.entries(rule);
  const at = entries.length === 0 ? -1 : step % entries.length;
  const next = entries.map(([key, part], i) => [key, i === at ? changed(part, rest, name, value, how) : part] as const);
  const kept = how === 'remove' && rest.length === 0 ? next.filter((_, i) => i !== at) : next;
  if (isList) return kept.map(([, part]) => part);
  const whole = kept.map(([key, part]) => [JSON.stringify(key), JSON.stringify(part) ?? 'null']);
  if (how === 'add' && rest.length === 0) whole.push([JSON.stringify(name), JSON.stringify(value) ?? 'null']);
  // As a body is read: the last of two equal names counts, and any name is a plain one.
  return JSON.parse(`{${whole.map((pair) => pair.join(':')).join()}}`);
}

const change = fc.tuple(
  fc.array(fc.nat(20), { maxLength: 5 }),
  names,
  anything,
  fc.constantFrom('replace' as const, 'add' as const, 'remove' as const),
);
const nested = fc.tuple(fc.nat(12), fc.constantFrom('not', 'all')).map(([depth, type]) => {
  let rule: unknown = { type: 'everyone' };
  for (let n = 0; n < depth; n++) rule = type === 'not' ? { type, rule } : { type, rules: [rule] };
  return rule;
});
const given = fc
  .tuple(fc.oneof(randomRule, fc.constantFrom(...examples), nested, anything), fc.array(change, { maxLength: 3 }))
  .map(([rule, changes]) => changes.reduce<unknown>((one, [way, name, value, how]) => changed(one, way, name, value, how), rule));

/** Whether a pointer leads to something in the value, or to where something is missing. */
function isPlace(value: unknown, pointer: string): boolean {
  let part = value;
  const steps = pointer.split('/').slice(1);
  return steps.every((escaped, i) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof part !== 'object' || part === null) return false;
    const has = Object.hasOwn(part, name);
    part = has ? (part as Record<string, unknown>)[name] : undefined;
    return has || i === steps.length - 1;
  });
}

/** Everything that is done with a valid rule. */
function use(given: Rule, told: Parameters<typeof judge>[1]): void {
  const rule = normalized(given, catalog.fields);
  expect(ruleProblems(rule, catalog), 'the normal form is valid').to.deep.equal([]);
  expect(canonicalText(normalized(rule, catalog.fields))).to.equal(canonicalText(rule));
  expect(describeRule(rule, { list: () => 'L', segment: () => 'S', field: () => 'F' }))
    .to.be.a('string')
    .and.not.equal('');
  expect(judge(rule, told).holds).to.be.a('boolean');
  const one = { id: 'seg_1', n: 1, version: 1, rule, since: 1 };
  expect(compileCatalog(1, [one], { numbers: hashNumber, bucketOf: () => 0, clocksOf: contactClocks('UTC') }).segments.size).to.equal(1);
}

describe('Any value that is given as a rule', () => {
  it(`is valid, and can be read, decided and kept, or has problems that say what and where (${RUNS} random values)`, () => {
    let valid = 0;
    fc.assert(
      fc.property(given, randomTold, (value, told) => {
        const problems = ruleProblems(value, catalog);
        for (const { pointer, code, message } of problems) {
          expect(isPlace(value, pointer), `${pointer} in ${JSON.stringify(value)}`).to.equal(true);
          expect(code).to.match(/^[a-z_]+$/);
          expect(message).to.match(/^[A-Z‘'“\p{L}].*[.]$/su);
        }
        if (problems.length > 0) return;
        valid += 1;
        use(value as Rule, told);
      }),
      { numRuns: RUNS },
    );
    // Both happen often.
    expect(valid).to.be.within(RUNS / 20, RUNS - RUNS / 20);
  });
});
