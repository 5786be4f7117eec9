import { expect } from 'chai';
import fc from 'fast-check';
import type { KeywordKind } from '../../domain/messages/keyword-kinds.js';
import { type KeywordLanguage, keywordLanguages, keywordTable, matchKeyword } from '../../domain/suppressions/keywords.js';

describe('a keyword', () => {
  const opting: Record<KeywordKind, readonly (readonly [text: string, keyword: string])[]> = {
    stop: [
      ['STOP', 'STOP'],
      ['stop', 'STOP'],
      ['sToP', 'STOP'],
      [' Stop ', 'STOP'],
      ['STOP.', 'STOP'],
      ['"Stop."', 'STOP'],
      ['“Stop”!', 'STOP'],
      ['« stop »', 'STOP'],
      [' stop\n', 'STOP'],
      ['ＳＴＯＰ', 'STOP'],
      ['\u200estop\u200b', 'STOP'],
      ['StopAll', 'STOPALL'],
      ['STOP ALL', 'STOP ALL'],
      ['stop-all', 'STOP ALL'],
      ['unsubscribe', 'UNSUBSCRIBE'],
      ['Cancel', 'CANCEL'],
      ['END', 'END'],
      ['quit!', 'QUIT'],
      ['REVOKE', 'REVOKE'],
      ['Opt out', 'OPT OUT'],
      ['opt  out', 'OPT OUT'],
      ['OPT-OUT', 'OPT OUT'],
      ['Opt\u2011out', 'OPT OUT'],
      ['optout', 'OPTOUT'],
      [`STOP${'!'.repeat(60)}`, 'STOP'],
      ['ARRÊT', 'ARRET'],
      ['arre\u0302t', 'ARRET'],
      ['arret', 'ARRET'],
      ['Arrête', 'ARRETE'],
      ['remove', 'REMOVE'],
    ],
    start: [
      ['START', 'START'],
      ['unstop', 'UNSTOP'],
    ],
    yes: [
      ['Yes', 'YES'],
      ['YES!', 'YES'],
    ],
    help: [
      ['help', 'HELP'],
      ['Help?', 'HELP'],
      ['INFO', 'INFO'],
      ['aide', 'AIDE'],
    ],
  };
  for (const [kind, texts] of Object.entries(opting))
    for (const [text, keyword] of texts)
      it(`of the kind ${kind} is ${JSON.stringify(text)}`, () => expect(matchKeyword(text)).to.include({ kind, keyword }));

  for (const text of [
    'STOP PLEASE',
    'please cancel my order',
    'endless',
    'STOPPED',
    '',
    ' ',
    '🛑',
    '"',
    '...',
    'stop stop',
    'st op',
    'yes please',
    `stop${'!'.repeat(160)}`,
  ])
    it(`is not ${JSON.stringify(text.slice(0, 30))}`, () => expect(matchKeyword(text)).to.equal(null));

  const foreign: [language: KeywordLanguage, kind: KeywordKind, text: string][] = [
    ['de', 'stop', 'Stopp!'],
    ['de', 'help', 'Hilfe'],
    ['es', 'stop', '¡Alto!'],
    ['es', 'stop', 'parar'],
    ['pt', 'stop', 'parar'],
    ['it', 'stop', 'ferma'],
    ['nl', 'stop', 'afmelden'],
  ];
  for (const [language, kind, text] of foreign)
    it(`${JSON.stringify(text)} matches only in ${language}`, () => {
      expect(matchKeyword(text)).to.equal(null);
      expect(matchKeyword(text, ['en', language])?.kind).to.equal(kind);
    });

  it('is matched in English, French and the languages of the country of the number', () => {
    const languages: [phone: string, languages: string][] = [
      ['+14155550100', 'en fr'],
      ['+4915112345678', 'en fr de'],
      ['+41791234567', 'en fr de it'],
      ['+34600000000', 'en fr es'],
      ['+5511912345678', 'en fr pt'],
      ['+31612345678', 'en fr nl'],
      ['+393331234567', 'en fr it'],
    ];
    for (const [phone, expected] of languages) expect(keywordLanguages(phone).join(' '), phone).to.equal(expected);
  });

  it('is matched in every spelling of every word of the table', () => {
    const words = Object.entries(keywordTable).flatMap(([language, kinds]) =>
      Object.entries(kinds as Record<KeywordKind, readonly string[]>).flatMap(([kind, keywords]) =>
        keywords.map((keyword) => ({ language: language as KeywordLanguage, kind, keyword })),
      ),
    );
    const around = fc.constantFrom('', ' ', '\n', '"', "'", ' “');
    const after = fc.constantFrom('', '.', '!', '?!', ';', '" ', '”.', '\r\n');
    fc.assert(
      fc.property(fc.constantFrom(...words), around, after, fc.infiniteStream(fc.boolean()), ({ language, kind, keyword }, before, end, upper) => {
        const text = [...keyword].map((letter) => (upper.next().value ? letter : letter.toLowerCase())).join('');
        expect(matchKeyword(before + text + end, [language])).to.deep.equal({ kind, keyword, language });
      }),
    );
  });

  it('is not matched with another word beside it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...keywordTable.en.stop), fc.constantFrom('please', 'it', 'now', '1', 'STOP'), (keyword, word) => {
        expect(matchKeyword(`${keyword} ${word}`)).to.equal(null);
        expect(matchKeyword(`${word} ${keyword}`)).to.equal(null);
      }),
    );
  });
});
