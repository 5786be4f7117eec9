import { expect } from 'chai';
import fc from 'fast-check';
import { type ContactInput, readContactInput } from '../../commands/contacts/contact-input.js';
import { type CustomField, type CustomFieldType, customFieldTypes } from '../../domain/contacts/custom-field.js';

const addresses = { key: (account: string, address: string) => `${account}:${address}` };
const at = '2026-01-15T12:00:00.000Z';
const field = (key: string, type: CustomFieldType, more: Partial<CustomField> = {}): [string, CustomField] => [
  key,
  { field_id: `fld_${key}`, key, label: key, type, options: null, unique: false, pii: false, created_at: at, updated_at: at, ...more },
];
const fields = new Map([
  ...customFieldTypes.map((type) => field(`a_${type}`, type)),
  field('plan', 'string', { options: ['free', 'pro'] }),
  field('colors', 'string_list', { options: ['red', 'blue'] }),
  field('external_id', 'string', { unique: true }),
  field('number_id', 'number', { unique: true }),
  field('nickname', 'string', { pii: true }),
]);
const read = (input: ContactInput, path = '') => readContactInput(input, { account: 'acc_A', addresses, fields }, path);
const rowOf = (input: ContactInput) => {
  const reading = read(input);
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.row;
};
const wrong = (input: ContactInput, path = '') => {
  const reading = read(input, path);
  return 'problems' in reading ? reading.problems.map(({ field: name, code }) => [name, code]) : [];
};

describe('readContactInput', () => {
  it('normalizes addresses and derives a key from each', () => {
    const { keys, patch } = rowOf({ email: ' Ada@Example.COM ', phone: '+1 (415) 555-0100' });
    expect(patch.personal).to.deep.equal({ email: 'ada@example.com', phone: '+14155550100' });
    expect(keys).to.deep.equal([
      { name: 'email', key: 'acc_A:ada@example.com' },
      { name: 'phone', key: 'acc_A:+14155550100' },
    ]);
    expect(patch.keys).to.deep.equal({ email: 'acc_A:ada@example.com', phone: 'acc_A:+14155550100' });
  });

  it('returns all problems at once, each with its path', () => {
    const input = {
      email: 'nobody',
      phone: '12',
      timezone: 'Mars/Base',
      custom_fields: {
        unknown: 1,
        a_number: 'x',
        a_boolean: 'yes',
        a_date: '2026-02-31',
        a_datetime: '9999-12-31T23:59:59-00:01',
        a_string_list: ['a', 1],
        plan: 'gold',
        colors: ['red', 'green'],
      },
    };
    expect(wrong(input, 'contacts[3].')).to.have.deep.members([
      ['contacts[3].email', 'invalid_email'],
      ['contacts[3].phone', 'invalid_phone'],
      ['contacts[3].timezone', 'unknown_timezone'],
      ['contacts[3].custom_fields.unknown', 'unknown_field'],
      ['contacts[3].custom_fields.a_number', 'invalid_type'],
      ['contacts[3].custom_fields.a_boolean', 'invalid_type'],
      ['contacts[3].custom_fields.a_date', 'invalid_type'],
      ['contacts[3].custom_fields.a_datetime', 'invalid_type'],
      ['contacts[3].custom_fields.a_string_list', 'invalid_type'],
      ['contacts[3].custom_fields.plan', 'not_an_option'],
      ['contacts[3].custom_fields.colors', 'not_an_option'],
    ]);
  });

  it('separates open values from personal ones', () => {
    const { patch } = rowOf({ first_name: 'Ada', locale: 'en', timezone: 'Europe/London', custom_fields: { nickname: 'Countess', plan: 'pro' } });
    expect(patch.personal).to.deep.equal({ first_name: 'Ada', 'custom_fields.nickname': 'Countess' });
    expect(patch.said).to.deep.equal(['first_name', 'custom_fields.nickname']);
    expect(patch.values).to.deep.equal({ locale: 'en', timezone: 'Europe/London', 'custom_fields.plan': 'pro' });
  });

  it('identifies the contact by unique fields, and gives personal ones keys to search by', () => {
    const { keys, patch } = rowOf({ custom_fields: { external_id: '42', number_id: 42, nickname: 'N' } });
    expect(keys.map(({ name }) => name)).to.deep.equal(['custom_fields.external_id', 'custom_fields.number_id']);
    expect(Object.keys(patch.keys)).to.have.members(['custom_fields.external_id', 'custom_fields.number_id', 'custom_fields.nickname']);
    expect(new Set(Object.values(patch.keys)).size).to.equal(3);
  });

  it('refuses empty texts in fields with a normal form', () => {
    expect(wrong({ email: '', phone: '', timezone: '' }).map(([name]) => name)).to.have.members(['email', 'phone', 'timezone']);
  });

  it('removes values that are null, with their keys', () => {
    const { keys, patch } = rowOf({ email: null, first_name: null, custom_fields: { external_id: null, plan: null } });
    expect(keys).to.deep.equal([]);
    expect(patch.cleared).to.have.members(['email', 'first_name', 'custom_fields.external_id', 'custom_fields.plan']);
    expect(patch.keys).to.deep.equal({ email: null, 'custom_fields.external_id': null });
  });

  it('normalizes times, dates and lists', () => {
    const { patch } = rowOf({ custom_fields: { a_datetime: '2026-01-31T12:00:00+02:00', a_date: '2028-02-29', a_string_list: ['a', 'b', 'a'] } });
    expect(patch.values).to.deep.equal({
      'custom_fields.a_datetime': '2026-01-31T10:00:00.000Z',
      'custom_fields.a_date': '2028-02-29',
      'custom_fields.a_string_list': ['a', 'b'],
    });
  });

  it('accepts any input completely or names each of its problems', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.object(),
    );
    const key = fc.oneof(fc.constantFrom(...fields.keys(), '__proto__', 'constructor'), fc.string());
    const text = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
    const input = fc.record({ email: text, phone: text, first_name: text, timezone: text, custom_fields: fc.dictionary(key, value) });
    fc.assert(
      fc.property(input, (given) => {
        const reading = read(given as ContactInput);
        if ('problems' in reading) {
          expect(reading.problems.length).to.be.above(0);
          for (const problem of reading.problems) expect(problem.field, problem.message).to.match(/^(email|phone|timezone|custom_fields\.)/);
          return;
        }
        const { patch } = reading.row;
        const fields = [...Object.keys(patch.values), ...Object.keys(patch.personal), ...patch.cleared];
        const named = Object.entries(given).flatMap(([name, one]) =>
          name === 'custom_fields' ? Object.keys(one as object).map((custom) => `custom_fields.${custom}`) : one === undefined ? [] : [name],
        );
        expect(fields).to.have.members(named);
      }),
      { numRuns: 500 },
    );
  });
});
