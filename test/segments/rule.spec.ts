import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalLeaf, leafKey, predicateKey } from '../../domain/segments/canonical.js';
import { describeRule } from '../../domain/segments/describe.js';
import { ruleDurationProblem } from '../../domain/segments/durations.js';
import { type Leaf, leavesOf, type Rule, segmentReferencesOf } from '../../domain/segments/rule.js';
import { checkReferences, normalized, ruleProblems } from '../../domain/segments/validate.js';
import { randomLeaf, randomRule, randomTold } from './random-rules.js';
import { catalog, examples, holds } from './support.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const problems = (rule: unknown): string[] => ruleProblems(rule, catalog).map(({ pointer, code }) => `${pointer} ${code}`);
const key = (leaf: unknown): string => leafKey(canonicalLeaf(leaf as Leaf));

describe('The grammar of segment rules', () => {
  it('accepts every example', () => {
    for (const rule of examples) expect(problems(rule), JSON.stringify(rule)).to.deep.equal([]);
  });

  it('names every problem of a rule at once, by JSON pointer', () => {
    const rule = {
      type: 'all',
      extra: 1,
      rules: [
        { type: 'attribute', field: 'plan', op: 'gt', value: 'a' },
        { type: 'attribute', field: 'seats', op: 'eq', value: '5' },
        { type: 'attribute', field: 'unheard_of', op: 'exists' },
        { type: 'not', rule: { type: 'event', event: 'x', window: { last: 'P1M' }, where: [{ property: 'v', op: 'between', value: [3, 1] }] } },
        { type: 'any', rules: [] },
        { type: 'event', count: { op: 'gte', value: 101 }, color: 'red' },
        { type: 'list', list_id: 'lst_2', is_member: true },
        { type: 'segment', segment_id: 'seg_x', is_member: true },
        { type: 'magic' },
        'everyone',
        { type: 'attribute', field: 'plan', op: 'exists', value: 'x' },
        { type: 'date', field: 'plan', op: 'before', value: 'P3D' },
        {
          type: 'any',
          rules: ['luck', 'best_send_hour_email', 'expected_next_order_at'].map((score) => ({ type: 'score', score, op: 'gt', value: 1 })),
        },
        { type: 'geo', field: 'plan', within: { latitude: 91, longitude: 0, radius_km: 1 } },
        { type: 'attribute', field: 'born', op: 'eq', value: '2026-02-30' },
      ],
    };
    expect(problems(rule)).to.deep.equal([
      '/extra unknown_field',
      '/rules/0/op invalid_operator',
      '/rules/1/value invalid_type',
      '/rules/2/field unknown_reference',
      '/rules/3/rule/where/0/value invalid_range',
      '/rules/3/rule/window/last invalid_duration',
      '/rules/4/rules too_few',
      '/rules/5/event required',
      '/rules/5/color unknown_field',
      '/rules/5/count/value out_of_range',
      '/rules/6/list_id unknown_reference',
      '/rules/7/segment_id unknown_reference',
      '/rules/8/type not_allowed',
      '/rules/9 invalid_type',
      '/rules/10/value not_allowed',
      '/rules/11/field invalid_type',
      '/rules/11/value invalid_time',
      '/rules/12/rules/0/score unknown_reference',
      '/rules/12/rules/1/score unknown_reference',
      '/rules/12/rules/2/score unknown_reference',
      '/rules/13/within/latitude out_of_range',
      '/rules/13/field invalid_type',
      '/rules/14/value invalid_type',
    ]);
  });

  it('limits depth, leaves and bytes', () => {
    const nested = (depth: number): Rule => (depth === 1 ? { type: 'everyone' } : { type: 'not', rule: nested(depth - 1) });
    expect([problems(nested(8)), problems(nested(9))]).to.deep.equal([[], [`${'/rule'.repeat(8)} too_deep`]]);
    const leaves = (n: number): Rule => ({
      type: 'any',
      rules: [50, n - 50].map((size) => ({ type: 'all', rules: Array(size).fill({ type: 'everyone' }) })),
    });
    expect([problems(leaves(100)), problems({ type: 'not', rule: { type: 'any', rules: [leaves(100), { type: 'everyone' }] } })]).to.deep.equal([
      [],
      [' too_many_leaves'],
    ]);
    const large = { type: 'any', rules: Array(10).fill({ type: 'attribute', field: 'plan', op: 'eq', value: 'é'.repeat(1_700) }) };
    expect(problems(large)).to.deep.equal([' too_large']);
  });

  it('answers any JSON value with problems, and never throws', () => {
    const nearly = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { type: fc.constantFrom('all', 'not', 'event', 'attribute', 'date', 'geo', 'message'), rules: fc.jsonValue(), rule: fc.jsonValue() },
        { requiredKeys: [] },
      ),
      randomLeaf.chain((leaf) =>
        fc.tuple(fc.constantFrom(...Object.keys(leaf)), fc.jsonValue()).map(([name, value]) => ({ ...leaf, [name]: value })),
      ),
    );
    fc.assert(
      fc.property(nearly, (rule) => {
        const found = ruleProblems(rule, catalog);
        if (found.length === 0) expect(describeRule(rule as unknown as Rule)).to.be.a('string');
      }),
      { numRuns: RUNS },
    );
  });

  it('takes only durations of fixed length', () => {
    for (const good of ['P30D', 'PT24H', 'P1W', 'P1DT12H', 'PT90S']) expect(ruleDurationProblem(good), good).to.equal(null);
    for (const bad of ['P1M', 'P1Y', 'P', 'PT', 'P1DT', '30D', 'P0D', 'P1.5D', '-P1D', 'P99999D'])
      expect(ruleDurationProblem(bad), bad).to.be.a('string');
    expect(ruleDurationProblem('P1M')).to.contain('no fixed length');
    expect(ruleDurationProblem('PT1M')).to.equal(null);
  });

  it('refuses segments that refer to themselves, and chains of more than five references', () => {
    const known = new Map([
      ['a', ['b']],
      ['b', []],
      ['c', ['d']],
      ['d', ['e']],
      ['e', ['f']],
      ['f', ['a']],
    ]);
    const reason = (id: string, to: string[]): unknown => {
      try {
        checkReferences(id, to, known);
        return null;
      } catch (e) {
        return (e as { details: { reason: unknown } }).details.reason;
      }
    };
    expect([reason('b', ['a']), reason('b', ['b']), reason('b', ['x']), reason('new', ['d']), reason('a', ['b', 'x'])]).to.deep.equal([
      'cycle',
      'cycle',
      'too_deep',
      null,
      null,
    ]);
    expect(reason('new', ['c'])).to.equal('too_deep');
    expect(segmentReferencesOf(examples[9] as Rule)).to.deep.equal(['seg_vip']);
  });

  it('stores moments of datetime fields in UTC', () => {
    const rule: Rule = { type: 'attribute', field: 'created_at', op: 'between', value: ['2026-01-01T00:00:00+01:00', '2026-01-02T00:00:00Z'] };
    expect(normalized({ type: 'not', rule }, catalog.fields)).to.deep.equal({
      type: 'not',
      rule: { ...rule, value: ['2025-12-31T23:00:00.000Z', '2026-01-02T00:00:00.000Z'] },
    });
  });
});

