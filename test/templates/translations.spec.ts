import { expect } from 'chai';
import { languageFallbacks, languageTagOf, pickLanguage } from '../../domain/kernel/languages.js';
import {
  completeLanguages,
  contentInLanguage,
  contentOver,
  languageFor,
  missingTexts,
  readTranslations,
} from '../../domain/templates/translations.js';

/** Given, and its one form by RFC 5646; null for what is no tag. */
const tags: readonly (readonly [string, string | null])[] = [
  ['de', 'de'],
  ['DE', 'de'],
  ['pt_br', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['sr_Latn_RS', 'sr-Latn-RS'],
  ['es-419', 'es-419'],
  ['gsw', 'gsw'],
  [' en ', 'en'],
  ['iw', 'he'],
  ['de-CH-1996', 'de-CH-1996'],
  ['en-u-ca-buddhist', 'en-u-ca-buddhist'],
  ['english', null],
  ['Deutsch', null],
  ['d', null],
  ['', null],
  ['de-', null],
  ['de--AT', null],
  ['de-AT!', null],
  ['12', null],
  ['e\u0301n', null],
  ['en_GB.UTF-8', null],
  ['__proto__', null],
  ['x-private', null],
  ['de-1', null],
  [`de-${'a1234567-'.repeat(5)}b`, null],
];

/** The reader, the languages that there are, and the one that is picked; null is the default. */
const picks: readonly (readonly [unknown, readonly string[], string | null])[] = [
  ['pt-BR', ['pt', 'pt-BR'], 'pt-BR'],
  ['pt-BR', ['pt'], 'pt'],
  ['pt-BR', ['de'], null],
  ['pt', ['pt-BR'], null],
  ['PT_br', ['pt-BR'], 'pt-BR'],
  ['de-AT', ['de', 'en'], 'de'],
  ['zh-Hant-TW', ['zh-Hant', 'zh'], 'zh-Hant'],
  ['zh-TW', ['zh-Hant', 'zh'], 'zh'],
  ['de-CH-u-ca-gregory', ['de-CH'], 'de-CH'],
  ['english', ['en'], null],
  [null, ['de'], null],
  [undefined, ['de'], null],
  [7, ['de'], null],
  ['constructor', ['de'], null],
  ['de', [], null],
];

describe('language tags', () => {
  for (const [given, tag] of tags) it(`${JSON.stringify(given)} is ${tag ?? 'none'}`, () => expect(languageTagOf(given)).to.equal(tag));
  it('fall back from the closest one on', () => {
    expect(languageFallbacks('zh-Hant-TW')).to.deep.equal(['zh-Hant-TW', 'zh-Hant', 'zh']);
    expect(languageFallbacks('en-u-ca-buddhist')).to.deep.equal(['en-u-ca-buddhist', 'en-u-ca', 'en']);
    expect(languageFallbacks('nonsense!')).to.deep.equal([]);
  });
  for (const [locale, available, picked] of picks)
    it(`${String(locale)} among ${available.join(', ') || 'none'} picks ${picked ?? 'the default'}`, () =>
      expect(pickLanguage(locale, available)).to.equal(picked));
});

describe('a translation', () => {
  const email = { subject: 'Hi', html: '<p>Hi</p>' };
  const de = { subject: 'Hallo', html: '<p>Hallo</p>' };
  const missing = (content: Parameters<typeof missingTexts>[0]) => missingTexts(content).map(({ field }) => field);

  /** Content, and the texts that its translations lack. */
  const contents: readonly (readonly [string, Parameters<typeof missingTexts>[0], readonly string[]])[] = [
    ['none', email, []],
    ['all texts', { ...email, translations: { de } }, []],
    ['a text without HTML', { ...email, translations: { de: { subject: 'Hallo', message: 'Hallo' } } }, ['translations.de.html']],
    ['MJML for HTML', { ...email, translations: { de: { subject: 'Hallo', mjml: '<mjml/>' } } }, []],
    ['HTML for MJML', { subject: 'Hi', mjml: '<mjml/>', html: '<p>', translations: { de } }, []],
    [
      'nothing',
      { ...email, message: 'Hi', translations: { de: {} } },
      ['translations.de.subject', 'translations.de.html', 'translations.de.message'],
    ],
    ['a text of its own', { ...email, translations: { de: { ...de, message: 'Hallo' } } }, []],
    ['no text where the default has one', { ...email, message: 'Hi', translations: { de } }, ['translations.de.message']],
    ['no link of its own', { title: 'A', message: 'B', action_url: '/a', translations: { fr: { title: 'A', message: 'B' } } }, []],
    ['no title', { title: 'A', message: 'B', translations: { fr: { message: 'B' } } }, ['translations.fr.title']],
  ];
  for (const [name, content, fields] of contents)
    it(`with ${name} lacks ${fields.join(', ') || 'nothing'}`, () => expect(missing(content)).to.deep.equal(fields));

  it('is not sent in part: the default is', () => {
    const content = { ...email, translations: { de, fr: { subject: 'Salut' }, pt: de } };
    expect(completeLanguages(content)).to.deep.equal(['de', 'pt']);
    expect(languageFor(content, 'fr-CA')).to.equal(null);
    expect(languageFor(content, 'pt-BR')).to.equal('pt');
  });

  it('takes only the texts: where a link leads may be said once', () => {
    const push = { title: 'A', message: 'B', action_url: '/a', translations: { de: { title: 'C', message: 'D' } } };
    expect(contentInLanguage(push, 'de')).to.deep.equal({ title: 'C', message: 'D', action_url: '/a' });
    expect(contentInLanguage(push, null)).to.deep.equal({ title: 'A', message: 'B', action_url: '/a' });
    expect(contentInLanguage({ subject: 'Hi', html: 'a', message: 'b', translations: { de } }, 'de')).to.deep.equal(de);
  });

  it('under a text that takes the place of the default needs that text, too', () => {
    const below = { ...email, translations: { de, fr: de } };
    const over = contentOver<typeof below>(below, { subject: 'Hey', translations: { de: { subject: 'He' } } } as never);
    expect(over).to.deep.equal({ subject: 'Hey', html: '<p>Hi</p>', translations: { de: { ...de, subject: 'He' }, fr: { html: '<p>Hallo</p>' } } });
    expect(missing(over)).to.deep.equal(['translations.fr.subject']);
    expect(contentOver<object>({ mjml: 'a', html: 'b', subject: 'c' }, { html: 'd' })).to.deep.equal({ html: 'd', subject: 'c' });
    expect(contentOver<object>(email, {})).to.deep.equal(email);
  });

  it('has one tag, and each language one translation', () => {
    const { read, problems } = readTranslations({ pt_br: 1, 'PT-br': 2, german: 3, ['__proto__']: 4 });
    expect(Object.entries(read)).to.deep.equal([['pt-BR', 1]]);
    expect(problems.map(({ field, code }) => `${field} ${code}`)).to.deep.equal([
      'translations.PT-br duplicate',
      'translations.german invalid_language',
      'translations.__proto__ invalid_language',
    ]);
  });
});
