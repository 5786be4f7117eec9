import { expect } from 'chai';
import fc from 'fast-check';
import { applyDelta, deltaOf } from '../../../engines/sqlite/delta.js';

describe('a delta of two texts', () => {
  const cases: readonly [what: string, base: string, text: string, delta: string | null][] = [
    ['is empty for equal texts', '{"a":1}', '{"a":1}', ''],
    ['replaces a value', '{"a":"x1y","b":2}', '{"a":"x23y","b":2}', '7,1,23'],
    ['replaces several values', '{"a":"1","b":"2"}', '{"a":"3","b":"4"}', '6,1,3"7,1,4'],
    ['replaces the end', '{"a":1', '{"a":2,3', '5,1,2,3'],
    ['removes the end', '{"a":1}23', '{"a":1}', '7,2,'],
    ['makes a text out of nothing', '', 'abc', '0,0,abc'],
    ['does not exist where the text has more quotation marks', '{"a":1}', '{"a":"1"}', null],
    ['does not exist where a character would be cut in half', '"\u{1F600}"', '"\u{1F601}"', null],
  ];
  for (const [what, base, text, delta] of cases)
    it(what, () => {
      expect(deltaOf(text, base)).to.equal(delta);
      if (delta !== null) expect(applyDelta(delta, base)).to.equal(text);
    });

  it('gives the text back, for any two texts', () => {
    const part = fc.constantFrom('"', '","', ':', '{"a":', 'x', '1', 'é', '\u{1F600}', '\u{1F601}', ',', '~', '^');
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (base, other) => {
        const delta = deltaOf(other, base);
        return delta === null || (applyDelta(delta, base) === other && Buffer.from(delta).toString() === delta);
      }),
      { numRuns: 2_000 },
    );
  });
});