describe('The normal form of leaves', () => {
  it('is as true as the leaf, or as untrue where it is negated', () => {
    fc.assert(
      fc.property(randomLeaf, randomTold, (leaf, told) => {
        const { leaf: plain, negated } = canonicalLeaf(leaf);
        expect(holds(plain, told)).to.equal(holds(leaf, told) !== negated);
        expect(leafKey(canonicalLeaf(plain))).to.equal(leafKey({ leaf: plain, negated }));
      }),
      { numRuns: RUNS },
    );
  });

  it('gives leaves that say the same one key', () => {
    const same: readonly (readonly [unknown, unknown])[] = [
      [
        { type: 'attribute', field: 'plan', op: 'neq', value: 'pro' },
        { type: 'attribute', value: 'pro', op: 'eq', field: 'custom_fields.plan' },
      ],
      [
        { type: 'attribute', field: 'plan', op: 'in', value: ['b', 'a', 'b'] },
        { type: 'attribute', field: 'plan', op: 'not_in', value: ['a', 'b'] },
      ],
      [
        { type: 'event', event: 'x' },
        { type: 'event', event: 'x', count: { op: 'gt', value: 0 }, where: [] },
      ],
      [
        { type: 'event', event: 'x', count: { op: 'eq', value: 0 }, window: { last: 'P1D' } },
        { type: 'event', event: 'x', window: { from: 'PT24H', to: 'P0D' } },
      ],
      [
        { type: 'list', list_id: 'l', is_member: false },
        { type: 'list', list_id: 'l', is_member: true },
      ],
    ];
    for (const [a, b] of same) expect(key(a)).to.equal(key(b));
    expect(key({ type: 'event', event: 'x' })).not.to.equal(key({ type: 'event', event: 'y' }));
    const predicate = (leaf: unknown): string => predicateKey(canonicalLeaf(leaf as Leaf).leaf as never);
    expect(predicate({ type: 'event', event: 'x', window: { last: 'P1D' } })).to.equal(
      predicate({ type: 'event', event: 'x', count: { op: 'gte', value: 3 } }),
    );
  });
});

