import { createHash } from 'node:crypto';
import { Html, html } from './html.js';
import type { HttpResponse } from './route.js';

/**
 * The only style sheet of public pages. Light or dark by the reader's system setting; readable on a small screen; all
 * text has a contrast of 7:1 or more, and buttons are large enough for a thumb.
 */
const style = `
:root { color-scheme: light dark; --ground: #f4f6f9; --card: #fff; --text: #1d2430; --soft: #4a5364; --line: #8490a3; --accent: #0a4f9e; --on: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12161d; --card: #1a2029; --text: #e2e7ef; --soft: #b3bdcc; --line: #6d7a8e; --accent: #8fc0ff; --on: #10151c; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: clamp(1.25rem, 6vw, 4rem) 1rem; }
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
button { font: inherit; font-weight: 600; color: var(--on); background: var(--accent); border: 2px solid transparent; border-radius: 8px; padding: 0.6rem 1.4rem; min-height: 3rem; cursor: pointer; }
button:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
@media (max-width: 30rem) { button { width: 100%; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;
const styleSheet = new Html(style);
const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * No scripts, no external resources, no frames, no caching and no indexing. Links send no referrer,
 * because the address of a page is a credential.
 */
const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

export interface PageContent {
  readonly title: string;
  /** Name of the account that sends the messages. */
  readonly sender: string | null;
  readonly body: Html;
  readonly status?: number;
}

/** A page for people: one card, one heading, no script. */
export function htmlPage({ title, sender, body, status = 200 }: PageContent): HttpResponse<string> {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${sender === null ? title : `${title} – ${sender}`}</title>
<style>${styleSheet}</style>
</head>
<body>
<main>
<div class="card">
${sender === null ? null : html`<p class="from">${sender}</p>`}
<h1>${title}</h1>
${body}
</div>
</main>
</body>
</html>
`.text;
  return { status, headers, body: text };
}

/** Texts of error pages by status. */
const errorTexts: Readonly<Record<number, { readonly title: string; readonly text: string }>> = {
  404: {
    title: 'This link does not work',
    text: 'It may have been truncated when it was copied. Open it again from the message.',
  },
  429: {
    title: 'Too many requests',
    text: 'There were too many requests from your network. Wait a minute and try again.',
  },
  500: { title: 'Something went wrong', text: 'It is our fault. Try again in a moment; doing so twice does no harm.' },
  503: { title: 'Not available just now', text: 'Try again in a moment; doing so twice does no harm.' },
};

/** Renders an error response as a page, with its status and headers. */
export function errorPage(refusal: HttpResponse): HttpResponse {
  const { message } = (refusal.body ?? {}) as { message?: string };
  const { title, text } = errorTexts[refusal.status] ?? { title: 'This did not work', text: message ?? 'Try again.' };
  const answer = htmlPage({ title, sender: null, status: refusal.status, body: html`<p>${text}</p>` });
  return { ...answer, headers: { ...refusal.headers, ...answer.headers } };
}
