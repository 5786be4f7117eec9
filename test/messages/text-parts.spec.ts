import { expect } from 'chai';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { type TextParts, textParts } from '../../domain/messages/text-parts.js';

/** The result of Twilio's calculator for the same text. */
function judge(text: string): TextParts {
  const message = new SegmentedMessage(text);
  const encoding = message.encodingName;
  return { encoding, units: message.messageSize / (encoding === 'GSM-7' ? 7 : 16), segments: message.segmentsCount };
}

describe('the parts of a text', () => {
  const rows: [name: string, text: string, encoding: TextParts['encoding'], units: number, segments: number][] = [
    ['160 letters', 'a'.repeat(160), 'GSM-7', 160, 1],
    ['161 letters', 'a'.repeat(161), 'GSM-7', 161, 2],
    ['306 letters', 'a'.repeat(306), 'GSM-7', 306, 2],
    ['307 letters', 'a'.repeat(307), 'GSM-7', 307, 3],
    ['80 euro signs', '€'.repeat(80), 'GSM-7', 160, 1],
    ['81 euro signs', '€'.repeat(81), 'GSM-7', 162, 2],
    ['a euro sign at the end of a part, which moves to the next', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 306, 3],
    ['a euro sign across that edge in a shorter text', `${'a'.repeat(152)}€${'a'.repeat(10)}`, 'GSM-7', 164, 2],
    ['160 é', 'é'.repeat(160), 'GSM-7', 160, 1],
    ['70 ç', 'ç'.repeat(70), 'UCS-2', 70, 1],
    ['71 ç', 'ç'.repeat(71), 'UCS-2', 71, 2],
    ['an e and a combining accent', 'e\u0301', 'UCS-2', 2, 1],
    ['134 я', 'я'.repeat(134), 'UCS-2', 134, 2],
    ['135 я', 'я'.repeat(135), 'UCS-2', 135, 3],
    ['35 emoji', '😀'.repeat(35), 'UCS-2', 70, 1],
    ['36 emoji', '😀'.repeat(36), 'UCS-2', 72, 2],
    ['66 emoji', '😀'.repeat(66), 'UCS-2', 132, 2],
    ['67 emoji, of which a part holds 33', '😀'.repeat(67), 'UCS-2', 134, 3],
    ['brackets, braces, bar and tilde', '[\\]^{|}~', 'GSM-7', 16, 1],
    ['a curly apostrophe', 'it’s', 'UCS-2', 4, 1],
    ['an empty text', '', 'GSM-7', 0, 1],
  ];
  for (const [name, text, encoding, units, segments] of rows) {
    it(`are ${segments} of ${units} units in ${encoding} for ${name}, as Twilio counts`, () => {
      expect(textParts(text)).to.deep.equal({ encoding, units, segments });
      expect(judge(text)).to.deep.equal({ encoding, units, segments });
    });
  }

  for (const character of 'Çéàäñ\n\r')
    it(`are GSM-7 for ${JSON.stringify(character)}`, () => expect(textParts(character).encoding).to.equal('GSM-7'));
  for (const character of ['ç', '`', '\t', '\u00a0', '’', '\0', '\u001b'])
    it(`are UCS-2 for ${JSON.stringify(character)}`, () => expect(textParts(character).encoding).to.equal('UCS-2'));

  it('agree with Twilio about every character of the basic plane', () => {
    const differs = (character: string) => {
      const [ours, theirs] = [textParts(character), judge(character)];
      return ours.encoding !== theirs.encoding || ours.units !== theirs.units || ours.segments !== theirs.segments;
    };
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(characters.filter(differs)).to.deep.equal([]);
  });

  /** Characters that do not combine: the calculator keeps whole graphemes together, the standards only surrogate pairs. */
  const gsm = fc.constantFrom(...'abcXYZ 019@£èÇ\nΔΩ_', ...'^{}\\[~]|€');
  const wide = fc.constantFrom(...'aZ €[|çяא中’`漢😀𝄞');
  const longText = (character: fc.Arbitrary<string>) => fc.array(character, { maxLength: 700, size: 'max' }).map((characters) => characters.join(''));

  it('agree with Twilio about any text of the GSM alphabet', () => {
    fc.assert(
      fc.property(longText(gsm), (text) => {
        expect(textParts(text)).to.deep.equal(judge(text));
      }),
      { numRuns: 100 },
    );
  });

  it('agree with Twilio about any text beyond it', () => {
    fc.assert(
      fc.property(longText(wide), (text) => {
        expect(textParts(text)).to.deep.equal(judge(text));
      }),
      { numRuns: 100 },
    );
  });

  it('are never more than by Twilio’s calculator if characters combine', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (text) => {
        expect(textParts(text).segments).to.be.at.most(judge(text).segments);
      }),
    );
  });
});
