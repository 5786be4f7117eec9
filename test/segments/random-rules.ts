import fc from 'fast-check';
import type { Leaf, Rule } from '../../domain/segments/rule.js';
import { DAY, NOW } from './support.js';

const EVENTS = ['x', 'y'] as const;
const count = fc.record({ op: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq'), value: fc.integer({ min: 0, max: 3 }) });
const window = fc.oneof(
  fc.record({ last: fc.constantFrom('P1D', 'PT24H', 'P1W', 'P7D') }),
  fc.record({ since: fc.constant(new Date(NOW - 3 * DAY).toISOString()) }),
  fc.constant({ between: [new Date(NOW - 5 * DAY).toISOString(), '2026-06-14T14:00:00+02:00'] }),
  fc.record({ from: fc.constantFrom('P7D', 'P4D'), to: fc.constantFrom('P2D', 'P0D') }),
);
const scalar = fc.constantFrom<string | number | boolean>('pro', 'Pro', 'free', '2', 1, 2, true);
const comparison = fc.oneof(
  fc.record({ op: fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), value: fc.constantFrom<string | number>('pro', 'free', 1, 2) }),
  fc.record({ op: fc.constantFrom('in', 'not_in'), value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ op: fc.constantFrom('contains', 'not_contains', 'starts_with', 'ends_with'), value: fc.constantFrom('r', 'PRO') }),
  fc.record({ op: fc.constant('between'), value: fc.constantFrom([1, 2], ['a', 'g']) }),
  fc.record({ op: fc.constantFrom('exists', 'not_exists') }),
);
const compared = fc
  .tuple(comparison, fc.constantFrom({}, {}, { case_sensitive: true }, { case_sensitive: false }))
  .map(([one, more]) => ({ ...one, ...more }));
const where = fc.array(
  compared.map((one) => ({ property: 'v', ...one })),
  { maxLength: 2 },
);
const optional = <T extends object>(name: string, values: fc.Arbitrary<T>) =>
  fc.option(values, { nil: undefined }).map((one) => (one ? { [name]: one } : {}));
const joined = (...parts: readonly fc.Arbitrary<object>[]) => fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Leaf);

/** Leaves over the values and events of `randomTold`. Not all fit the type of their field. */
export const randomLeaf: fc.Arbitrary<Leaf> = fc.oneof(
  joined(fc.record({ type: fc.constant('attribute'), field: fc.constantFrom('plan', 'custom_fields.plan', 'tags', 'locale') }), compared),
  joined(
    fc.record({ type: fc.constant('event'), event: fc.constantFrom(...EVENTS) }),
    optional('where', where),
    optional('count', count),
    optional('window', window),
  ),
  joined(
    fc.record({
      type: fc.constant('aggregate'),
      event: fc.constantFrom(...EVENTS),
      property: fc.constant('v'),
      function: fc.constantFrom('sum', 'avg', 'min', 'max', 'distinct_count'),
      op: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq'),
      value: fc.integer({ min: 0, max: 4 }),
    }),
    optional('where', where),
    optional('window', window),
  ),
  joined(
    fc.record({ type: fc.constant('message'), action: fc.constantFrom('opened', 'clicked') }),
    fc.oneof(fc.record({ include_machine: fc.boolean() }), fc.constant({})),
    optional('count', count),
    optional('window', window),
  ),
  joined(
    fc.record({
      type: fc.constant('date'),
      field: fc.constant('born'),
      op: fc.constantFrom('within_last', 'within_next', 'more_than_ago', 'more_than_from_now', 'anniversary_within_next'),
      value: fc.constantFrom('P1D', 'PT24H', 'P30D'),
    }),
  ),
  joined(fc.record({ type: fc.constant('list'), list_id: fc.constantFrom('lst_1', 'lst_2'), is_member: fc.boolean() })),
  joined(fc.record({ type: fc.constant('reachable'), channel: fc.constantFrom('sms', 'email'), is: fc.boolean() })),
  joined(
    fc.record({
      type: fc.constant('consent'),
      channel: fc.constant('sms'),
      purpose: fc.constant('marketing'),
      status: fc.constantFrom('granted', 'withdrawn', 'pending', 'none'),
    }),
  ),
  fc.constant<Leaf>({ type: 'everyone' }),
);

export const randomRule: fc.Arbitrary<Rule> = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    randomLeaf,
    fc.record({ type: fc.constantFrom('all' as const, 'any' as const), rules: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('not' as const), rule: tie('rule') }),
  ),
})).rule;

const ago = fc.integer({ min: -1, max: 8 }).map((days) => days * DAY);

/** A history for `history`. */
export const randomTold = fc.record({
  fields: fc.dictionary(
    fc.constantFrom('custom_fields.plan', 'tags', 'locale', 'custom_fields.born'),
    fc.constantFrom('pro', 'PROUD', 'Pro', '2.00', '', 1, 2, true, ['pro'], ['PRO', ''], '2000-06-16', '2026-06-15'),
  ),
  lists: fc.dictionary(fc.constantFrom('lst_1', 'lst_2'), fc.constantFrom('subscribed' as const, 'pending' as const)),
  reachable: fc.subarray(['sms', 'email'] as const),
  events: fc.array(fc.tuple(fc.constantFrom(...EVENTS), ago, fc.record({ v: fc.constantFrom('pro', 'Pro', '1.0', '', 1, 2, true, null) })), {
    maxLength: 6,
  }),
  messages: fc.array(
    fc.record({ action: fc.constantFrom('opened' as const, 'clicked' as const), time: ago.map((ms) => NOW - ms), machine: fc.boolean() }),
    { maxLength: 4 },
  ),
});
