import type { Entropy } from '../../domain/kernel/entropy.js';
import type { UnversionedPage } from '../http/server/server-options.js';
import { compressedAnswer } from '../pages/compressed.js';
import { Html, html } from '../pages/html.js';
import type { DocsFiles } from './files.js';
import { referenceStyle } from './style.js';

const SCRIPT = '/docs/reference.js';

/**
 * Only the scripts with the nonce of the page run, and they reach this service only. The renderer adds style sheets and `style` attributes as it
 * goes, not all of them with the nonce; they load nothing, since `img-src` names nobody else and fonts are not allowed.
 */
const policyOf = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Settings of the renderer: nothing is loaded from elsewhere, and keys stay in the memory of the page. */
const SETTINGS = {
  url: '/v1/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'ApiKeyAuth' },
} as const;

/** `GET /docs`: the API reference, which its script renders from `/v1/openapi.json`. */
export function referencePages({ scriptHash, script }: DocsFiles, entropy: Entropy): UnversionedPage[] {
  const page: UnversionedPage = {
    path: '/docs',
    read: () => {
      const nonce = Buffer.from(entropy.bytes(16)).toString('base64');
      const headers = {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policyOf(nonce),
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      };
      return { status: 200, body: pageHtml(nonce, scriptHash), headers };
    },
  };
  const file: UnversionedPage = {
    path: SCRIPT,
    read: (request) =>
      compressedAnswer(request, script, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
  };
  return [page, file];
}

/**
 * The addresses of requests and samples are those of the page, so that they work behind any name. Besides, names what the renderer leaves
 * without a name for screen readers: buttons that copy, and fields for texts.
 */
const START = `
  const name = () => {
    name.waits = false;
    for (const button of document.querySelectorAll('button.scalar-code-copy:not([aria-label])')) button.setAttribute('aria-label', 'Copy');
    for (const field of document.querySelectorAll('[contenteditable][role="combobox"]:not([aria-label])')) {
      field.setAttribute('aria-label', field.dataset.placeholder || 'Value');
      if (!field.hasAttribute('aria-expanded')) field.setAttribute('aria-expanded', 'false');
      if (!field.hasAttribute('aria-controls')) field.setAttribute('aria-controls', 'reference');
    }
  };
  new MutationObserver(() => {
    if (!name.waits) requestAnimationFrame(name);
    name.waits = true;
  }).observe(document.body, { childList: true, subtree: true });
  Scalar.createApiReference('#reference', { ...${JSON.stringify(SETTINGS)}, servers: [{ url: location.origin }] });
`;

function pageHtml(nonce: string, scriptHash: string): string {
  const [style, start] = [new Html(referenceStyle), new Html(START)];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Heliograph API reference</title>
<style>${style}</style>
</head>
<body>
<header class="bar"><a class="brand" href="/docs">Heliograph</a><nav aria-label="Documentation"><a href="/docs" aria-current="page">Reference</a><a href="/docs/guides">Guides</a><a href="/v1/openapi.json">OpenAPI</a></nav></header>
<noscript><p>The reference needs JavaScript. <a href="/v1/openapi.json">/v1/openapi.json</a> describes the same API, and the <a href="/docs/guides">guides</a> need no script.</p></noscript>
<div id="reference"></div>
<script nonce="${nonce}" src="${SCRIPT}?${scriptHash}"></script>
<script nonce="${nonce}">${start}</script>
</body>
</html>
`.text;
}
