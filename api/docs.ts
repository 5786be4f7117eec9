import { createHash } from 'node:crypto';
import { type ApiDescription, accessDescriptions, bodyLimitOf, errorCodesOf, groupByTag, tagDescriptions } from './description.js';
import { conventions, errorSection, type Section } from './docs/conventions.js';
import { fieldTable } from './docs/fields.js';
import { style } from './docs/style.js';
import { errorKind } from './errors.js';
import { Html, html, line, markdown, pre } from './kernel/html.js';
import { windowText } from './kernel/rate-limits.js';
import type { AnyRoute } from './kernel/route.js';
import type { UnversionedPage } from './kernel/server-options.js';

/** No resource is loaded and no script runs; the style is allowed by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `GET /docs`: the whole API on one page, generated from the routes. */
export function docsPage(api: ApiDescription): UnversionedPage {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'public, max-age=300',
  };
  let body: string | null = null;
  return {
    path: '/docs',
    read: () => {
      body ??= docsHtml(api);
      return { status: 200, body, headers };
    },
  };
}

export function docsHtml(api: ApiDescription): string {
  const groups = groupByTag(api.routes);
  const first = conventions(api);
  const last = errorSection();
  const contents = nav([...first, last], groups);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heliograph API</title>
<style>${styleSheet}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<details class="narrow"><summary><span class="brand">Heliograph API</span> · contents</summary><nav aria-label="Contents">${contents}</nav></details>
<div class="page">
<nav class="wide" aria-label="Contents"><span class="brand">Heliograph API</span>${contents}</nav>
<main id="content">
<h1>Heliograph API</h1>
<p class="lead">Messages over six channels, with an exact record of what happened to each and why.</p>
<p>For programs: <a href="/v1/openapi.json">OpenAPI 3.1</a>. Base address: <code>${api.publicUrl}</code>. Version ${api.version}.</p>
${first.map(section)}
${groups.map(([tag, routes]) => capability(tag, routes, api))}
${section(last)}
</main>
</div>
</body>
</html>
`.text;
}

/** Not escaped: it is a constant, and its hash is in the policy. */
const styleSheet = new Html(style);

function nav(sections: readonly Section[], groups: readonly [string, AnyRoute[]][]): Html {
  const entry = (href: string, text: Html | string): Html => html`<li><a href="#${href}">${text}</a></li>`;
  return html`<strong>Basics</strong><ul>${sections.map(({ id, title }) => entry(id, title))}</ul>
${groups.map(
  ([tag, routes]) =>
    html`<strong>${tag}</strong><ul>${routes.map((r) =>
      entry(r.operationId, html`<span class="method ${r.method}">${r.method}</span><span>${r.path.replace(/^\/v1/, '')}</span>`),
    )}</ul>`,
)}`;
}

const section = ({ id, title, body }: Section): Html => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

const capability = (tag: string, routes: readonly AnyRoute[], api: ApiDescription): Html =>
  section({
    id: `tag-${tag}`,
    title: tag.charAt(0).toUpperCase() + tag.slice(1),
    body: html`${tagDescriptions[tag] ? html`<p>${tagDescriptions[tag]}</p>` : null}${routes.map((r) => operation(r, api))}`,
  });

function operation(r: AnyRoute, api: ApiDescription): Html {
  const id = r.operationId;
  const { limit, windowSeconds } = api.limits[r.limit];
  const size = r.body ? ` Body of at most ${bytesText(bodyLimitOf(r))}.` : '';
  return html`<article aria-labelledby="${id}">
<h3 id="${id}">${r.summary}<a class="anchor" href="#${id}" aria-label="Link to ${r.summary}">#</a></h3>
<p class="call"><span class="method ${r.method}">${r.method}</span><code>${r.path}</code></p>
${r.description ? markdown(r.description) : null}
<p class="terms">${line(accessDescriptions[r.access])} ${limit.toLocaleString('en')} requests in ${windowText(windowSeconds)}.${size}</p>
${pre('curl', curl(r, api))}
${part('Path', fieldTable(`Path parameters of ${r.summary}`, r.params))}
${part('Query', fieldTable(`Query parameters of ${r.summary}`, r.query))}
${part('Body', fieldTable(`Body of ${r.summary}`, r.body))}
${Object.entries(r.responses).map(([status, answer]) => responseHtml(r, status, answer, api.examples.operations[r.operationId]?.responses[status]))}
${errors(r)}
</article>`;
}

const part = (title: string, content: Html | null): Html | null => content && html`<h4>${title}</h4>${content}`;

function responseHtml(r: AnyRoute, status: string, { description, schema }: AnyRoute['responses'][number], example: unknown): Html {
  return html`<h4>Response ${status}</h4>${markdown(description)}
${example === undefined ? null : pre('Example', typeof example === 'string' ? example : JSON.stringify(example, null, 2))}
${schema ? fieldTable(`Response ${status} of ${r.summary}`, schema, false) : null}`;
}

function errors(r: AnyRoute): Html {
  const codes = errorCodesOf(r).sort((a, b) => errorKind(a).status - errorKind(b).status);
  return html`<h4>Errors</h4><ul class="codes">${codes.map(
    (code) => html`<li><a href="#error-${code}"><code>${errorKind(code).status} ${code}</code></a></li>`,
  )}</ul>`;
}

/** A command line for the request of the recorded example; path parameters are variables. */
export function curl(r: AnyRoute, { publicUrl: baseUrl, examples }: Pick<ApiDescription, 'publicUrl' | 'examples'>): string {
  const body = examples.operations[r.operationId]?.body;
  const path = r.path.replace(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`);
  const parts = [`curl ${r.path.includes('/:') ? `"${baseUrl}${path}"` : `${baseUrl}${path}`}`];
  if (r.method !== 'GET' && !(r.method === 'POST' && body !== undefined)) parts[0] = `curl -X ${r.method} ${parts[0]?.slice(5)}`;
  if (r.access === 'operator') parts.push('-H "Authorization: Bearer $HELIOGRAPH_OPERATOR_TOKEN"');
  else if (r.access !== 'public') parts.push('-H "X-API-Key: $HELIOGRAPH_KEY"');
  if (body !== undefined) {
    parts.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  }
  return parts.join(' \\\n  ');
}

const bytesText = (bytes: number): string =>
  bytes >= 1_048_576 ? `${Math.round(bytes / 104_857.6) / 10} MB` : `${Math.round(bytes / 102.4) / 10} kB`;
