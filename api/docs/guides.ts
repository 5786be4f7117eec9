import { createHash } from 'node:crypto';
import { Marked } from 'marked';
import Negotiator from 'negotiator';
import { DomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { ApiDescription } from '../http/description.js';
import type { UnversionedPage } from '../http/server/server-options.js';
import { escapedHtml, Html, html } from '../pages/html.js';
import { type GuideName, guides } from './guide-names.js';
import { inserts } from './inserts.js';
import { guideStyle } from './style.js';

/** No resource is loaded and no script runs; the style is allowed by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(guideStyle).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
};
const INSERT = /<!-- insert: ([a-z-]+) -->/g;
const names = Object.keys(guides) as GuideName[];

/** The text of a heading as a part of an address. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Files link to each other by their names, so that the links work where the files are read as they are, too. */
const linkOf = (href: string): string =>
  href.replace(
    /^(?:\.\.\/)?([a-z-]+)\.md(#.*)?$/,
    (_, name, part = '') => `${name === 'webhooks' && href.startsWith('..') ? 'verifying-webhooks' : name}${part}`,
  );

const createParser = (): Marked =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escapedHtml(text)}</code></pre>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapedHtml(linkOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
/** The headings of a table, without markup. */
const columnsOf = (table: string): string =>
  [...table.matchAll(/<th>([\s\S]*?)<\/th>/g)].map(([, text = '']) => text.replace(/<[^>]*>/g, '')).join(', ');
const TABLE = /<table>[\s\S]*?<\/table>/g;

/** The HTML of a guide. Base address and header names are those of this installation. */
export function guideHtml(text: string, api: ApiDescription): string {
  const own = text.replaceAll('http://127.0.0.1:3000', api.publicUrl).replace(/\bX-Service-/g, `X-${api.headerPrefix}-`);
  let tables = 0;
  const rendered = (createParser().parse(own) as string).replace(
    TABLE,
    (table) => `<div class="scroll" role="region" aria-label="Table ${++tables}: ${columnsOf(table)}" tabindex="0">${table}</div>`,
  );
  return rendered.replace(INSERT, (_, name: string) => {
    const insert = ownField(inserts, name);
    if (!insert) throw new Error(`there is nothing to insert with the name ${name}`);
    return insert(api).text;
  });
}

/** `GET /docs/guides` and one page for each guide. */
export function guidePages(texts: ReadonlyMap<string, string>, api: ApiDescription): UnversionedPage[] {
  const page = (path: string, make: () => string): UnversionedPage => {
    let body: string | null = null;
    return {
      path,
      read: () => {
        body ??= make();
        return { status: 200, body, headers: HEADERS };
      },
    };
  };
  const textOf = (name: GuideName): string => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`the guide ${name} is missing`);
    return text;
  };
  return [
    page('/docs/guides', () => layout(null, contents())),
    ...names.map((name) => page(`/docs/guides/${name}`, () => layout(name, new Html(guideHtml(textOf(name), api))))),
  ];
}

/** What there is no page for: a page that says so for browsers, an error in JSON for others. */
export const missingPage: UnversionedPage = {
  path: '/docs/*path',
  read: (request) => {
    if (new Negotiator(request).mediaType(['application/json', 'text/html']) !== 'text/html')
      throw new DomainError('not_found', 'There is no page at this path.', { resource: 'page' });
    const body = layout(null, html`<h1>There is no such page</h1><p>Perhaps it has another name now.</p>${cards()}`, 'Not found · Heliograph');
    return { status: 404, body, headers: { ...HEADERS, 'Cache-Control': 'no-store', Vary: 'Accept' } };
  },
};

const contents = (): Html => html`<h1>Guides</h1>
<p>How to use Heliograph, one subject a page. The <a href="/docs">reference</a> has every operation with its fields.</p>
${cards()}`;

const cards = (): Html =>
  html`<ul class="cards">${names.map((name) => html`<li><a href="/docs/guides/${name}">${guides[name].title}</a><p>${guides[name].about}</p></li>`)}</ul>`;

const titleOf = (name: GuideName | null): string => (name === null ? 'Heliograph guides' : `${guides[name].title} · Heliograph`);

function layout(name: GuideName | null, content: Html, title = titleOf(name)): string {
  const style = new Html(guideStyle);
  const current = new Html(' aria-current="page"');
  const list = html`<ul>${names.map((one) => html`<li><a href="/docs/guides/${one}"${one === name && current}>${guides[one].title}</a></li>`)}</ul>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="bar"><a class="brand" href="/docs">Heliograph</a><nav aria-label="Documentation"><a href="/docs">Reference</a><a href="/docs/guides"${current}>Guides</a><a href="/v1/openapi.json">OpenAPI</a></nav></header>
<details class="narrow"><summary>All guides</summary><nav class="guides" aria-label="Guides, short">${list}</nav></details>
<div class="page">
<nav class="guides wide" aria-label="Guides">${list}</nav>
<main id="content">
${content}
${name && neighbors(name)}
</main>
</div>
</body>
</html>
`.text;
}

function neighbors(name: GuideName): Html {
  const at = names.indexOf(name);
  const link = (one: GuideName | undefined, text: (title: string) => string) =>
    one && html`<a href="/docs/guides/${one}">${text(guides[one].title)}</a>`;
  return html`<nav class="turn" aria-label="Next guides">${link(names[at - 1], (t) => `← ${t}`) || html`<span></span>`}${link(names[at + 1], (t) => `${t} →`) || null}</nav>`;
}
