// Compares our MJML with the npm package `mjml`, which is no dependency since it has some 150 packages.
//
//   npm run build
//   mkdir -p /tmp/oracle && npm install --prefix /tmp/oracle mjml@5 playwright-core pixelmatch pngjs
//   node scripts/mjml-oracle.mjs /tmp/oracle                      writes test/golden/mjml.json, which the specs compare with
//   node scripts/mjml-oracle.mjs /tmp/oracle --pictures FOLDER    compares pictures in Chromium (CHROMIUM: its program)
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMjmlCompiler } from '../dist/ops/app/threads/mjml-compiler.js';
import { system } from '../dist/test/support/system.js';
import { htmlFacts } from '../dist/test/templates/html-facts.js';
import { mjmlTemplates } from '../dist/test/templates/mjml-templates.js';

const [folder, option, pictures] = process.argv.slice(2);
if (folder === undefined || (option !== undefined && (option !== '--pictures' || pictures === undefined))) {
  console.error('Usage: node scripts/mjml-oracle.mjs FOLDER [--pictures FOLDER]. The first folder has the package mjml.');
  process.exit(2);
}
const require = createRequire(join(resolve(folder), 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
/** Widths of a screen and of a phone, in pixels. */
const WIDTHS = [700, 360];
/** A picture of this part of other pixels is another one. Text may be smoothed otherwise. */
const ALLOWED = 0.001;

const mjml = (await load('mjml')).default;
const compile = createMjmlCompiler(system.clock);
const oracle = async (text) => (await mjml(text, { validationLevel: 'skip', fonts: {} })).html;

if (option === undefined) {
  const facts = {};
  for (const [name, text] of Object.entries(mjmlTemplates)) facts[name] = htmlFacts(await oracle(text));
  writeFileSync('test/golden/mjml.json', `${JSON.stringify(facts, null, 2)}\n`);
  console.log(`${Object.keys(facts).length} templates, mjml ${require('mjml/package.json').version}`);
} else await comparePictures(pictures);

async function comparePictures(to) {
  mkdirSync(to, { recursive: true });
  const { chromium } = (await load('playwright-core')).default;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  // Nothing is fetched: images and fonts of both are those of a mail program that blocks them.
  const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
  let different = 0;
  for (const [name, text] of Object.entries(mjmlTemplates)) {
    const compiled = await compile(text);
    for (const width of WIDTHS) {
      const [ours, theirs] = [await picture(context, compiled.html, width), await picture(context, await oracle(text), width)];
      const share = await difference(ours, theirs);
      if (share <= ALLOWED) continue;
      different++;
      const file = join(to, `${name.replaceAll(/\W+/g, '-')}-${width}`);
      writeFileSync(`${file}-ours.png`, ours);
      writeFileSync(`${file}-mjml.png`, theirs);
      console.log(`${name}, ${width} px: ${(100 * share).toFixed(2)} % of the pixels differ, see ${file}-*.png`);
    }
  }
  await browser.close();
  console.log(`${Object.keys(mjmlTemplates).length} templates at ${WIDTHS.join(' and ')} px: ${different} pictures differ`);
  process.exitCode = different > 0 ? 1 : 0;
}

async function picture(context, html, width) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 800 });
  await page.setContent(html, { waitUntil: 'domcontentloaded' });
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  return png;
}

/** The share of the pixels that differ; 1 for pictures of different sizes. */
async function difference(a, b) {
  const { PNG } = (await load('pngjs')).default;
  const pixelmatch = (await load('pixelmatch')).default;
  const [one, other] = [PNG.sync.read(a), PNG.sync.read(b)];
  if (one.width !== other.width || one.height !== other.height) return 1;
  return pixelmatch(one.data, other.data, null, one.width, one.height, { threshold: 0.1 }) / (one.width * one.height);
}