describe('Segment rules in English', () => {
  it('have a sentence for every example', () => {
    expect(examples.map((rule) => describeRule(rule))).to.deep.equal([
      'have a plan that is “pro” (ignoring case)',
      'have a country that is “PL” or “DE” (ignoring case) and are not subscribed to the list lst_1',
      'purchased where value is at least 50, at least 3 times in the last 30 days',
      'purchased at least once and never purchased in the last 60 days',
      'had the event “cart_abandoned” at least once in the last 24 hours and never purchased in the last 24 hours',
      'clicked in an email message at least 2 times in the last 14 days',
      'have granted consent to marketing by SMS and can be reached by SMS',
      'have a trial ends at in the next 3 days',
      'have a location within 50 km of 52.23, 21.01',
      'have a churn probability of at least 0.7, are in a random 10 % (“winback”), and are in the segment seg_vip',
    ]);
    const rule: Rule = { type: 'event', event: 'purchase', count: { op: 'gte', value: 3 }, window: { last: 'P30D' } };
    expect(describeRule(rule)).to.equal('purchased at least 3 times in the last 30 days');
    expect(describeRule({ type: 'not', rule })).to.equal('purchased fewer than 3 times in the last 30 days');
  });

  it('use names of lists, segments and fields, and brackets where and meets or', () => {
    const names = { list: () => 'News', segment: () => 'VIP', field: () => 'Plan of the customer' };
    const rule: Rule = {
      type: 'all',
      rules: [
        {
          type: 'any',
          rules: [
            { type: 'list', list_id: 'l', is_member: true },
            { type: 'segment', segment_id: 's', is_member: false },
          ],
        },
        { type: 'attribute', field: 'plan', op: 'not_exists' },
      ],
    };
    expect(describeRule(rule, names)).to.equal(
      '(are subscribed to the list “News” or are not in the segment “VIP”) and have a Plan of the customer that is not set',
    );
    expect(describeRule({ type: 'not', rule }, names)).to.equal(
      '(are not subscribed to the list “News” and are in the segment “VIP”) or have a Plan of the customer that is set',
    );
  });

  it('distinguish a leaf from its negation', () => {
    fc.assert(
      fc.property(randomLeaf, (leaf) => {
        expect(describeRule(leaf)).not.to.equal(describeRule({ type: 'not', rule: leaf }));
        expect(describeRule(leaf)).not.to.match(/undefined|null|\[object/);
      }),
      { numRuns: RUNS },
    );
    fc.assert(
      fc.property(randomRule, (rule) => {
        expect(leavesOf(rule)).not.to.be.empty;
        expect(describeRule({ type: 'not', rule: { type: 'not', rule } })).to.equal(describeRule(rule));
      }),
      { numRuns: RUNS },
    );
  });
});
