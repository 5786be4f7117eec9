import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { maskedMjml } from '../../formats/templates/mjml-masks.js';
import { createMjmlCompiler } from '../../ops/app/threads/mjml-compiler.js';
import { system } from '../support/system.js';
import { type HtmlFacts, htmlFacts } from './html-facts.js';
import { mjmlTemplates } from './mjml-templates.js';

/** Made by scripts/mjml-oracle.mjs from the npm package `mjml` 5.4.1, which is no dependency: it has some 150 packages. */
const golden = new Map(Object.entries(JSON.parse(readFileSync('test/golden/mjml.json', 'utf8')) as Record<string, HtmlFacts>));
const compile = createMjmlCompiler(system.clock);

async function htmlOfMjml(mjml: string): Promise<string> {
  const compiled = await compile(mjml);
  if (!('html' in compiled)) throw new Error(JSON.stringify(compiled.problems));
  return compiled.html;
}

describe('MJML of the common structures', () => {
  for (const [name, mjml] of Object.entries(mjmlTemplates))
    it(`has the texts, attributes and links that the package mjml gives: ${name}`, async () => {
      expect(htmlFacts(await htmlOfMjml(mjml))).to.deep.equal(golden.get(name));
    });

  it('is kept to the character where it is HTML or Liquid', async () => {
    const kept = [
      '<p style="\ncolor: #fff;\n">x</p>',
      '{% if data.a < 5 %}LT{% endif %}',
      '{{ "<" }}',
      '5 < 6',
      '<a href="?a=1&b=2">&amp;</a>',
      'it\'s "so"',
    ];
    for (const content of kept)
      for (const name of ['mj-text', 'mj-button', 'mj-raw', 'mj-table']) {
        const html = await htmlOfMjml(
          `<mjml><mj-body><mj-section><mj-column><${name}>${content}</${name}></mj-column></mj-section></mj-body></mjml>`,
        );
        expect(html, name).to.include(content);
      }
  });

  it('comes back, and has the same lines, when parts of it are taken out', () => {
    for (const mjml of Object.values(mjmlTemplates)) {
      const masked = maskedMjml(mjml);
      expect(masked.restore(masked.mjml).replace(/\s+/g, '')).to.equal(mjml.replace(/\s+/g, ''));
    }
    const source = '<mj-text>a\n<b>\n{{ "x" }}</b></mj-text>\n<mj-txt/>';
    expect(maskedMjml(source).mjml.split('\n').length).to.equal(4);
  });
});
