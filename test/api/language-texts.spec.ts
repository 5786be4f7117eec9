import { expect } from 'chai';
import { errorTexts } from '../../api/pages/error-texts.js';
import { publicPageTexts } from '../../api/public/page-texts.js';
import { type Language, languages } from '../../domain/kernel/languages.js';
import { formConfirmationTexts } from '../../formats/forms/confirmation-texts.js';
import { formPageTexts } from '../../formats/forms/page-texts.js';
import { confirmationTexts } from '../../formats/lists/confirmation-texts.js';
import { footerTexts } from '../../processes/suppressions/footer-texts.js';

const tables = { errorTexts, publicPageTexts, formConfirmationTexts, formPageTexts, confirmationTexts, footerTexts };

/** All texts in a part of a table, each with its path; functions are given plain words. */
function textsIn(part: unknown, path: string): [string, string][] {
  if (typeof part === 'string') return [[path, part]];
  if (typeof part === 'function') return [[path, (part as (...words: string[]) => string)('Alpha', 'Beta')]];
  return Object.entries(part as object).flatMap(([name, one]) => textsIn(one, `${path}.${name}`));
}

/** How a language is set: what its texts may not contain, and why. */
const rules: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  en: [[/["']/, 'quotation marks and apostrophes are curly']],
  de: [[/["']|”/, 'quotation marks are „…“']],
  fr: [
    [/ [:;?!»]|« /, 'a space before a mark does not break'],
    [/[^\s\u00a0][;?!»]|«[^\u00a0]/, 'there is a space before a mark'],
    [/["'“”„]/, 'quotation marks are «…», and apostrophes curly'],
  ],
  es: [[/["'“”„]/, 'quotation marks are «…»']],
  pl: [[/["'“«]/, 'quotation marks are „…”']],
};

describe('the texts of pages and mails', () => {
  for (const language of languages)
    it(`are set as ${language} is`, () => {
      const texts = Object.entries(tables).flatMap(([name, table]) => textsIn(table[language], `${name}.${language}`));
      expect(texts.length).to.be.above(60);
      const wrong = texts.flatMap(([path, text]) =>
        rules[language].flatMap(([mark, rule]) => (mark.test(text) ? [`${path}: ${rule}: ${text}`] : [])),
      );
      expect(wrong).to.deep.equal([]);
      for (const [path, text] of texts)
        expect(text, path)
          .to.equal(text.trim())
          .and.not.match(/ {2}|undefined/);
    });

  it('have the same parts in every language', () => {
    for (const [name, table] of Object.entries(tables))
      for (const language of languages)
        expect(
          textsIn(table[language], name).map(([path]) => path),
          `${name} ${language}`,
        ).to.deep.equal(textsIn(table.en, name).map(([path]) => path));
  });
});
