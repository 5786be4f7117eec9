import { domainToASCII } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { phoneHint } from '../../formats/contacts/parse-address.js';

const callingCodes = [
  ...new Set(getCountries().map((country) => getCountryCallingCode(country))),
  '800',
  '808',
  '870',
  '878',
  '881',
  '882',
  '883',
  '888',
  '979',
];
const digits = (min: number, max: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: min, maxLength: max }).map((characters) => characters.join(''));
const internationalNumber = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...callingCodes), digits(1, 15)).map(([code, rest]) => `+${code}${rest}`) },
  { weight: 1, arbitrary: digits(1, 18).map((all) => `+${all}`) },
);

/** Mobile numbers of Mexico as they were until 2019: carriers still report them, and the library knows them no more. */
const isFormerMexican = (text: string): boolean => /^\+521[2-9]\d{9}$/.test(text);

function* everyShape() {
  for (const code of callingCodes)
    for (let length = 1; length <= 15 - code.length; length++) for (const first of '0123456789') yield `+${code}${first}${'2'.repeat(length - 1)}`;
}

describe('a phone number', () => {
  const spellings: [text: string, e164: string][] = [
    ['+14155550100', '+14155550100'],
    [' +1 (415) 555-0100 ', '+14155550100'],
    ['+1.415.555.0100', '+14155550100'],
    ['(+44) 20 7946 0018', '+442079460018'],
    ['+44 (0)20 7946 0018', '+442079460018'],
    ['+33 1 42 68 53 00', '+33142685300'],
    ['+49/30/901820', '+4930901820'],
    ['\u202a+1\u2011415\u00a0555\u20130100\u202c', '+14155550100'],
    ['＋81 3-1234-5678', '+81312345678'],
    ['+٩٧١501234567', '+971501234567'],
    ['+88600000000000', '+8860000000'],
    ['+390612345678', '+390612345678'],
    ['+80012345678', '+80012345678'],
    ['0014155550100', '+14155550100'],
    ['0049 151 23456789', '+4915123456789'],
    ["'+4915123456789", '+4915123456789'],
    ['tel:+1-415-555-0100', '+14155550100'],
    ["'00 49 (0) 151/23456789", '+4915123456789'],
  ];
  for (const [text, e164] of spellings) it(`normalizes ${JSON.stringify(text)} to ${e164}`, () => expect(normalizePhone(text)).to.equal(e164));

  const national: [text: string, country: string, e164: string | null][] = [
    ['0151 23456789', 'DE', '+4915123456789'],
    ['(415) 555-0102', 'US', '+14155550102'],
    ['415.555.0102', 'US', '+14155550102'],
    ['020 7946 0018', 'GB', '+442079460018'],
    ['+33 1 42 68 53 00', 'DE', '+33142685300'],
    ['0033142685300', 'DE', '+33142685300'],
    ['123', 'DE', null],
    ['555-0102', 'US', null],
    ['0151 23456789', 'XX', null],
    ['call me', 'US', null],
  ];
  for (const [text, country, e164] of national)
    it(`reads ${JSON.stringify(text)} in ${country} as ${e164}`, () => expect(normalizePhone(text, country)).to.equal(e164));

  it('that is none is named by its calling code, and not repeated', () => {
    const hints = {
      '+1415555019': 'of +1: such numbers have 10 digits after it, this one has 9.',
      '00491': 'of +49: such numbers have 4 to 13 digits after it, this one has 1.',
      '+12345': 'of +1:',
      '4155550199': 'country prefix',
      '+999123456': 'country prefix',
    };
    for (const [text, says] of Object.entries(hints)) expect(phoneHint(text), text).to.contain(says).and.not.to.contain(text);
  });

  for (let last = 1; last <= 6; last++) {
    const magic = `+1500555000${last}`;
    it(`accepts the sandbox number ${magic}`, () => expect(normalizePhone(magic)).to.equal(magic));
  }

  const refused = [
    '',
    '+',
    '14155550100',
    '0014155550',
    '004155550100x',
    '4155550100',
    '+1415555010',
    '+141555501000',
    '+0123456789',
    '+999123456789',
    '+1415555010a',
    '+1 415 555 0100 ext. 5',
    '+1 415 555 0100#5',
    '++14155550100',
    '+1+4155550100',
    'tel:4155550100',
    "'4155550100",
    'call +14155550100',
    '+49123456789012345',
    `+${'1'.repeat(300)}`,
    `+1${' '.repeat(60)}4155550100`,
    'a@example.com',
  ];
  for (const text of refused) it(`rejects ${JSON.stringify(text.slice(0, 40))}`, () => expect(normalizePhone(text)).to.equal(null));

  it('is normalized as libphonenumber does, by table or library', () => {
    fc.assert(
      fc.property(internationalNumber, (text) => {
        const judged = parsePhoneNumberFromString(text, { extract: false });
        const ours = normalizePhone(text);
        if (isFormerMexican(text)) expect(ours).to.equal(text);
        else if (judged === undefined || !judged.isPossible()) expect(ours).to.equal(null);
        else if (judged.number !== text) expect(ours).to.equal(normalizePhone(judged.number));
        else expect(ours).to.equal(text.length <= 16 ? text : null);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is normalized as libphonenumber does, for every calling code, length and first digit', () => {
    for (const text of everyShape()) {
      const judged = parsePhoneNumberFromString(text, { extract: false });
      if (isFormerMexican(text)) expect(normalizePhone(text), text).to.equal(text);
      else if (judged === undefined || !judged.isPossible()) expect(normalizePhone(text), text).to.equal(null);
      else expect(normalizePhone(text), text).to.equal(judged.number === text ? text : normalizePhone(judged.number));
    }
  });

  it('is unchanged when it is normalized again', () => {
    fc.assert(
      fc.property(internationalNumber, (text) => {
        const once = normalizePhone(text);
        if (once !== null) expect(normalizePhone(once)).to.equal(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same with any separators', () => {
    const separator = fc.constantFrom('', ' ', '-', '.', ' (', ') ', '\u00a0', '\u2013');
    fc.assert(
      fc.property(internationalNumber, fc.array(separator, { minLength: 20, maxLength: 20 }), (text, separators) => {
        const grouped = [...text].map((character, i) => character + separators[i]).join('');
        expect(normalizePhone(grouped)).to.equal(normalizePhone(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void normalizePhone(`+${text}`)));
  });
});

describe('an email address', () => {
  const spellings: [text: string, address: string][] = [
    ['a@example.com', 'a@example.com'],
    ['  Ada.Lovelace@Example.COM\n', 'ada.lovelace@example.com'],
    ['a.b+tag@gmail.com', 'a.b+tag@gmail.com'],
    ["o'brien@example.co.uk", "o'brien@example.co.uk"],
    ['bounce@sandbox.test', 'bounce@sandbox.test'],
    ['info@Bücher.de', 'info@xn--bcher-kva.de'],
    ['info@xn--bcher-kva.de', 'info@xn--bcher-kva.de'],
    ['info@例え.jp', 'info@xn--r8jz45g.jp'],
    ['a@1-2.example.museum', 'a@1-2.example.museum'],
    ['a@b.c', 'a@b.c'],
    ['  JÖRG.O@Example.COM ', 'jörg.o@example.com'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ['用户@例え.test', `用户@${domainToASCII('例え.test')}`],
    ['राम@example.com', 'राम@example.com'],
    [`${'é'.repeat(32)}@example.com`, `${'é'.repeat(32)}@example.com`],
  ];
  for (const [text, address] of spellings)
    it(`normalizes ${JSON.stringify(text)} to ${address}`, () => expect(normalizeEmail(text)).to.equal(address));

  const refused = [
    '',
    '@',
    'a',
    'a@',
    '@example.com',
    'a@example',
    'a@@example.com',
    'a b@example.com',
    'a@exa mple.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    '"a b"@example.com',
    '💩@example.com',
    'a\u200db\u00e9@example.com',
    '\u202eé@example.com',
    'é..a@example.com',
    'é @example.com',
    `${'é'.repeat(33)}@example.com`,
    'k\u212aé@example.com',
    '\u212a@example.com',
    'a@-example.com',
    'a@example-.com',
    'a@exam_ple.com',
    'a@example.com.',
    'a@example..com',
    'a@127.0.0.1',
    'a@0x7f.1',
    'a@[127.0.0.1]',
    'a@ex%61mple.com',
    'a@example.com/x',
    'a@example.com:25',
    'Ada <a@example.com>',
    'a@example.com,b@example.com',
    'a\0@example.com',
    'a@example.com\r\nBcc: b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(126)}com`,
  ];
  for (const text of refused) it(`rejects ${JSON.stringify(text.slice(0, 40))}`, () => expect(normalizeEmail(text)).to.equal(null));

  it('has at most 254 characters', () => {
    const ofLength = (length: number) => `a@${`${'b'.repeat(61)}.`.repeat(4)}${'c'.repeat(length - 2 - 4 * 62)}`;
    expect(normalizeEmail(ofLength(254))).to.equal(ofLength(254));
    expect(normalizeEmail(ofLength(255))).to.equal(null);
  });

  it('is measured after its domain is converted to punycode', () => {
    const domain = (labels: number) => `${`${'ü'.repeat(20)}.`.repeat(labels)}de`;
    expect(normalizeEmail(`a@${domain(9)}`)).to.equal(`a@${domainToASCII(domain(9))}`);
    expect(`a@${domain(10)}`.length).to.be.below(254);
    expect(normalizeEmail(`a@${domain(10)}`)).to.equal(null);
  });

  it('is unchanged when it is normalized again, and is in lower case, with a domain in ASCII', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })).map(([a, b]) => `a${a}@${b}.com`),
          fc.string({ unit: 'grapheme', minLength: 1 }).map((a) => `${a}@b.com`),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map((a) => `${a}@b.com`),
        ),
        (text) => {
          const once = normalizeEmail(text);
          if (once === null) return;
          expect(normalizeEmail(once)).to.equal(once);
          expect(once)
            .to.match(/^[^\s\p{C}@]+@[!-~]+$/u)
            .and.to.equal(once.toLowerCase());
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
