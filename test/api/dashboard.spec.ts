import { expect } from 'chai';
import { dashboardPages } from '../../api/pages/dashboard.js';
import { loadDashboardFiles } from '../../ops/app/dashboard-files.js';
import { boardRoutes, startTestServer } from './support.js';

describe('the files of the dashboard', () => {
  const files = loadDashboardFiles();
  const started = startTestServer({ routes: boardRoutes(), pages: dashboardPages(files) });
  after(async () => (await started).close());
  const get = async (path: string, headers: Record<string, string> = {}) => fetch((await started).url + path, { headers, redirect: 'manual' });

  it('are where browsers that ask for / are led, and other programs to the documentation', async () => {
    const placeFor = async (accept: string) => (await get('/', { Accept: accept })).headers.get('location');
    expect(await placeFor('text/html,*/*;q=0.8')).to.equal('/dashboard');
    expect(await placeFor('*/*')).to.equal('/docs');
  });

  it('have one document for every address, under a policy without inline scripts, eval or other hosts', async () => {
    for (const path of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/messages/msg_1?tab=raw',
      '/dashboard/..%2f..%2fpackage.json',
      '/dashboard/__proto__',
    ]) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type'), await answer.text()], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
        files.index,
      ]);
      expect(answer.headers.get('cache-control')).to.equal('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy)
        .to.match(/^default-src 'none'; script-src 'self';/)
        .and.include("frame-ancestors 'none'")
        .and.not.match(/https?:|\*|unsafe-eval/);
    }
    expect(files.index).not.to.match(/<script(?![^>]*\ssrc="\/dashboard\/assets\/)|(?:src|href)="(?:https?:)?\/\/|\son\w+=/);
  });

  it('have names that change with their content, are compressed, and count against no rate limit', async () => {
    const [, script = ''] = /<script[^>]* src="([^"]+\.js)"/.exec(files.index) ?? [];
    const texts = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await get(script, { 'Accept-Encoding': encoding });
      expect(answer.headers.get('content-encoding') ?? 'identity').to.equal(encoding);
      expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
      expect(answer.headers.get('cache-control')).to.include('immutable');
      expect(answer.headers.has('ratelimit-limit')).to.equal(false);
      texts.add(await answer.text());
    }
    expect(texts.size).to.equal(1);
  });

  it('answer a name of an older build with 404, since a script is no document', async () => {
    expect((await get('/dashboard/assets/index-OLD.js')).status).to.equal(404);
  });
});
