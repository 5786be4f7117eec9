import { expect } from 'chai';
import fc from 'fast-check';
import type { AttributeOp, LeafOf, Rule, Window } from '../../domain/segments/rule.js';
import { DAY, examples, holds, judge, NOW } from './support.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const iso = (ms: number): string => new Date(ms).toISOString();
const attribute = (op: AttributeOp, value?: LeafOf<'attribute'>['value'], field = 'plan'): Rule => ({
  type: 'attribute',
  field,
  op,
  ...(value !== undefined && { value }),
});
const withPlan = (plan: unknown) => ({ fields: { 'custom_fields.plan': plan } });
const example = (n: number): Rule => examples[n - 1] as Rule;

describe('The meaning of segment rules', () => {
  it('gives each operator of attributes its meaning, and each negated one the opposite, a missing value included', () => {
    const cases: readonly [AttributeOp, LeafOf<'attribute'>['value'], ...(readonly [stored: unknown, boolean])[]][] = [
      ['eq', 'pro', ['pro', true], ['Pro', true], [1, false], [undefined, false]],
      ['eq', 1, [1, true], ['1', true], [true, false]],
      ['neq', 'pro', ['pro', false], ['free', true], [1, true], [undefined, true]],
      ['in', ['a', 'b'], ['b', true], ['c', false], [['x', 'b'], true], [undefined, false]],
      ['not_in', ['a', 'b'], ['b', false], ['c', true], [undefined, true]],
      ['gt', 5, [6, true], [5, false], ['6', true], [undefined, false]],
      ['gte', 5, [5, true], [4.9, false]],
      ['lt', 5, [4, true], [5, false], [undefined, false]],
      ['lte', 5, [5, true], [5.1, false]],
      ['between', [1, 3], [1, true], [3, true], [3.1, false], ['2', true], [undefined, false]],
      ['gte', '2026-01-31', ['2026-01-31', true], ['2026-01-30', false]],
      ['contains', 'RO', ['a prose', true], ['x', false], [['pro', 'ro'], true], [['pro'], false], [undefined, false]],
      ['not_contains', 'ro', ['PRO', false], ['x', true], [undefined, true]],
      ['starts_with', 'Pr', ['pRo', true], ['a pro', false]],
      ['ends_with', 'RO', ['pro', true], ['pro ', false]],
      ['exists', undefined, ['', false], [0, true], [false, true], [null, false], [[], false], [undefined, false]],
      ['not_exists', undefined, ['', true], [null, true], [undefined, true]],
    ];
    for (const [op, value, ...judged] of cases)
      for (const [stored, expected] of judged)
        expect(holds(attribute(op, value), withPlan(stored)), `${op} ${JSON.stringify(value)} of ${JSON.stringify(stored)}`).to.equal(expected);
  });

  it('says neq, not_in, not_contains and not_exists exactly where the positive operator is not true', () => {
    const scalar = fc.oneof(fc.constantFrom('pro', 'Pro', '', 'x'), fc.integer({ min: 0, max: 2 }), fc.boolean());
    const stored = fc.oneof(scalar, fc.constant(undefined), fc.constant(null), fc.array(fc.constantFrom('pro', 'x')));
    fc.assert(
      fc.property(stored, scalar, fc.array(scalar, { minLength: 1 }), (plan, one, many) => {
        const pairs = [
          ['neq', 'eq', one],
          ['not_in', 'in', many],
          ['not_contains', 'contains', 'Pro'],
          ['not_exists', 'exists', undefined],
        ] as const;
        for (const [negated, positive, value] of pairs) {
          const not: Rule = { type: 'not', rule: attribute(positive, value) };
          expect(holds(attribute(negated, value), withPlan(plan))).to.equal(holds(not, withPlan(plan)));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('finds fields of contacts by name, and custom fields by their full and short names', () => {
    const told = { fields: { email: 'ada@example.com', 'custom_fields.email': 'other', 'custom_fields.plan': 'pro' } };
    expect(holds(attribute('eq', 'ada@example.com', 'email'), told)).to.equal(true);
    expect(holds(attribute('eq', 'other', 'custom_fields.email'), told)).to.equal(true);
    expect(holds(attribute('eq', 'pro', 'custom_fields.plan'), told)).to.equal(true);
    expect(judge(attribute('eq', 'pro'), told))
      .to.include({ holds: true })
      .and.to.have.property('events')
      .deep.equal(['set-custom_fields.plan']);
  });

  it('leaves the oldest end of a rolling window out and takes every other end in', () => {
    const inWindow = (window: Window, ago: number): boolean => holds({ type: 'event', event: 'x', window }, { events: [['x', ago]] });
    expect([30 * DAY, 30 * DAY - 1, 0].map((ago) => inWindow({ last: 'P30D' }, ago))).to.deep.equal([false, true, true]);
    expect([DAY + 1, DAY].map((ago) => inWindow({ since: iso(NOW - DAY) }, ago))).to.deep.equal([false, true]);
    const between: Window = { between: [iso(NOW - 2 * DAY), iso(NOW - DAY)] };
    expect([2 * DAY + 1, 2 * DAY, DAY, DAY - 1].map((ago) => inWindow(between, ago))).to.deep.equal([false, true, true, false]);
    const past: Window = { from: 'P90D', to: 'P30D' };
    expect([90 * DAY, 90 * DAY - 1, 30 * DAY, 30 * DAY - 1].map((ago) => inWindow(past, ago))).to.deep.equal([false, true, true, false]);
    expect(inWindow({ last: 'P30D' }, -1)).to.equal(false);
  });

  it('counts an event by when it happened, not by when it was recorded', () => {
    const late = {
      events: [
        ['x', DAY],
        ['x', 40 * DAY],
        ['x', 29 * DAY],
      ],
    } as const;
    const rule: Rule = { type: 'event', event: 'x', count: { op: 'eq', value: 2 }, window: { last: 'P30D' } };
    expect(judge(rule, late)).to.deep.include({ holds: true, events: ['e2', 'e0'] });
    expect(holds(rule, late, NOW + DAY)).to.equal(false);
    expect(holds(rule, late, NOW - 11 * DAY)).to.equal(true);
  });

  it('compares counts by each operator, and asks for one event where no count is given', () => {
    const twice = {
      events: [
        ['x', 1],
        ['x', 2],
        ['y', 3],
      ],
    } as const;
    const counted = (op: 'gt' | 'gte' | 'lt' | 'lte' | 'eq', value: number): boolean =>
      holds({ type: 'event', event: 'x', count: { op, value } }, twice);
    expect([counted('gte', 2), counted('gte', 3), counted('gt', 1), counted('gt', 2)]).to.deep.equal([true, false, true, false]);
    expect([counted('lte', 2), counted('lte', 1), counted('lt', 3), counted('lt', 2)]).to.deep.equal([true, false, true, false]);
    expect([counted('eq', 2), counted('eq', 0)]).to.deep.equal([true, false]);
    expect([holds({ type: 'event', event: 'y' }, twice), holds({ type: 'event', event: 'z' }, twice)]).to.deep.equal([true, false]);
  });

  it('reads conditions on properties by name and by path', () => {
    const told = { events: [['x', 1, { value: 60, cart: { items: ['a', 'B'], total: 5 }, 'cart.total': 7 }]] } as const;
    const where = (property: string, op: AttributeOp, value: string | number): boolean =>
      holds({ type: 'event', event: 'x', where: [{ property, op, value }] }, told);
    expect([where('value', 'gte', 60), where('value', 'gt', 60), where('value', 'gte', '60')]).to.deep.equal([true, false, false]);
    expect([where('cart.total', 'eq', 7), where('cart.items', 'contains', 'b'), where('cart.none', 'neq', 1)]).to.deep.equal([true, true, true]);
    expect([where('__proto__', 'neq', 1), where('constructor.name', 'eq', 'Object')]).to.deep.equal([true, false]);
  });

  it('adds up numbers, and texts that say one; of none, sum and distinct_count are 0 and the others make the leaf false', () => {
    const told = {
      events: [
        ['x', 1, { v: 10 }],
        ['x', 2, { v: 20 }],
        ['x', 3, { v: 'five' }],
        ['x', 4],
        ['x', 5, { v: '20.00' }],
      ],
    } as const;
    const of = (what: LeafOf<'aggregate'>['function'], value: number, event = 'x'): boolean =>
      holds({ type: 'aggregate', event, property: 'v', function: what, op: 'eq', value }, told);
    expect([of('sum', 50), of('avg', 50 / 3), of('min', 10), of('max', 20), of('distinct_count', 2)]).to.deep.equal([true, true, true, true, true]);
    expect([of('sum', 0, 'y'), of('distinct_count', 0, 'y'), of('avg', 0, 'y')]).to.deep.equal([true, true, false]);
    expect(holds({ type: 'aggregate', event: 'y', property: 'v', function: 'max', op: 'lt', value: 9 }, told)).to.equal(false);
    expect(judge({ type: 'aggregate', event: 'x', property: 'v', function: 'sum', op: 'gt', value: 1 }, told).events).to.deep.equal([
      'e4',
      'e1',
      'e0',
    ]);
  });

  it('places dates before, after and at exact distances from now', () => {
    const date = (op: LeafOf<'date'>['op'], value: string, ahead: number): boolean =>
      holds({ type: 'date', field: 'trial_ends_at', op, value }, { fields: { 'custom_fields.trial_ends_at': iso(NOW + ahead) } });
    expect([date('before', iso(NOW), -1), date('before', iso(NOW), 0), date('after', iso(NOW), 1)]).to.deep.equal([true, false, true]);
    expect([-DAY, -DAY + 1, 0, 1].map((ahead) => date('within_last', 'P1D', ahead))).to.deep.equal([false, true, true, false]);
    expect([-DAY, -DAY + 1].map((ahead) => date('more_than_ago', 'P1D', ahead))).to.deep.equal([true, false]);
    expect([0, 1, DAY, DAY + 1].map((ahead) => date('within_next', 'P1D', ahead))).to.deep.equal([false, true, true, false]);
    expect([DAY, DAY + 1].map((ahead) => date('more_than_from_now', 'P1D', ahead))).to.deep.equal([false, true]);
    expect(holds({ type: 'date', field: 'trial_ends_at', op: 'before', value: iso(NOW) })).to.equal(false);
  });

  it('finds anniversaries, of today too, and of a 29th of February on the 28th', () => {
    const soon = (value: string, born: string, now = NOW): boolean =>
      holds({ type: 'date', field: 'born', op: 'anniversary_within_next', value }, { fields: { 'custom_fields.born': born } }, now);
    expect([soon('P2D', '1990-06-18'), soon('P3D', '1990-06-18'), soon('P1D', '1990-06-15')]).to.deep.equal([false, true, true]);
    expect([soon('P1D', '1990-06-14'), soon('P1D', '2026-06-15'), soon('P365D', '2026-06-15')]).to.deep.equal([false, false, true]);
    const on = (day: string) =>
      ['02-27', '02-28', '02-29', '03-01'].map((date) => soon('PT1S', '2024-02-29', Date.parse(`${day}-${date}T12:00:00Z`)));
    expect(on('2026')).to.deep.equal([false, true, false, false]);
    expect(on('2028')).to.deep.equal([false, false, true, false]);
    expect(soon('P30D', '2030-05-01')).to.equal(false);
  });

  it('counts human events of messages, those of machines only if asked, by channel and source', () => {
    const messages = [
      { action: 'clicked', time: NOW - 1, campaign_id: 'cmp_1' },
      { action: 'clicked', time: NOW - 2, machine: true },
      { action: 'clicked', time: NOW - 3, channel: 'sms' },
      { action: 'opened', time: NOW - 4 },
    ] as const;
    const events = (more: Partial<LeafOf<'message'>>) => judge({ type: 'message', action: 'clicked', ...more }, { messages }).events;
    expect(events({})).to.deep.equal(['m2', 'm0']);
    expect(events({ include_machine: true })).to.deep.equal(['m2', 'm1', 'm0']);
    expect(events({ channel: 'sms' })).to.deep.equal(['m2']);
    expect(events({ campaign_id: 'cmp_1' })).to.deep.equal(['m0']);
    expect(events({ journey_id: 'jrn_1' })).to.deep.equal([]);
  });

  it('knows lists, consents, reachability, scores, samples and other segments', () => {
    const list = (is_member: boolean): Rule => ({ type: 'list', list_id: 'lst_1', is_member });
    expect([
      holds(list(true), { lists: { lst_1: 'subscribed' } }),
      holds(list(true), { lists: { lst_1: 'pending' } }),
      holds(list(false)),
    ]).to.deep.equal([true, false, true]);
    const consent = (status: LeafOf<'consent'>['status']): Rule => ({ type: 'consent', channel: 'sms', purpose: 'marketing', status });
    expect([holds(consent('none')), holds(consent('granted'))]).to.deep.equal([true, false]);
    const reachable = (is: boolean): Rule => ({ type: 'reachable', channel: 'sms', is });
    expect([holds(reachable(true), { reachable: ['sms'] }), holds(reachable(true)), holds(reachable(false))]).to.deep.equal([true, false, true]);
    const score: Rule = { type: 'score', score: 'churn_probability', op: 'gte', value: 0.7 };
    expect([holds(score, { scores: { churn_probability: 0.7 } }), holds(score)]).to.deep.equal([true, false]);
    const sample: Rule = { type: 'sample', percent: 10, salt: 's' };
    expect([holds(sample, {}, NOW, {}, 999), holds(sample, {}, NOW, {}, 1000)]).to.deep.equal([true, false]);
    const segment = (is_member: boolean): Rule => ({ type: 'segment', segment_id: 'seg_vip', is_member });
    const vip = { seg_vip: attribute('eq', 'pro') };
    expect([holds(segment(true), withPlan('pro'), NOW, vip), holds(segment(false), withPlan('pro'), NOW, vip)]).to.deep.equal([true, false]);
    expect([holds(segment(true)), holds(segment(false))]).to.deep.equal([false, true]);
    expect(holds({ type: 'everyone' })).to.equal(true);
  });

  it('measures distances on the sphere', () => {
    const at = (latitude: unknown, longitude: unknown) => ({ fields: { 'custom_fields.location': { latitude, longitude } } });
    // Łódź is about 118 km from Warsaw, Piaseczno 18.
    expect([holds(example(9), at(52.07, 21.02)), holds(example(9), at(51.77, 19.46)), holds(example(9), at('52', 21))]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('reads the examples of the grammar as they are meant', () => {
    expect([holds(example(1), withPlan('pro')), holds(example(1))]).to.deep.equal([true, false]);
    const polish = { fields: { 'custom_fields.country': 'PL' } };
    expect([holds(example(2), polish), holds(example(2), { ...polish, lists: { lst_1: 'subscribed' } })]).to.deep.equal([true, false]);
    const purchases = (...agos: number[]) => ({ events: agos.map((ago) => ['purchase', ago * DAY, { value: 50 }] as const) });
    expect([holds(example(3), purchases(1, 2, 29)), holds(example(3), purchases(1, 2, 30))]).to.deep.equal([true, false]);
    expect([holds(example(4), purchases(61)), holds(example(4), purchases(61, 5)), holds(example(4))]).to.deep.equal([true, false, false]);
    const cart = ['cart_abandoned', 3_600_000] as const;
    expect([holds(example(5), { events: [cart] }), holds(example(5), { events: [cart, ['purchase', 1]] })]).to.deep.equal([true, false]);
    expect(holds(example(8), { fields: { 'custom_fields.trial_ends_at': iso(NOW + 2 * DAY) } })).to.equal(true);
  });
});
