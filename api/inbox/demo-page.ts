import type { HttpResponse } from '../http/route.js';
import { html } from '../pages/html.js';
import { hashed } from '../pages/html-page.js';

export const DEMO_INBOX_PATH = '/demo/inbox';
export const DEMO_SCRIPT_PATH = '/demo/inbox.js';

/** Light or dark by the reader's system setting; readable at any width. */
const STYLE = hashed(`
:root { color-scheme: light dark; --ground: #f4f6f9; --card: #fff; --text: #1d2430; --soft: #4a5364; --line: #d5dae2; --accent: #0b5fc0; --on: #fff; --box: #f4f6f9; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12161d; --card: #1b212b; --text: #e2e7ef; --soft: #b3bdcc; --line: #3a4557; --accent: #9dbcff; --on: #0d1526; --box: #12161d; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header { background: var(--card); border-bottom: 1px solid var(--line); }
header > div { max-width: 46rem; min-height: 60px; margin: 0 auto; padding: 0 1rem; display: flex; align-items: center; gap: 1.25rem; }
.brand { font-weight: 700; margin-right: auto; }
.bell { min-width: 44px; min-height: 44px; display: inline-grid; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1rem, 4vw, 2.5rem) 1rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 0.75rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 0.5rem; }
p { margin: 0 0 1rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: clamp(1rem, 4vw, 1.75rem); margin-top: 1.25rem; }
section > :last-child { margin-bottom: 0; }
a { color: var(--accent); text-underline-offset: 0.15em; padding: 0.5rem 0; }
p a { padding: 0; }
.soft { color: var(--soft); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-bottom: 1rem; }
button.send { font: inherit; font-weight: 600; min-height: 3rem; padding: 0.6rem 1.4rem; border-radius: 8px; border: 2px solid var(--accent); background: var(--accent); color: var(--on); cursor: pointer; }
button.second { background: transparent; color: var(--accent); }
button.send:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
ol { list-style: none; margin: 0; padding: 0; }
li { display: flex; align-items: baseline; gap: 0.75rem; padding: 0.4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li:first-child { border-top: 0; }
li .number { flex: none; min-width: 2.5rem; color: var(--soft); font-variant-numeric: tabular-nums; }
li code { flex: none; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
pre { margin: 0 0 1rem; padding: 0.8rem 0.9rem; background: var(--box); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; line-height: 1.5; }
@media (max-width: 30rem) { button.send { width: 100%; } }
@media (forced-colors: active) { button.send { border-color: ButtonText; } }
`);

/** Scripts of this service alone; the address has no secret. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE.source}; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'no-store',
};

const IN_A_PAGE = (url: string): string => `<script src="${url}/inbox.js" data-token-url="/inbox-token"></script>`;
const BY_A_PROGRAM = (url: string): string => `curl ${url}/v1/messages/send -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"to":"CONTACT","channel":"in_app","title":"Hello","message":"From my own program"}'`;

/** The page of a site that shows the inbox of a reader. `url`: of this service. */
export const demoInboxPage = (url: string): HttpResponse<string> => ({
  status: 200,
  headers: HEADERS,
  body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>The inbox at work · Heliograph</title>
<style>${STYLE.css}</style>
<script src="/inbox.js" defer></script>
<script src="${DEMO_SCRIPT_PATH}" defer></script>
</head>
<body>
<header><div><span class="brand">Heliograph demo</span><nav aria-label="Documentation"><a href="/docs/guides/inbox">Guide</a></nav><span class="bell" id="bell"></span></div></header>
<main>
<h1>The inbox at work</h1>
<p>The bell above is the inbox of a made-up contact of the demo account. Send it a message: it appears at once, in every window that has this page.</p>
<noscript><p>The inbox is shown by a script, which this browser does not run.</p></noscript>
<section aria-labelledby="send">
<h2 id="send">Send a message</h2>
<div class="actions"><button type="button" class="send" data-count="1">Send a message</button><button type="button" class="send second" data-count="3">Send three</button></div>
<p role="status" id="status" class="soft">Nothing sent yet.</p>
</section>
<section aria-labelledby="events">
<h2 id="events">What the page receives</h2>
<p class="soft" id="none">The events of the stream, newest first.</p>
<ol id="log"></ol>
</section>
<section aria-labelledby="own">
<h2 id="own">In your own page, by your own program</h2>
<pre tabindex="0"><code>${IN_A_PAGE(url)}</code></pre>
<pre tabindex="0"><code id="curl">${BY_A_PROGRAM(url)}</code></pre>
<p class="soft">Your server answers <code>/inbox-token</code> with a token for whoever is signed in. The <a href="/docs/guides/inbox">guide</a> shows how.</p>
</section>
</main>
</body>
</html>
`.text,
});
