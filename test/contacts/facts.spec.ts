import { expect } from 'chai';
import fc from 'fast-check';
import { applyPatch, type Facts, noFacts, uniteFacts } from '../../domain/contacts/facts.js';
import { latest, type Timestamped, uniteRecords } from '../../domain/kernel/timestamped.js';

const at = fc.integer({ min: 10, max: 30 }).map((day) => `2026-01-${day}T00:00:00.000Z`);
const name = fc.constantFrom('email', 'first_name', 'locale', 'constructor', '__proto__', 'toString');
const patch = fc.record({
  name,
  value: fc.constantFrom('a', 'b', null),
  tag: fc.constantFrom('vip', '__proto__', 'constructor'),
  has: fc.boolean(),
  at,
});
const facts = fc.array(patch, { maxLength: 6 }).map((patches) =>
  [...patches]
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .reduce<Facts>(
      (known, { name, value, tag, has, at }) =>
        applyPatch(
          known,
          {
            values: value === null ? {} : Object.fromEntries([[name, value]]),
            personal: {},
            said: [],
            cleared: value === null ? [name] : [],
            keys: {},
            tags_added: has ? [tag] : [],
            tags_removed: has ? [] : [tag],
          },
          at,
        ),
      noFacts,
    ),
);
const names = (...records: object[]): string[] => [...new Set(records.flatMap(Object.keys))];

describe('united facts of two contacts', () => {
  it('keep every name of both sides', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unitedAt) => {
        const united = uniteFacts(left, right, unitedAt);
        expect(Object.keys(united.values)).to.have.members(names(left.values, right.values));
        expect(Object.keys(united.tags)).to.have.members(names(left.tags, right.tags));
      }),
    ));

  it('take the latest of each value', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unitedAt) => {
        const united = new Map(Object.entries(uniteFacts(left, right, unitedAt).values));
        for (const [name, value] of united) {
          const both = [left, right].flatMap(({ values }) => Object.entries(values).flatMap(([one, value]) => (one === name ? [value] : [])));
          expect(both.every((one) => one.at <= value.at)).to.equal(true);
          expect(both).to.include(value);
        }
      }),
    ));

  it('have a tag that either side has, unless it was removed since', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unitedAt) => {
        const of = (tags: Facts['tags'], tag: string) => new Map(Object.entries(tags)).get(tag);
        for (const [tag, { value }] of Object.entries(uniteFacts(left, right, unitedAt).tags)) {
          const both = [of(left.tags, tag), of(right.tags, tag)].filter((one): one is Timestamped<boolean> => one !== undefined);
          const last = both.reduce(latest);
          const either = both.some((one) => one.value);
          expect(value, tag).to.equal(both.length === 2 && last.at > unitedAt ? last.value : either);
        }
      }),
    ));

  it('are the same in either order, except for changes at the same moment', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unitedAt) => {
        const one = uniteFacts(left, right, unitedAt);
        const other = uniteFacts(right, left, unitedAt);
        for (const tag of Object.keys(one.tags)) {
          const [a, b] = [left, right].map(({ tags }) => new Map(Object.entries(tags)).get(tag));
          if (a && b && a.at === b.at) continue;
          expect(new Map(Object.entries(one.tags)).get(tag)?.value).to.equal(new Map(Object.entries(other.tags)).get(tag)?.value);
        }
      }),
    ));

  it('resolve a conflict only if both sides have a value from before the merge', () => {
    const at = (value: string, day: number): Timestamped<string> => ({ value, at: `2026-01-${day}T00:00:00.000Z` });
    const weigh = () => at('weighed', 1);
    const united = uniteRecords(
      { a: at('a', 10), b: at('b', 10), c: at('c', 10) },
      { b: at('B', 12), c: at('C', 21) },
      '2026-01-20T00:00:00.000Z',
      weigh,
    );
    expect(Object.entries(united).map(([name, { value }]) => [name, value])).to.deep.equal([
      ['a', 'a'],
      ['b', 'weighed'],
      ['c', 'C'],
    ]);
  });
});
