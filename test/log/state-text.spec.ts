import { expect } from 'chai';
import { GrowingMap } from '../../domain/kernel/growing-map.js';
import { stateOf, stateText } from '../../log/snapshots/state-text.js';
import { SealedField } from '../../log/vault/personal-fields.js';

describe('the text of a state', () => {
  const sealed = new SealedField('key.box', 'ContactCreated', 'personal', 'first_name');
  const cases: readonly [string, unknown][] = [
    ['plain values', { a: 1, b: 'é', c: null, d: [true, { e: [] }] }],
    ['a map of sets', { map: new Map([['a', new Set(['x'])]]) }],
    ['sealed fields', { name: sealed, other: [new SealedField('other.box', 'T', 'f')] }],
    ['a field with the name of the tag', { $: ['map', []], a: { $: 'x' } }],
  ];
  for (const [what, state] of cases) it(`gives back ${what}`, () => expect(stateOf(stateText(state))).to.deep.equal(state));

  it('gives back sealed fields as such, with each box once', () => {
    const text = stateText({ first: sealed, second: sealed });
    expect(text.split('key.box')).to.have.length(2);
    expect((stateOf(text) as { first: unknown }).first).to.be.instanceOf(SealedField);
  });

  it('gives back a growing map with the value that was added last', () => {
    const map = ['a', 'b', 'a', 'c', 'd'].reduce((known, key, nth) => known.with(key, nth), GrowingMap.empty as GrowingMap<number>);
    const read = stateOf(stateText(map)) as GrowingMap<number>;
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => read.get(key))).to.deep.equal([2, 1, 3, 4, undefined]);
    expect(read.with('e', 9).get('e')).to.equal(9);
    expect((stateOf(stateText(GrowingMap.empty)) as GrowingMap<number>).size).to.equal(0);
  });

  it('does not exist of values that JSON would change', () => {
    for (const value of [1n, new Date(), () => 1]) expect(() => stateText({ value })).to.throw(TypeError);
  });
});
