import fc from 'fast-check';

/** A node, given the ids that it may lead to. */
type Make = (id: string, next: () => string | null, draw: (n: number) => number) => Record<string, unknown>;

const pick = <T>(values: readonly T[], draw: (n: number) => number): T => values[draw(values.length)] as T;
const rules = [
  { type: 'segment', segment_id: 'seg_vip', is_member: true },
  { type: 'attribute', field: 'plan', op: 'eq', value: 'pro' },
  { type: 'not', rule: { type: 'event', event: 'purchase', window: { last: 'P1D' } } },
] as const;
const durations = ['PT1S', 'PT30M', 'P1D', 'P1W', 'P400D'] as const;

const makers: readonly Make[] = [
  (id, next, draw) => ({ id, kind: 'delay', mode: 'duration', duration: pick(durations, draw), next: next() }),
  (id, next, draw) => ({ id, kind: 'delay', mode: 'until', field: pick(['trial_ends_at', 'properties.at'], draw), offset: '-P1D', next: next() }),
  (id, next) => ({ id, kind: 'delay', mode: 'local_time', time: '09:30', days_of_week: [1, 5], next: next() }),
  (id, next) => ({ id, kind: 'delay', mode: 'business_hours', windows: [{ days: [1, 2, 3], start: '09:00', end: '17:00' }], next: next() }),
  (id, next, draw) => ({
    id,
    kind: 'branch',
    mode: 'rule',
    branches: Array.from({ length: 1 + draw(3) }, (_, i) => ({ ...(draw(2) === 1 && { id: `b${i}` }), rule: pick(rules, draw), next: next() })),
    else: next(),
  }),
  (id, next, draw) => {
    const first = draw(101);
    return { id, kind: 'branch', mode: 'random', branches: [first, 100 - first].map((weight) => ({ weight, next: next() })) };
  },
  (id, next, draw) =>
    draw(2) === 0
      ? { id, kind: 'send', channel: 'email', template_id: 'tpl_1', next: next() }
      : { id, kind: 'send', channel: 'sms', message: 'Hi', on_failure: pick(['continue', 'exit'], draw), next: next() },
  (id, next, draw) => ({
    id,
    kind: 'wait',
    for: [
      { on: { type: 'event', event: 'purchase' }, next: next() },
      ...(draw(2) === 1 ? [{ id: 'rich', rule: pick(rules, draw), next: next() }] : []),
    ],
    timeout: pick(durations, draw),
    on_timeout: next(),
  }),
  (id, next, draw) => ({ id, kind: 'digest', window: pick(durations, draw), max_items: 1 + draw(10), next: next() }),
  (id) => ({ id, kind: 'exit', reason: 'enough' }),
  (id, next) => ({ id, kind: 'update_contact', set: { plan: 'pro' }, add_tags: ['seen'], next: next() }),
  (id, next, draw) => ({ id, kind: 'list', action: pick(['add', 'remove'], draw), list_id: 'lst_1', next: next() }),
  (id, next) => ({ id, kind: 'webhook', url: 'https://example.com/hook', next: next() }),
  (id, next, draw) => ({ id, kind: 'holdout', percent: draw(101), next: next(), ...(draw(2) === 1 && { else: next() }) }),
];

const settings = fc.record(
  {
    reentry: fc.oneof(
      fc.constant({ mode: 'once' }),
      fc.record({ mode: fc.constant('after_exit'), cooldown: fc.constant('P1D') }, { requiredKeys: ['mode'] }),
      fc.record({ mode: fc.constant('cooldown'), cooldown: fc.constantFrom(...durations), key: fc.constant('properties.cart_id') }),
      fc.record({ mode: fc.constant('always'), max_concurrent: fc.integer({ min: 1, max: 10 }) }),
    ),
    exit_when: fc.array(fc.constantFrom({ type: 'event', event: 'purchase' }, { type: 'segment_left', segment_id: 'seg_vip' }), { maxLength: 2 }),
    goal: fc.constantFrom(null, { type: 'list_added', list_id: 'lst_1' }),
    quiet_hours: fc.constantFrom('account', 'ignore'),
    max_duration: fc.constantFrom(null, 'P90D'),
  },
  { requiredKeys: [] },
);

/** Node n leads to later nodes only; each later one has a way from an earlier one. */
function nodesOf(kinds: readonly number[], numbers: readonly number[]): Record<string, unknown>[] {
  let drawn = 0;
  const draw = (n: number): number => (numbers[drawn++ % numbers.length] as number) % n;
  const idOf = (i: number): string => `n${i}`;
  const waiting = kinds.map((_, i) => idOf(i));
  const nodes: Record<string, unknown>[] = [];
  const first = waiting.shift() ?? null;
  nodes.push({ id: 't', kind: 'trigger', on: { type: 'event', event: 'cart_abandoned' }, next: first });
  for (const [i, kind] of kinds.entries()) {
    // The first way goes to the next node that none leads to yet, the others to any later one, or nowhere.
    let isFirst = true;
    const next = (): string | null => {
      const fresh = isFirst || draw(2) === 0 ? waiting.shift() : undefined;
      isFirst = false;
      if (fresh !== undefined) return fresh;
      const later = i + 1 + draw(kinds.length - i);
      return later < kinds.length ? idOf(later) : null;
    };
    const isLast = i === kinds.length - 1;
    const maker = makers[kind % makers.length] as Make;
    const node = maker(idOf(i), next, draw);
    // An exit in the middle would cut off the rest.
    nodes.push(node.kind === 'exit' && !isLast ? (makers[0] as Make)(idOf(i), next, draw) : node);
  }
  return nodes;
}

/** Valid definitions of up to 30 nodes of all kinds, for `catalog`. */
export const randomDefinition = fc
  .record({
    kinds: fc.array(fc.nat({ max: makers.length - 1 }), { maxLength: 29 }),
    numbers: fc.array(fc.nat({ max: 100_000 }), { minLength: 8, maxLength: 40 }),
    settings: fc.option(settings, { nil: undefined }),
  })
  .map(({ kinds, numbers, settings: chosen }) => ({ name: 'Random', nodes: nodesOf(kinds, numbers), ...(chosen && { settings: chosen }) }));

/** The places of all values in a JSON value. */
function places(value: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  const parts: [string | number, unknown][] = Array.isArray(value) ? value.map((part, i) => [i, part]) : Object.entries(value);
  return [at, ...parts.flatMap(([name, part]) => places(part, [...at, name]))];
}

const strange: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 1e9, '', 'x', 't', 'n0', 'n1', 'n2', 'trigger', 'rule', 'P401D', 'PT0S', 'P1M', '__proto__', 'constructor'],
  ...[[], {}, [null], { type: 'all' }, { type: 'event' }, { id: 't', kind: 'trigger' }, { kind: 'send' }],
];

/** A definition with some of its values replaced by others, or taken away. */
export const randomBroken = fc
  .record({
    definition: randomDefinition,
    changes: fc.array(fc.tuple(fc.nat(), fc.nat({ max: strange.length - 1 })), { minLength: 1, maxLength: 4 }),
  })
  .map(({ definition, changes }) => {
    const broken = structuredClone(definition) as Record<string, unknown>;
    for (const [where, what] of changes) {
      const all = places(broken).slice(1);
      if (all.length === 0) break;
      const path = all[where % all.length] as readonly (string | number)[];
      let holder: Record<string | number, unknown> = broken;
      for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
      const last = path.at(-1) as string | number;
      const value = structuredClone(strange[what]);
      if (value === undefined && !Array.isArray(holder)) delete holder[last];
      else holder[last] = value;
    }
    return broken;
  });
