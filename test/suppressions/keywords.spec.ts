import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import type { KeywordKind } from '../../domain/messages/keyword-kinds.js';
import { callingCodes, type KeywordLanguage, keywordTable } from '../../domain/suppressions/keyword-table.js';
import { keywordLanguages, matchKeyword } from '../../domain/suppressions/keywords.js';

/** The table of keywords as the guide prints it. */
function printedTable(): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const rows = (Object.keys(keywordTable) as KeywordLanguage[]).map((language) => {
    const { stop, start, yes, help }: Readonly<Record<KeywordKind, readonly string[]>> = keywordTable[language];
    const codes = language === 'en' || language === 'fr' ? 'all' : callingCodes[language].map((code) => `+${code}`).join(', ');
    const words = [stop, [...start, ...yes], help].map((list) => list.map((word) => `\`${word}\``).join(', '));
    return `| ${[names.of(language), codes, ...words].join(' | ')} |`;
  });
  return ['| Language | Numbers | Stop | Start | Help |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

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
      ['STOP 🛑', 'STOP'],
      ['🛑STOP🛑', 'STOP'],
      ['✋🏽 stop', 'STOP'],
      ['STOP-', 'STOP'],
      ['*** STOP ***', 'STOP'],
      ['(stop)', 'STOP'],
      ['#STOP', 'STOP'],
      ['STOP STOP', 'STOP'],
      ['Stop! Stop!! stop!!!', 'STOP'],
      ['stop all, stop all', 'STOP ALL'],
      ['S T O P', 'STOP'],
      ['S.T.O.P.', 'STOP'],
      ['s-t-o-p', 'STOP'],
      ['STOP SMS', 'STOP SMS'],
      ['arrêter', 'ARRETER'],
      ['Désabonner', 'DESABONNER'],
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
    'st op',
    's top',
    'STOP 🛑 please',
    'stop go stop',
    'S T',
    '🛑 🛑 🛑',
    'yes please',
    `stop${'!'.repeat(160)}`,
  ])
    it(`is not ${JSON.stringify(text.slice(0, 30))}`, () => expect(matchKeyword(text)).to.equal(null));

  /** Texts that are a keyword for the numbers of a country, and none for one in Australia. */
  const byCountry: [phone: string, kind: KeywordKind, texts: readonly string[]][] = [
    ['+14155550100', 'stop', ['ALTO', 'Parar', 'baja', '¡Alto!', 'Darme de baja']],
    ['+4915112345678', 'stop', ['Stopp!', 'Abmelden', 'Abbestellen']],
    ['+4915112345678', 'help', ['Hilfe']],
    ['+34600000000', 'stop', ['¡Alto!', 'parar', 'BAJA BAJA']],
    ['+5511912345678', 'stop', ['cancelar', 'Sair', 'descadastrar']],
    ['+393331234567', 'stop', ['BASTA', 'Annulla', 'ferma']],
    ['+31612345678', 'stop', ['Stoppen', 'afmelden', 'uitschrijven']],
    ['+48512345678', 'stop', ['rezygnuję', 'WYPISZ']],
    ['+420601123456', 'stop', ['ODHLÁSIT', 'odhlásit se']],
    ['+905321234567', 'stop', ['İPTAL', 'iptal', 'ıptal', 'RET', 'Çıkış']],
    ['+79161234567', 'stop', ['СТОП', 'стоп!', 'Отписаться']],
    ['+380501234567', 'stop', ['стоп', 'Відписатися']],
    ['+8613812345678', 'stop', ['退订', 'T', '退订！']],
    ['+886912345678', 'stop', ['退訂', '取消訂閱']],
    ['+819012345678', 'stop', ['停止', '配信停止。', 'ｽﾄｯﾌﾟ']],
    ['+821012345678', 'stop', ['수신거부', '수신 거부']],
    ['+972501234567', 'stop', ['הסר', 'הסר!']],
    ['+201001234567', 'stop', ['إلغاء', 'ايقاف']],
    ['+46701234567', 'stop', ['Stopp', 'avanmäl']],
    ['+358401234567', 'stop', ['lopeta', 'PERUUTA']],
    ['+84912345678', 'stop', ['TC', 'từ chối', 'Hủy đăng ký']],
    ['+66812345678', 'stop', ['ยกเลิก']],
    ['+48512345678', 'help', ['pomoc']],
    ['+79161234567', 'start', ['старт']],
    ['+34600000000', 'start', ['Alta']],
  ];
  for (const [phone, kind, texts] of byCountry)
    for (const text of texts)
      it(`of the kind ${kind} is ${JSON.stringify(text)} from ${phone.slice(0, 4)}…`, () => {
        expect(matchKeyword(text, keywordLanguages('+61412345678'))).to.equal(null);
        expect(matchKeyword(text, keywordLanguages(phone))?.kind).to.equal(kind);
      });

  it('is printed in the guide', () => {
    const guide = readFileSync('docs/guides/consent.md', 'utf8');
    const [, printed] = /<!-- keywords: printed by test\/suppressions\/keywords.spec.ts -->\n(.*)\n<!-- end of keywords -->/s.exec(guide) ?? [];
    expect(printed).to.equal(printedTable());
  });

  it('is none of the ordinary answers of people in all these countries', () => {
    const lines = readFileSync('test/suppressions/ordinary-answers.txt', 'utf8').split('\n');
    const answers = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => {
        const [code = '', texts = ''] = line.split(/:(.*)/s);
        return texts.split('|').map((text) => ({ phone: `+${code}5550100`, text: text.trim() }));
      });
    expect(answers.length).to.be.above(1_000);
    expect(answers.filter(({ text }) => text.split(' ').length <= 3).length).to.be.above(500);
    const matched = answers.filter(({ phone, text }) => matchKeyword(text, keywordLanguages(phone))?.kind === 'stop');
    expect(matched).to.deep.equal([]);
  });

  it('is matched in English, French and the languages of the country of the number', () => {
    const languages: [phone: string, languages: string][] = [
      ['+14155550100', 'en fr es'],
      ['+61412345678', 'en fr'],
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
    const around = fc.constantFrom('', ' ', '\n', '"', "'", ' “', '🛑 ', '* ');
    const after = fc.constantFrom('', '.', '!', '?!', ';', '" ', '”.', '\r\n', ' 🛑', '-');
    fc.assert(
      fc.property(fc.constantFrom(...words), around, after, fc.infiniteStream(fc.boolean()), ({ language, kind, keyword }, before, end, upper) => {
        const text = [...keyword].map((letter) => (upper.next().value ? letter : letter.toLowerCase())).join('');
        expect(matchKeyword(before + text + end, [language])).to.deep.equal({ kind, keyword, language });
      }),
    );
  });

  it('is not matched with another word beside it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...keywordTable.en.stop), fc.constantFrom('please', 'it', 'now', '1'), (keyword, word) => {
        expect(matchKeyword(`${keyword} ${word}`)).to.equal(null);
        expect(matchKeyword(`${word} ${keyword}`)).to.equal(null);
      }),
    );
  });
});
