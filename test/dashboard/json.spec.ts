import { expect } from 'chai';
import { entriesOf, foldedText, MANY, startsOpen } from '../../dashboard/src/ui/pure/json.js';
import { pointsOf } from '../../dashboard/src/ui/pure/line.js';

describe('the JSON viewer of the dashboard', () => {
  it('takes objects and lists apart, and nothing else', () => {
    expect(entriesOf({ a: 1, b: [2] })).to.deep.equal([
      ['a', 1],
      ['b', [2]],
    ]);
    expect(entriesOf(['x', null])).to.deep.equal([
      [0, 'x'],
      [1, null],
    ]);
    for (const leaf of ['text', 0, true, null, undefined]) expect(entriesOf(leaf)).to.equal(null);
  });

  const folded: readonly (readonly [value: unknown, text: string])[] = [
    [{}, '{}'],
    [[], '[]'],
    [{ a: 1, b: 'x', c: null }, '{ a: 1, b: "x", c: null }'],
    [[1, [2], { a: 3 }], '[1, […], {…}]'],
    [{ deep: { a: 1 }, list: [1] }, '{ deep: {…}, list: […] }'],
    ['text', '"text"'],
    [undefined, 'null'],
  ];
  for (const [value, text] of folded) it(`shows folded ${text}`, () => expect(foldedText(value)).to.equal(text));

  it('shows as much of what is folded as fits', () => {
    expect(foldedText({ a: 'x'.repeat(20), b: 'y'.repeat(20), c: 1 }, 40)).to.equal(`{ a: "${'x'.repeat(20)}", … }`);
    expect(foldedText(['x'.repeat(99)], 40)).to.equal('[…]');
  });

  it('opens the outermost level, and short ones in it', () => {
    const list = (length: number): number[] => Array.from({ length }, (_, i) => i);
    expect(startsOpen(list(MANY), 0)).to.equal(true);
    expect(startsOpen(list(MANY + 1), 0)).to.equal(false);
    expect(startsOpen(list(8), 1)).to.equal(true);
    expect(startsOpen(list(9), 1)).to.equal(false);
    expect(startsOpen([1], 2)).to.equal(false);
  });
});

describe('a small line', () => {
  it('goes from its lowest value at the bottom to its highest at the top', () =>
    expect(pointsOf([0, 5, 10], 100, 30, 5)).to.deep.equal([
      [5, 25],
      [50, 15],
      [95, 5],
    ]));
  it('begins at zero, so that a small change does not look like a large one', () =>
    expect(pointsOf([90, 100], 100, 30, 5).map(([, y]) => y)).to.deep.equal([7, 5]));
  it('shows values below zero', () => expect(pointsOf([-10, 10], 100, 30, 5).map(([, y]) => y)).to.deep.equal([25, 5]));
  it('is flat at the bottom without any values but zero, and empty without values', () => {
    expect(pointsOf([0, 0], 100, 30, 5).map(([, y]) => y)).to.deep.equal([25, 25]);
    expect(pointsOf([], 100, 30, 5)).to.deep.equal([]);
    expect(pointsOf([3], 100, 30, 5)).to.deep.equal([[5, 5]]);
  });
});
