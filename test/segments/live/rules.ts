/** Random rules over few names and round times, so that ties, late events and equal leaves are frequent. */
import { readEarlier } from '../../../domain/segments/earlier-reading.js';
import type { CompareOp, Condition, Count, Leaf, Rule, Window } from '../../../domain/segments/rule.js';

/** A sequence of random numbers that its seed determines. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(part: number): boolean {
    return this.next() < part;
  }
}

export const START = Date.parse('2026-02-26T00:00:00.000Z');
/** Shortly before clocks of Europe change. */
export const BEFORE_CHANGE = Date.parse('2026-03-28T22:30:00.000Z');
export const TICK_MS = 5_000;
export const eventNames = ['purchase', 'visit'];
export const plans = ['free', 'pro', 'team', 'Pro', 'FREE', '', '4', '4.0'];
export const lists = ['lst_1', 'lst_2'];
export const textAt = (at: number): string => new Date(at).toISOString();

const durations = ['PT5S', 'PT10S', 'PT20S', 'PT30S', 'PT60S', 'PT5M'];
/** Of the calendar. */
const days = ['P1D', 'P2D', 'PT24H', 'P1DT2H', 'PT26H'];
/** Today and days around it, at the two times at which histories begin. */
export const dates = [
  '2026-02-26',
  '2026-02-27',
  '2026-02-28',
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '1999-02-27',
  '2000-02-29',
  '2025-03-29',
  '1996-03-30',
];
export const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland', 'America/Havana'];
const compareOps: readonly CompareOp[] = ['gt', 'gte', 'lt', 'lte', 'eq'];
const fixedTime = (dice: Dice): string => textAt(START + dice.below(60) * TICK_MS);

function windowOf(dice: Dice): { window?: Window } {
  switch (dice.below(6)) {
    case 0:
      return {};
    case 1:
      return { window: { since: fixedTime(dice) } };
    case 2:
      return { window: { between: [fixedTime(dice), fixedTime(dice)].sort() } };
    case 3:
      return { window: { from: dice.one(['PT30S', 'PT60S', 'PT5M']), to: dice.one(['PT5S', 'PT10S', 'PT20S']) } };
    default:
      return { window: { last: dice.one(durations) } };
  }
}

const countOf = (dice: Dice): { count?: Count } => (dice.chance(0.4) ? {} : { count: { op: dice.one(compareOps), value: dice.below(6) } });

const caseOf = (dice: Dice): { case_sensitive?: boolean } => (dice.chance(0.6) ? {} : { case_sensitive: dice.chance(0.7) });

/** Values of the property `value`, as shops write them, too. */
export const amounts = [0, 10, 20, 30, 40, '10', '20.00', ' 30 ', '', 'none', '1e1'];
/** Values of the property `kind`. */
export const kinds: readonly unknown[] = ['a', 'b', 'ab', 'A', 'Ba', '', [], ['A'], null];

const conditions: readonly ((dice: Dice) => Condition)[] = [
  (dice) => ({ property: 'value', op: dice.one(['gt', 'gte', 'lt', 'lte', 'eq', 'neq']), value: dice.below(4) * 10 }),
  (dice) => ({ property: 'value', op: dice.one(['in', 'not_in']), value: [dice.below(4) * 10, dice.one(['a', '10'])] }),
  (dice) => ({ property: 'kind', op: dice.one(['eq', 'neq', 'contains']), value: dice.one(['a', 'B']), ...caseOf(dice) }),
  (dice) => ({ property: 'kind', op: dice.one(['exists', 'not_exists']) }),
];
const whereOf = (dice: Dice): { where?: Condition[] } => (dice.chance(0.6) ? {} : { where: [dice.one(conditions)(dice)] });

