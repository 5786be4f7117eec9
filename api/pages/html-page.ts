import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../../domain/kernel/languages.js';
import type { ErrorPage, HttpResponse } from '../http/route.js';
import { type ErrorPageStatus, type ErrorTexts, errorTexts } from './error-texts.js';
import { Html, html } from './html.js';
import { accentVariables, CARD } from './page-colors.js';
import { pageLanguage, queryOfTarget } from './page-language.js';

/**
 * The style sheet of all public pages, beside the colors of the account. Light or dark by the reader's system setting; readable on a small screen; text has a
 * contrast of 4.5:1 or more whatever the account's color is, and buttons are large enough for a thumb.
 */
const STYLE = `
:root { color-scheme: light dark; --ground: #f4f6f9; --card: ${CARD.light}; --text: #1d2430; --soft: #4a5364; --line: #8490a3; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12161d; --card: ${CARD.dark}; --text: #e2e7ef; --soft: #b3bdcc; --line: #6d7a8e; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: clamp(1.25rem, 6vw, 4rem) 1rem; }
.logo { display: block; max-width: min(12rem, 100%); max-height: 4rem; margin: 0 0 1.25rem; }
.card { background: var(--card); border-radius: 12px; padding: clamp(1.25rem, 5vw, 2.25rem); }
.from { margin: 0 0 0.25rem; color: var(--soft); overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
p, form { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
p:last-child, form:last-child { margin-bottom: 0; }
.status { border-left: 4px solid var(--accent); padding-left: 0.9rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: 0.35rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: center; min-height: 2.75rem; padding: 0.35rem 0; }
.choice input { width: 1.35rem; height: 1.35rem; margin: 0; accent-color: var(--accent); }
.choice small { grid-column: 2; color: var(--soft); font-size: 0.95rem; }
button { font: inherit; font-weight: 600; color: var(--on); background: var(--fill); border: 2px solid var(--accent); border-radius: 8px; padding: 0.6rem 1.4rem; min-height: 3rem; cursor: pointer; }
button:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
@media (max-width: 30rem) { button { width: 100%; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

/** The colors of an account: short, since it is hashed for each of its pages. */
const accentStylesOf = (color: string | null): string =>
  `:root { ${accentVariables(color, 'light')} } @media (prefers-color-scheme: dark) { :root { ${accentVariables(color, 'dark')} } }`;

/** A style sheet, and the source in the Content-Security-Policy that allows it. */
export interface StyleSheet {
  readonly css: Html;
  readonly source: string;
}
/** A style sheet of a kind of page, as constant text. */
export const hashed = (css: string): StyleSheet => ({ css: new Html(css), source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` });
const BASE_STYLE = hashed(STYLE);
const DEFAULT_COLORS = hashed(accentStylesOf(null));

/**
 * No scripts, nothing from elsewhere but the account's logo, no frames, no caching and no indexing. Links send no referrer,
 * because the address of a page is a credential.
 */
const headersOf = (
  colors: StyleSheet,
  logoUrl: string | null,
  { style, script, frames, leads = false }: PageExtras = {},
): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    ["default-src 'none'; style-src", BASE_STYLE.source, colors.source, ...(style ? [style.source] : [])].join(' '),
    ...(logoUrl === null ? [] : [`img-src ${new URL(logoUrl).origin}`]),
    ...(script === undefined ? [] : ["script-src 'self'; connect-src 'self'"]),
    `form-action 'self'${leads ? ' https: http:' : ''}; base-uri 'none'; frame-ancestors ${frames ?? "'none'"}`,
  ].join('; '),
  // A page with extras has no secret in its address. Without any referrer, browsers send forms from the origin `null`.
  'Referrer-Policy': style ? 'strict-origin-when-cross-origin' : 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  ...(frames === undefined && { 'X-Frame-Options': 'DENY' }),
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
});

/** What a page has beyond a card with text. */
export interface PageExtras {
  readonly style?: StyleSheet;
  /** Path of a script of this service. The page works without it. */
  readonly script?: string;
  /** Who may frame the page: the value of `frame-ancestors`. Default: nobody. */
  readonly frames?: string;
  /** Whether a form of the page leads to other sites. */
  readonly leads?: boolean;
}

/** The account that sends the messages. */
export interface PageSender {
  readonly name: string;
  /** https. */
  readonly logo_url: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
}

export interface PageContent {
  readonly title: string;
  /** For the title of the window, if it says more than the heading. */
  readonly documentTitle?: string;
  readonly language: Language;
  /** Null on pages of nobody, such as that of an invalid link. */
  readonly sender: PageSender | null;
  readonly body: Html;
  readonly status?: number;
  readonly extras?: PageExtras;
}

/** A page for people: one card, one heading, no script. */
export function htmlPage({ title, documentTitle = title, language, sender, body, status = 200, extras }: PageContent): HttpResponse<string> {
  const colors = sender === null || sender.color === null ? DEFAULT_COLORS : hashed(accentStylesOf(sender.color));
  const logo = sender?.logo_url ?? null;
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${sender === null ? documentTitle : `${documentTitle} – ${sender.name}`}</title>
<style>${BASE_STYLE.css}</style>
<style>${colors.css}</style>${
    extras?.style
      ? html`
<style>${extras.style.css}</style>`
      : null
  }${
    extras?.script === undefined
      ? null
      : html`
<script src="${extras.script}" defer></script>`
  }
</head>
<body>
<main>
<div class="card">
${logo === null ? null : html`<img class="logo" src="${logo}" alt="">`}
${sender === null ? null : html`<p class="from">${sender.name}</p>`}
<h1>${title}</h1>
${body}
</div>
</main>
</body>
</html>
`.text;
  return { status, headers: headersOf(colors, logo, extras), body: text };
}

interface ErrorSender extends PageSender {
  readonly locale: Language;
}

/** What an error page has of its own. */
interface ErrorPageOptions {
  readonly sender?: ErrorSender | null;
  /** Texts in place of the usual ones. */
  readonly texts?: Readonly<Record<Language, ErrorTexts>>;
  readonly extras?: PageExtras;
}

interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** Path and query. */
  readonly url?: string | undefined;
}

/** Renders an error response as a page, with its status and headers, in the language of the reader's browser. */
export function errorPage(
  refusal: HttpResponse,
  { headers, url }: PageRequest,
  { sender = null, texts: own, extras }: ErrorPageOptions = {},
): HttpResponse {
  const language = pageLanguage({ headers, query: queryOfTarget(url) }, { fallback: sender?.locale });
  const texts = { ...errorTexts[language], ...own?.[language] };
  const { title, text } = texts[refusal.status as ErrorPageStatus] ?? texts.other;
  const answer = htmlPage({ title, language, sender, status: refusal.status, body: html`<p>${text}</p>`, ...(extras && { extras }) });
  return { ...answer, headers: { ...refusal.headers, ...answer.headers } };
}

/** Answers about the link itself. For others, such as too many requests, nothing is looked up. */
const ABOUT_THE_LINK: ReadonlySet<number> = new Set([404, 409]);

/** The same for links whose `:token` names an account, such as one that has expired: it looks like the account's other pages. */
export const errorPageOf =
  (senderOf: (token: string) => Promise<ErrorSender | null>): ErrorPage =>
  async (refusal, { headers, url, params: { token = '' } }) => {
    const sender = ABOUT_THE_LINK.has(refusal.status) ? await senderOf(token).catch(() => null) : null;
    return errorPage(refusal, { headers, url }, { sender });
  };
