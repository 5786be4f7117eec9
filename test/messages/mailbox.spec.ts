import { expect } from 'chai';
import fc from 'fast-check';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { formatMailbox, parseMailbox } from '../../formats/messages/mailbox.js';

const ann = (name: string | null) => ({ address: 'ann@example.com', name });

describe('a mailbox', () => {
  for (const [text, name] of [
    ['ann@example.com', null],
    ['  Ann@Example.com ', null],
    ['<ann@example.com>', null],
    ['Ann <ann@example.com>', 'Ann'],
    ['Ann Smith<ann@example.com>', 'Ann Smith'],
    ['"Smith, Ann" <ann@example.com>', 'Smith, Ann'],
    ['Smith, Ann <ann@example.com>', 'Smith, Ann'],
    ['Dr. Ann B. <ann@example.com>', 'Dr. Ann B.'],
    ["Ann O'Neil <ann@example.com>", "Ann O'Neil"],
    ['Jürgen Müller 李 <ann@example.com>', 'Jürgen Müller 李'],
    ['"A \\"quoted\\" name" <ann@example.com>', 'A "quoted" name'],
    ['"bob@example.com" <ann@example.com>', 'bob@example.com'],
    ['ann@example.com <ann@example.com>', null],
    ['ann@example.com (Ann)', 'Ann'],
    ['Ann @ Shop <ann@example.com>', 'Ann @ Shop'],
  ] as const) {
    it(`is read from ${text}`, () => expect(parseMailbox(text)).to.deep.equal(ann(name)));
  }

  it('has its domain in the form that is sent', () =>
    expect(parseMailbox('Bücher <x@bücher.de>')).to.deep.equal({ address: 'x@xn--bcher-kva.de', name: 'Bücher' }));

  for (const text of [
    '',
    'Ann',
    'Ann <>',
    'Ann <ann@example.com',
    'Ann <<ann@example.com>>',
    'Ann <ann@example.com> more',
    'Ann <a b@example.com>',
    'ann@example.com, bob@example.com',
    'Ann <ann@example.com>, Bob <bob@example.com>',
    'bob@example.com, Ann <ann@example.com>',
    'Group: ann@example.com, bob@example.com;',
    '"bob@evil.example x"@example.com',
    'Ann\r\nBcc: bob@example.com <ann@example.com>',
    'Ann\u2028 <ann@example.com>',
    'Ann <ann@example.com>\0',
    `${'x'.repeat(201)} <ann@example.com>`,
  ]) {
    it(`is not ${JSON.stringify(text).slice(0, 60)}`, () => expect(parseMailbox(text)).to.equal(null));
  }

  it('is read from what it is written as, whatever its name', () => {
    const name = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .map((text) => text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim())
      .filter((text) => text !== '' && text.length <= 200);
    fc.assert(
      fc.property(name, (given) => {
        expect(parseMailbox(formatMailbox(ann(given)))).to.deep.equal(ann(given));
      }),
    );
  });

  it('is never anything but a normalized address and a name of one line, whatever the text', () => {
    const part = fc.constantFrom('ann@example.com', '<', '>', '"', '\\', ',', ';', ':', '(', ')', ' ', '\r\n', 'Ann', '@', 'b@c.de', 'Gr: ');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        const read = parseMailbox(given);
        if (!read) return;
        expect(normalizeEmail(read.address)).to.equal(read.address);
        expect(given.toLowerCase()).to.contain(read.address.slice(0, read.address.indexOf('@')));
        expect(read.name ?? '').to.not.match(/[\r\n]/);
        expect(parseMailbox(formatMailbox(read))).to.deep.equal(read);
      }),
    );
  });
});