const leaves: readonly ((dice: Dice, segments: readonly string[]) => Leaf)[] = [
  () => ({ type: 'everyone' }),
  (dice) => ({ type: 'attribute', field: 'plan', op: dice.one(['eq', 'neq']), value: dice.one(plans), ...caseOf(dice) }),
  (dice) => ({ type: 'attribute', field: 'plan', op: dice.one(['in', 'not_in']), value: [dice.one(plans), dice.one(plans)], ...caseOf(dice) }),
  (dice) => ({ type: 'attribute', field: 'plan', op: dice.one(['gt', 'lte', 'eq', 'neq']), value: dice.below(8) }),
  (dice) => ({
    type: 'attribute',
    field: 'locale',
    op: dice.one(['eq', 'neq', 'starts_with']),
    value: dice.one(['de_DE', 'DE', 'en']),
    ...caseOf(dice),
  }),
  (dice) => ({ type: 'attribute', field: 'age', op: dice.one(['gt', 'gte', 'lt', 'lte', 'eq', 'neq']), value: dice.below(8) }),
  (dice) => ({ type: 'attribute', field: 'age', op: 'between', value: [dice.below(4), 4 + dice.below(4)] }),
  (dice) => ({ type: 'attribute', field: dice.one(['age', 'plan', 'secret', 'first_name']), op: dice.one(['exists', 'not_exists']) }),
  (dice) => ({ type: 'attribute', field: 'tags', op: dice.one(['contains', 'not_contains']), value: dice.one(['vip', 'New']) }),
  (dice) => ({
    type: 'attribute',
    field: 'first_name',
    op: dice.one(['starts_with', 'contains', 'ends_with', 'eq', 'neq']),
    value: dice.one(['A', 'an', 'Ben', 'ANN']),
    ...caseOf(dice),
  }),
  (dice) => ({ type: 'attribute', field: 'secret', op: dice.one(['gte', 'lt', 'eq']), value: dice.below(8) }),
  ...Array.from(
    { length: 4 },
    () =>
      (dice: Dice): Leaf => ({
        type: 'date',
        field: dice.one(['due', 'birthday', 'birthday']),
        op: dice.one(['within_last', 'within_next', 'more_than_ago', 'more_than_from_now']),
        value: dice.one(dice.chance(0.5) ? durations : days),
      }),
  ),
  (dice) => ({
    type: 'date',
    field: dice.one(['due', 'birthday']),
    op: dice.one(['before', 'after']),
    value: dice.chance(0.5) ? fixedTime(dice) : dice.one(dates),
  }),
  (dice) => ({
    type: 'date',
    field: dice.one(['birthday', 'due', 'created_at']),
    op: 'anniversary_within_next',
    value: dice.one(['P1D', 'P364D', 'P365D', 'PT30S', 'P1DT2H']),
  }),
  (dice) => ({ type: 'list', list_id: dice.one(lists), is_member: dice.chance(0.6) }),
  (dice) => ({
    type: 'consent',
    channel: dice.one(['email', 'sms']),
    purpose: 'marketing',
    status: dice.one(['granted', 'withdrawn', 'pending', 'none']),
  }),
  (dice) => ({ type: 'reachable', channel: dice.one(['email', 'sms']), is: dice.chance(0.6) }),
  (dice) => ({ type: 'score', score: 'churn', op: dice.one(compareOps), value: dice.below(4) / 4 }),
  () => ({ type: 'geo', field: 'place', within: { latitude: 52, longitude: 21, radius_km: 100 } }),
  (dice) => ({ type: 'sample', percent: dice.below(5) * 25, salt: dice.one(['x', 'y']) }),
  (dice, segments) =>
    segments.length === 0 ? { type: 'everyone' } : { type: 'segment', segment_id: dice.one(segments), is_member: dice.chance(0.6) },
];

function eventLeaf(dice: Dice): Leaf {
  const event = dice.one(eventNames);
  if (dice.chance(0.2)) {
    const action = dice.one(['opened', 'clicked'] as const);
    const channel = dice.chance(0.5) ? { channel: dice.one(['email', 'sms'] as const) } : {};
    return { type: 'message', action, ...channel, ...countOf(dice), ...windowOf(dice), ...(dice.chance(0.3) && { include_machine: true }) };
  }
  if (dice.chance(0.7)) return { type: 'event', event, ...whereOf(dice), ...countOf(dice), ...windowOf(dice) };
  const what = dice.one(['sum', 'avg', 'min', 'max', 'distinct_count'] as const);
  const compared = { op: dice.one(compareOps), value: dice.below(5) * 10 };
  return { type: 'aggregate', event, ...whereOf(dice), property: 'value', function: what, ...compared, ...windowOf(dice) };
}

/** `segments`: those to which it may refer. */
export function randomRule(dice: Dice, segments: readonly string[], depth = 3): Rule {
  if (depth > 0 && dice.chance(0.4)) {
    if (dice.chance(0.25)) return { type: 'not', rule: randomRule(dice, segments, depth - 1) };
    const rules = Array.from({ length: 1 + dice.below(3) }, () => randomRule(dice, segments, depth - 1));
    return { type: dice.one(['all', 'any'] as const), rules };
  }
  const leaf = dice.chance(0.6) ? eventLeaf(dice) : dice.one(leaves)(dice, segments);
  // Some are of the time before, in any mixture with others.
  return dice.chance(0.2) ? readEarlier(leaf) : leaf;
}
