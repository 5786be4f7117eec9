import { expect } from 'chai';
import { guides } from '../../api/docs/guide-names.js';
import { Service } from '../support/service.js';
import { type Browser, startBrowser } from './browser.js';
import { picture, seriousViolations, violations } from './pages.js';

const looks = [
  { name: 'desktop', viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
  { name: 'desktop', viewport: { width: 1_280, height: 900 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

describe('the documentation in a browser', function () {
  // A test opens up to twenty pages, each with the checks of axe.
  this.timeout(180_000);
  let browser: Browser | null = null;
  let service: Service;
  before(async function () {
    browser = await startBrowser();
    if (!browser) this.skip();
    service = await Service.shared();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** A page whose requests and complaints are kept. */
  async function open(look: (typeof looks)[number], path: string) {
    const { name, ...options } = look;
    const context = await (browser as Browser).newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const origins = new Set<string>();
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (/^https?:/.test(request.url())) origins.add(new URL(request.url()).origin);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(service.url + path);
    return { page, context, origins, complaints, about: `${path.replaceAll('/', '-').slice(1)}-${name}-${look.colorScheme}` };
  }

  for (const look of looks) {
    it(`shows the reference, from this service alone: ${look.name}, ${look.colorScheme}`, async () => {
      const { page, context, origins, complaints, about } = await open(look, '/docs');
      await page.getByRole('heading', { name: 'Heliograph', level: 1 }).waitFor({ timeout: 60_000 });
      await page.getByRole('heading', { name: 'Messages', exact: false }).first().waitFor({ timeout: 20_000 });
      await picture(page, about);
      expect([...origins]).to.deep.equal([service.url]);
      expect(complaints).to.deep.equal([]);
      const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
      expect(wide).to.be.at.most(room);
      expect(await seriousViolations(page)).to.deep.equal([]);
      await context.close();
    });

    it(`shows the guides: ${look.name}, ${look.colorScheme}`, async () => {
      for (const path of ['/docs/guides', ...Object.keys(guides).map((name) => `/docs/guides/${name}`)]) {
        const { page, context, origins, complaints, about } = await open(look, path);
        await picture(page, about, { fullPage: true });
        expect(await violations(page), path).to.deep.equal([]);
        expect([...origins], path).to.deep.equal([service.url]);
        expect(complaints, path).to.deep.equal([]);
        const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
        expect(wide, path).to.be.at.most(room);
        // A phone widens its window by what does not fit.
        expect(room, path).to.be.at.most(page.viewportSize()?.width ?? 0);
        await context.close();
      }
    });
  }

  it('sends a request with one’s key from the reference', async () => {
    const { page, context, origins, complaints } = await open(looks[0], '/docs#tag/messages/GET/v1/messages');
    await page
      .getByRole('button', { name: /Test Request.*\/v1\/messages\b/i })
      .first()
      .waitFor({ timeout: 60_000 });
    const key = page.getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT').first();
    await key.fill(service.key);
    await page
      .getByRole('button', { name: /Test Request/i })
      .first()
      .click();
    await picture(page, 'docs-request');
    const answered = page.waitForResponse(
      (response) => new URL(response.url()).pathname.startsWith('/v1/') && !response.url().endsWith('openapi.json'),
    );
    await page
      .getByRole('button', { name: /^Send (get )?request/i })
      .first()
      .click();
    const answer = await answered;
    expect(answer.request().headers()['x-api-key']).to.equal(service.key);
    expect([...origins]).to.deep.equal([service.url]);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });
});
