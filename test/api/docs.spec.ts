import { expect } from 'chai';
import { type GuideName, guides } from '../../api/docs/guide-names.js';
import { guideHtml } from '../../api/docs/guides.js';
import { docsPages } from '../../api/docs/pages.js';
import { rateLimits } from '../../api/http/access/rate-limits.js';
import type { ApiDescription } from '../../api/http/description.js';
import { errorTable } from '../../api/http/errors.js';
import { DEMO_INBOX_PATH } from '../../api/inbox/demo-page.js';
import { recordedExamples } from '../../api/openapi/recorded-examples.js';
import { behaviorNames, behaviors } from '../../carriers/sandbox/behaviors.js';
import { statusNames, statusReasons } from '../../domain/messages/status.js';
import { platformEventNames } from '../../domain/webhooks/platform-events.js';
import { loadDocsFiles } from '../../ops/app/docs-files.js';
import { systemEntropy } from '../../ops/system/entropy.js';
import { boardRoutes, startTestServer } from './support.js';

const files = loadDocsFiles();
const api: ApiDescription = {
  routes: boardRoutes(),
  limits: { ...rateLimits, send: { limit: 4_321, windowSeconds: 7 } },
  publicUrl: 'https://api.example.com',
  headerPrefix: 'Acme',
  version: '1.2.3',
  examples: recordedExamples,
};
const names = Object.keys(guides) as GuideName[];
const textOf = (name: GuideName): string => files.guides.get(name) ?? '';
const page = (name: GuideName): string => guideHtml(textOf(name), api);

describe('the guides', () => {
  it('are all there, each with its title', () => {
    expect([...files.guides.keys()].sort()).to.deep.equal([...names].sort());
    for (const name of names) expect(textOf(name)).to.match(new RegExp(`^# ${guides[name].title}\n`));
  });

  it('link to guides and headings that exist', () => {
    const ids = new Map(names.map((name) => [name as string, new Set([...page(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
    for (const name of names)
      for (const [, target = ''] of page(name).matchAll(/href="([^"]+)"/g)) {
        if (target.startsWith('https://') || target === DEMO_INBOX_PATH) continue;
        const [file = '', part] = target.split('#');
        const there = ids.get(file === '' ? name : file);
        expect(there, `${name}: ${target}`).to.be.instanceOf(Set);
        if (part !== undefined) expect([...(there ?? [])], `${name}: ${target}`).to.include(part);
      }
  });

  it('have the address, the header names and the limits of this installation', () => {
    expect(page('first-message')).to.include('export URL=https://api.example.com');
    expect(page('webhooks')).to.include('X-Acme-Signature').and.not.include('X-Service-');
    expect(page('rate-limits')).to.include('<td>4,321</td><td>7 seconds</td>');
  });

  it('name every status, reason, error, event and sandbox recipient', () => {
    for (const name of statusNames) expect(page('statuses')).to.include(`>${name}</text>`).and.include(`<code>${name}</code>`);
    for (const reason of statusReasons) expect(page('statuses')).to.include(`<td><code>${reason}</code></td>`);
    for (const code of Object.keys(errorTable)) expect(page('errors')).to.include(`<code id="${code}">`);
    for (const event of platformEventNames) expect(page('webhooks')).to.include(`<code>${event}</code>`);
    const recipients = behaviorNames.flatMap((name) => behaviors[name].recipients as readonly string[]);
    for (const recipient of recipients) expect(page('sandbox')).to.include(`<code>${recipient}</code>`);
  });

  it('hold no script, and nothing from elsewhere', () => {
    for (const name of names) expect(page(name)).not.to.match(/<script|<link|<img|<iframe|\ssrc="|style="|\son\w+="/);
  });
});

describe('the documentation over HTTP', () => {
  const started = startTestServer({ routes: boardRoutes(), pages: docsPages(api, files, systemEntropy) });
  after(async () => (await started).close());
  const get = async (path: string, headers: Record<string, string> = {}) => fetch((await started).url + path, { headers, redirect: 'manual' });

  it('has a reference whose scripts carry a nonce of their own each time', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const answer = await get('/docs');
      const text = await answer.text();
      const policy = answer.headers.get('content-security-policy') ?? '';
      const nonce = /script-src 'nonce-([^']+)';/.exec(policy)?.[1] ?? '';
      expect(policy)
        .to.match(/^default-src 'none';/)
        .and.not.match(/https?:|\*|unsafe-eval/);
      expect(policy).not.to.match(/script-src[^;]*unsafe/);
      for (const [tag] of text.matchAll(/<script[^>]*>/g)) expect(tag).to.include(`nonce="${nonce}"`);
      expect(text).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(2);
  });

  it('serves the script of the reference compressed, and plain to who asks for that', async () => {
    const path = `/docs/reference.js?${files.scriptHash}`;
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await get(path, { 'Accept-Encoding': encoding });
      expect(answer.headers.get('content-encoding') ?? 'identity').to.equal(encoding);
      expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
      expect(answer.headers.get('cache-control')).to.include('immutable');
      expect(await answer.text()).to.include('createApiReference');
    }
  });

  it('serves every guide', async () => {
    for (const path of ['/docs/guides', ...names.map((name) => `/docs/guides/${name}`)]) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')], path).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'; style-src 'sha256-[\w+/]+='; /);
    }
  });

  it('has a page of its own for browsers where there is none, and an error for programs', async () => {
    for (const path of ['/docs/guides/unknown', '/docs/unknown', '/docs/a/b/c']) {
      const shown = await get(path, { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' });
      expect([shown.status, shown.headers.get('content-type')], path).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(await shown.text())
        .to.include('<h1>There is no such page</h1>')
        .and.include('href="/docs/guides/first-message"')
        .and.not.include(path);
      for (const headers of [{}, { Accept: 'application/json' }, { Accept: '*/*' }] as Record<string, string>[]) {
        const answer = await get(path, headers);
        expect([answer.status, ((await answer.json()) as { code: string }).code], path).to.deep.equal([404, 'not_found']);
      }
    }
  });
});
