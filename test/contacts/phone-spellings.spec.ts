import { expect } from 'chai';
import fc from 'fast-check';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { spellingsOf, twoSpellings } from '../../domain/contacts/phone-spellings.js';
import { normalizePhone } from '../../formats/contacts/addresses.js';

describe('the spellings of a phone number', () => {
  const two: [country: string, one: string, other: string][] = [
    ['Mexico', '+525512340001', '+5215512340001'],
    ['Mexico, of three digits of area', '+529981234567', '+5219981234567'],
    ['Argentina, Buenos Aires', '+541123456789', '+5491123456789'],
    ['Argentina, Córdoba', '+543511234567', '+5493511234567'],
    ['Argentina, Patagonia', '+542901123456', '+5492901123456'],
    ['Brazil, from 9', '+551198765432', '+5511998765432'],
    ['Brazil, from 8', '+552187654321', '+5521987654321'],
    ['Brazil, from 7', '+557176543210', '+5571976543210'],
    ['Brazil, from 6', '+559961234567', '+5599961234567'],
  ];
  for (const [country, one, other] of two)
    it(`are two in ${country}, with the given one first`, () => {
      expect(spellingsOf(one)).to.deep.equal([one, other]);
      expect(spellingsOf(other)).to.deep.equal([other, one]);
    });

  const single: [what: string, phone: string][] = [
    ['a fixed line of São Paulo', '+551132345678'],
    ['a fixed line of Rio', '+552125551234'],
    ['a number of Brazil with the digit before a fixed line', '+5511932345678'],
    ['an area code that Brazil does not have', '+552087654321'],
    ['a number of Brazil that is too short', '+55118765432'],
    ['a free call in Argentina', '+548001234567'],
    ['a number of Argentina that is too short', '+54112345678'],
    ['a number of Mexico that begins with 1', '+521512340001'],
    ['a number of Mexico that is too long', '+52155123400012'],
    ['a number of Peru', '+51987654321'],
    ['a number of Chile', '+56987654321'],
    ['a number of the United States', '+14155550100'],
    ['a number of Germany that looks so', '+4915112345678'],
    ['a number of Belize', '+5016221234'],
    ['an email address', 'ada@example.com'],
    ['a short code', '68849'],
    ['nothing', ''],
    ['a plus', '+'],
  ];
  for (const [what, phone] of single) it(`is one of ${what}`, () => expect(spellingsOf(phone)).to.deep.equal([phone]));

  it('is one of every country but those of the table', () => {
    const countries = new Set<string>(Object.values(twoSpellings).map(({ country }) => country));
    for (const country of getCountries()) {
      const phone = getExampleNumber(country, examples)?.number ?? '';
      expect(spellingsOf(phone), country).to.have.length(countries.has(country) ? 2 : 1);
    }
  });

  /** E.164 of the three countries, valid or not. */
  const anyOfThem = fc.tuple(fc.constantFrom('52', '54', '55'), fc.stringMatching(/^[0-9]{7,12}$/)).map(([code, digits]) => `+${code}${digits}`);

  it('is one of all fixed lines of Brazil, by the metadata of libphonenumber', () => {
    const ofBrazil = fc.stringMatching(/^[1-9][1-9][2-9][0-9]{7,8}$/).map((digits) => `+55${digits}`);
    let fixed = 0;
    fc.assert(
      fc.property(ofBrazil, (phone) => {
        if (parsePhoneNumberFromString(phone)?.getType() !== 'FIXED_LINE') return;
        fixed += 1;
        expect(spellingsOf(phone)).to.deep.equal([phone]);
      }),
      { numRuns: 5_000 },
    );
    expect(fixed).to.be.greaterThan(100);
  });

  it('are two of all mobile numbers of Brazil, by the same metadata', () => {
    const ofBrazil = fc.stringMatching(/^[1-9][1-9]9[0-9]{8}$/).map((digits) => `+55${digits}`);
    let mobile = 0;
    fc.assert(
      fc.property(ofBrazil, (phone) => {
        if (parsePhoneNumberFromString(phone)?.getType() !== 'MOBILE' || !/^\+55..9[6-9]/.test(phone)) return;
        mobile += 1;
        expect(spellingsOf(phone), phone).to.have.length(2);
      }),
      { numRuns: 5_000 },
    );
    expect(mobile).to.be.greaterThan(100);
  });

  it('are the same whichever of them is asked for, and at most two', () => {
    fc.assert(
      fc.property(anyOfThem, (phone) => {
        const all = spellingsOf(phone);
        expect(all.length).to.be.lessThan(3);
        for (const one of all) expect([...spellingsOf(one)].sort()).to.deep.equal([...all].sort());
      }),
      { numRuns: 5_000 },
    );
  });

  it('are numbers as they are: what was given is what is dialed', () => {
    for (const [, ...both] of two) for (const phone of both) expect(normalizePhone(phone)).to.equal(phone);
    expect(normalizePhone('+52 1 55 1234 0001')).to.equal('+5215512340001');
    expect(normalizePhone('+52 1 15 1234 0001')).to.equal(null);
  });
});
