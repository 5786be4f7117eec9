import { expect } from 'chai';
import fc from 'fast-check';
import { applyPatch, type Facts, noFacts, unifyFacts } from '../../domain/contacts/facts.js';
import { latest, type TimestampedValue, unifyRecords } from '../../domain/kernel/timestamped.js';

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

describe('unified facts of two contacts', () => {
  it('keep every name of both sides', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unifiedAt) => {
        const unified = unifyFacts(left, right, unifiedAt);
        expect(Object.keys(unified.values)).to.have.members(names(left.values, right.values));
        expect(Object.keys(unified.tags)).to.have.members(names(left.tags, right.tags));
      }),
    ));

  it('take the latest of each value', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unifiedAt) => {
        const unified = new Map(Object.entries(unifyFacts(left, right, unifiedAt).values));
        for (const [name, value] of unified) {
          const both = [left, right].flatMap(({ values }) => Object.entries(values).flatMap(([one, value]) => (one === name ? [value] : [])));
          expect(both.every((one) => one.at <= value.at)).to.equal(true);
          expect(both).to.include(value);
        }
      }),
    ));

  it('have a tag that either side has, unless it was removed since', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unifiedAt) => {
        const of = (tags: Facts['tags'], tag: string) => new Map(Object.entries(tags)).get(tag);
        for (const [tag, { value }] of Object.entries(unifyFacts(left, right, unifiedAt).tags)) {
          const both = [of(left.tags, tag), of(right.tags, tag)].filter((one): one is TimestampedValue<boolean> => one !== undefined);
          const last = both.reduce(latest);
          const either = both.some((one) => one.value);
          expect(value, tag).to.equal(both.length === 2 && last.at > unifiedAt ? last.value : either);
        }
      }),
    ));

  it('are the same in either order, except for changes at the same moment', () =>
    fc.assert(
      fc.property(facts, facts, at, (left, right, unifiedAt) => {
        const one = unifyFacts(left, right, unifiedAt);
        const other = unifyFacts(right, left, unifiedAt);
        for (const tag of Object.keys(one.tags)) {
          const [a, b] = [left, right].map(({ tags }) => new Map(Object.entries(tags)).get(tag));
          if (a && b && a.at === b.at) continue;
          expect(new Map(Object.entries(one.tags)).get(tag)?.value).to.equal(new Map(Object.entries(other.tags)).get(tag)?.value);
        }
      }),
    ));

  it('resolve a conflict only if both sides have a value from before the merge', () => {
    const at = (value: string, day: number): TimestampedValue<string> => ({ value, at: `2026-01-${day}T00:00:00.000Z` });
    const weigh = () => at('weighed', 1);
    const unified = unifyRecords(
      { a: at('a', 10), b: at('b', 10), c: at('c', 10) },
      { b: at('B', 12), c: at('C', 21) },
      '2026-01-20T00:00:00.000Z',
      weigh,
    );
    expect(Object.entries(unified).map(([name, { value }]) => [name, value])).to.deep.equal([
      ['a', 'a'],
      ['b', 'weighed'],
      ['c', 'C'],
    ]);
  });
});
