import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalLeaf } from '../../domain/segments/canonical.js';
import { formOf, matchesValue } from '../../domain/segments/comparing.js';
import { isReadEarlier, readEarlier, readNow } from '../../domain/segments/earlier-reading.js';
import type { LeafOf, Rule } from '../../domain/segments/rule.js';
import { type ComparingCase, comparingCases } from './comparing-cases.js';
import { LiveWorld } from './live/world.js';
import { randomRule, randomTold } from './random-rules.js';
import { holds, NOW } from './support.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const PROPERTIES = 'properties.';

function ruleOf({ of, op, value, case_sensitive }: ComparingCase): Rule {
  const comparison = { op, ...(value !== undefined && { value }), ...(case_sensitive !== undefined && { case_sensitive }) };
  return of.startsWith(PROPERTIES)
    ? { type: 'event', event: 'x', where: [{ property: of.slice(PROPERTIES.length), ...comparison }] }
    : { type: 'attribute', field: of, ...comparison };
}

const storedName = (of: string): string => (['email', 'phone', 'locale', 'timezone', 'tags'].includes(of) ? of : `custom_fields.${of}`);
const about = (one: ComparingCase): string => `${JSON.stringify(one)}`;

function give(world: LiveWorld, id: string, { of }: ComparingCase, value: unknown): void {
  const properties = value === undefined ? {} : { [of.slice(PROPERTIES.length)]: value };
  if (of.startsWith(PROPERTIES)) world.happen(id, { name: 'x', time: world.now, properties });
  else if (of === 'tags') for (const tag of value as string[]) world.tag(id, tag, true);
  else world.set(id, storedName(of), value ?? null);
}

describe('What rules say of values', () => {
  it('has at least 120 rows, of which each operator that compares texts or numbers has some', () => {
    expect(comparingCases.length).to.be.at.least(120);
    expect([...new Set(comparingCases.map(({ op }) => op))]).to.include.members(['eq', 'in', 'contains', 'starts_with', 'gt', 'between', 'exists']);
  });

  it('is so in the plain reading', () => {
    for (const one of comparingCases) {
      const told = one.of.startsWith(PROPERTIES)
        ? { events: [['x', 1, one.stored === undefined ? {} : { [one.of.slice(PROPERTIES.length)]: one.stored }]] as const }
        : { fields: { [storedName(one.of)]: one.stored } };
      expect(holds(ruleOf(one), told), about(one)).to.equal(one.holds);
    }
  });

  it('is so in memberships that are kept, where the value comes after another one, and goes again', () => {
    for (const one of comparingCases) {
      const world = new LiveWorld(NOW);
      world.define('seg_1', ruleOf(one));
      const id = world.create();
      const isField = !one.of.startsWith(PROPERTIES) && one.of !== 'tags';
      for (const value of isField ? ['zz', one.stored] : [one.stored]) {
        world.now += 1;
        give(world, id, one, value);
        expect(world.check(true), about(one)).to.equal(null);
      }
      expect(world.membersOf('seg_1').length > 0, about(one)).to.equal(one.holds);
      if (isField) give(world, id, one, undefined);
      expect(world.check(true), about(one)).to.equal(null);
    }
  });

  it('does not change by the normal form of a leaf, nor by the order and the spelling of a list', () => {
    for (const one of comparingCases) {
      const rule = ruleOf(one);
      if (rule.type !== 'attribute') continue;
      const { leaf, negated } = canonicalLeaf(rule);
      expect(matchesValue(leaf as LeafOf<'attribute'>, one.stored) !== negated, about(one)).to.equal(one.holds);
    }
  });

  it('has one form of a text, which is the form of itself', () => {
    const options = fc.record({
      op: fc.constantFrom('eq' as const, 'contains' as const),
      field: fc.constantFrom('email', 'phone', 'locale', 'plan'),
    });
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, options, fc.boolean(), (given, how, case_sensitive) => {
        const form = formOf(given, { ...how, case_sensitive });
        expect(formOf(form, { ...how, case_sensitive })).to.equal(form);
        if (!case_sensitive) expect(formOf(given.toUpperCase(), how)).to.equal(form);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('Rules of the time before', () => {
  const leaf = (op: 'eq' | 'in' | 'exists' | 'contains', value?: string | readonly string[]): Rule => ({
    type: 'attribute',
    field: 'plan',
    op,
    ...(value !== undefined && { value }),
  });
  const stored = (plan: unknown) => ({ fields: { 'custom_fields.plan': plan } });
  const event = (op: 'gte' | 'exists', value?: number): Rule => ({
    type: 'event',
    event: 'x',
    where: [{ property: 'v', op, ...(value !== undefined && { value }) }],
  });

  it('mean what they meant, and as rules are read now what these say', () => {
    const cases: readonly [Rule, Parameters<typeof holds>[1], before: boolean, now: boolean][] = [
      [leaf('eq', 'pro'), stored('Pro'), false, true],
      [leaf('in', ['pro']), stored('Pro'), false, true],
      [leaf('exists'), stored(''), true, false],
      [leaf('contains', 'STRASSE'), stored('straße'), false, true],
      [event('gte', 10), { events: [['x', 1, { v: '10.00' }]] }, false, true],
      [event('exists'), { events: [['x', 1, { v: '' }]] }, true, false],
      [{ type: 'aggregate', event: 'x', property: 'v', function: 'sum', op: 'gte', value: 10 }, { events: [['x', 1, { v: '10.00' }]] }, false, true],
    ];
    for (const [rule, told, before, now] of cases) {
      const earlier = readEarlier(rule);
      expect([holds(earlier, told), holds(rule, told), holds(readNow(earlier), told)], JSON.stringify(rule)).to.deep.equal([before, now, now]);
    }
  });

  it('over dates are marked, since a date is a day on the clocks of the contact since then', () => {
    const date: Rule = { type: 'date', field: 'born', op: 'within_next', value: 'P3D' };
    expect(isReadEarlier(readEarlier(date))).to.equal(true);
    expect(readNow(readEarlier(date))).to.deep.equal(date);
  });

  it('come back as they were, and those whose meaning has not changed are not marked', () => {
    fc.assert(
      fc.property(randomRule, randomTold, (rule, told) => {
        const earlier = readEarlier(rule);
        expect(readNow(earlier)).to.deep.equal(rule);
        expect([isReadEarlier(rule), isReadEarlier(readNow(earlier))]).to.deep.equal([false, false]);
        if (!isReadEarlier(earlier)) expect(holds(rule, told as never)).to.equal(holds(earlier, told as never));
      }),
      { numRuns: RUNS },
    );
    const unchanged: Rule[] = [
      { type: 'list', list_id: 'lst_1', is_member: true },
      { type: 'attribute', field: 'seats', op: 'gte', value: 5 },
      { type: 'event', event: 'x' },
      { type: 'attribute', field: 'born', op: 'gt', value: '2026-01-31' },
    ];
    for (const rule of unchanged) expect(readEarlier(rule)).to.deep.equal(rule);
  });
});
