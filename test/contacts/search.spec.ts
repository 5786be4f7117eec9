import { expect } from 'chai';
import { hasTerms, readSearch, searchEntries, searchedAs } from '../../formats/contacts/search.js';

/** Made-up people, by the names of the values. */
const people: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zoe: { first_name: 'Zoë', last_name: 'Müller-Lüdenscheidt', email: 'zoe@xn--mller-kva.example', phone: '+4915112345678' },
  jose: { first_name: 'José', last_name: "O'Brien", email: 'jo_brien+shop@mail.example.org', phone: '+442079460018' },
  ada: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada.lovelace@example.com',
    'other_emails.k1': 'countess@byron.test',
    'other_phones.k2': '+14155550101',
  },
  lukasz: { first_name: 'ŁUKASZ', last_name: 'Weiß', email: '12345678@qq.example' },
  wang: { first_name: '芳', last_name: '王', locale: 'zh-CN', timezone: 'Asia/Shanghai', 'custom_fields.plan': 'professional' },
};

/** A search, and who is found. */
const searches: readonly (readonly [search: string, found: readonly string[]])[] = [
  // Accents and case, on either side.
  ['zoe', ['zoe']],
  ['ZOË', ['zoe']],
  ['jose', ['jose']],
  ['josé', ['jose']],
  ['müll', ['zoe']],
  ['mull', ['zoe']],
  ['lukasz', ['lukasz']],
  ['weiss', ['lukasz']],
  ['Weiß', ['lukasz']],
  // Beginnings of words, of any length from three letters; nothing else.
  ['lov', ['ada']],
  ['lovelac', ['ada']],
  ['lovelace', ['ada']],
  ['lovelaces', []],
  ['luedenscheidt', []],
  ['ludenscheidt', ['zoe']],
  ['müller-lüdenscheidt', ['zoe']],
  ['velace', []],
  // Apostrophes are as good as none.
  ["o'brien", ['jose']],
  ['O’Brien', ['jose']],
  ['obrien', ['jose']],
  ['brien', ['jose']],
  // Parts of an email, also of an international one.
  ['ada.lovelace@example.com', ['ada']],
  ['lovelace@exa', ['ada']],
  ['exa', ['zoe', 'jose', 'ada', 'lukasz']],
  ['jo_brien+shop', ['jose']],
  ['shop', ['jose']],
  ['müller.example', ['zoe']],
  ['12345678@qq', ['lukasz']],
  ['countess@', ['ada']],
  // Parts of a phone number: with or without + and blanks, national, from the beginning, to the end, or five digits anywhere.
  ['+49 151 1234', ['zoe']],
  ['+4915112345678', ['zoe']],
  ['004915112345678', ['zoe']],
  ['0151 / 1234 5678', ['zoe']],
  ['+44 (0)20 7946 0018', ['jose']],
  ['(415) 555-0101', ['ada']],
  ['٤١٥ ٥٥٥', ['ada']],
  ['0101', ['ada']],
  ['101', ['ada']],
  ['442', ['jose']],
  ['4420', ['jose']],
  ['55501', ['ada']],
  ['2345678', ['zoe', 'lukasz']],
  ['99999', []],
  // Several words: all of them, in any order, the short ones too.
  ['ada love', ['ada']],
  ['lovelace ada', ['ada']],
  ['ada müller', []],
  ['jo brien', ['jose']],
  ['ja brien', []],
  ['ada 415 555', ['ada']],
  ['jose 415 555', []],
  ['zoe +49', ['zoe']],
  // Ideographs say more than letters.
  ['王', ['wang']],
  ['王 芳', ['wang']],
  ['王芳', []],
  // What is no name and no address is not searched.
  ['professional', []],
  ['shanghai', []],
  ['nobody', []],
];

/** As a read model does it: the entries of the terms find people, whose values are compared then. */
function find(search: string): string[] {
  const terms = readSearch(search);
  const entries = terms.flatMap(({ entry }) => entry ?? []);
  expect(entries, `entries of '${search}'`).to.not.deep.equal([]);
  return Object.keys(people).filter((name) => {
    const values = Object.entries(people[name] ?? {});
    const stored = new Set(
      values.flatMap(([field, value]) => {
        const as = searchedAs(field);
        return as === null ? [] : searchEntries(as, String(value));
      }),
    );
    return entries.every((entry) => stored.has(entry)) && hasTerms(values, terms);
  });
}

describe('the search of names and addresses', () => {
  for (const [search, found] of searches)
    it(`finds ${found.length > 0 ? found.join(' and ') : 'nobody'} by ${search}`, () => expect(find(search)).to.deep.equal(found));

  it('has no entry for what is too short', () => {
    for (const search of ['', ' ', 'a', 'ab', 'ab cd', '+1', '12', '@', "''", '1 2', '💩', '...'])
      expect(
        readSearch(search).filter(({ entry }) => entry !== null),
        search,
      ).to.deep.equal([]);
  });

  it('has few entries of a contact', () => {
    const { ada } = people;
    const entries = Object.entries({ ...ada, phone: '+14155550101' }).flatMap(([name, value]) =>
      searchEntries(searchedAs(name) ?? 'name', String(value)),
    );
    expect(new Set(entries).size).to.be.at.most(26);
  });
});
