import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { languages } from '../../domain/kernel/languages.js';
import { preferencesPath, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { confirmationPath } from '../lists/confirmation-path.js';
import { pagesInBrowser, picture, violations } from './pages.js';

const LOGO_HOST = 'https://cdn.example.com';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="80"><rect width="320" height="80" rx="12" fill="#e8b200"/><text x="24" y="54" font-size="40" font-family="sans-serif">Acme</text></svg>`;

describe('public pages, in every language and look', () => {
  const started = pagesInBrowser();

  const api = (method: string, path: string, body?: unknown) => started.fixture.service.api(method, path, body);
  /** A yellow that cannot be read on white, and a blue that cannot be read on a dark ground. */
  const brandings = [
    { logo_url: `${LOGO_HOST}/logo.svg`, color: '#ffd500' },
    { logo_url: null, color: '#00209f' },
    { logo_url: null, color: null },
  ];
  const looks = [
    { name: 'desktop', viewport: { width: 1_280, height: 800 }, colorScheme: 'light' },
    { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  ] as const;

  /** The paths of all pages, by name. Nothing is changed by opening them. */
  async function pagesOf(): Promise<[name: string, path: string][]> {
    const { body: contact } = await api('POST', '/v1/contacts', { email: 'pages@example.com', phone: '+14155550188' });
    const { body: list } = await api('POST', '/v1/lists', { name: 'Monthly news', opt_in: 'double' });
    await api('POST', `/v1/lists/${list.id}/contacts`, { contact_ids: [contact.id] });
    const { body: offers } = await api('POST', '/v1/lists', { name: 'Offers of the month, from all of our shops and friends', opt_in: 'single' });
    await api('POST', `/v1/lists/${offers.id}/contacts`, { contact_ids: [contact.id] });
    const preferences = preferencesPath(await started.fixture.tokenFor('+14155550188', 'sms'));
    await api('POST', '/v1/account/unsubscribes', { phone: '+14155550188', channel: 'rcs', reason: 'stop_keyword' });
    const gone = unsubscribePath(await started.fixture.tokenFor('gone@example.com'));
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-API-Key': '' };
    await started.fixture.service.api('POST', gone, 'List-Unsubscribe=One-Click', form);
    return [
      ['unsubscribe', unsubscribePath(await started.fixture.tokenFor('pages@example.com'))],
      ['unsubscribed', gone],
      ['preferences', preferences],
      ['confirm', await confirmationPath(started.fixture.service, contact.id)],
      ['broken', unsubscribePath('nothing')],
    ];
  }

  async function checkPages(
    pages: readonly (readonly [string, string])[],
    language: string,
    look: (typeof looks)[number],
    branding: (typeof brandings)[number],
  ) {
    const { name: lookName, ...options } = look;
    const context = await started.browser.newContext({ ...options, locale: language });
    const requests: string[] = [];
    await context.route(`${LOGO_HOST}/**`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: LOGO }));
    context.on('request', (request) => requests.push(new URL(request.url()).origin));
    for (const [name, path] of pages) {
      const page = await context.newPage();
      await page.goto(started.fixture.service.url + path);
      const about = `${name} ${language} ${lookName} ${branding.color}`;
      expect(await violations(page), about).to.deep.equal([]);
      expect(await page.locator('html').getAttribute('lang')).to.equal(language);
      const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
      expect(wide, about).to.be.at.most(room);
      if (name !== 'broken') await checkBranding(page, branding, about);
      await picture(page, about.replaceAll(/[ #]+/g, '-'));
      await page.close();
    }
    expect(new Set(requests)).to.deep.equal(new Set([started.fixture.service.url, ...(branding.logo_url === null ? [] : [LOGO_HOST])]));
    await context.close();
  }

  async function checkBranding(page: Page, { logo_url }: (typeof brandings)[number], about: string): Promise<void> {
    expect(await page.locator('.from').textContent()).to.equal('Acme Outdoor');
    if (logo_url !== null) expect(await page.evaluate("document.querySelector('img').naturalWidth"), about).to.be.above(0);
  }

  it('have no problem of accessibility, fit on the screen, and load nothing but the logo', async () => {
    const pages = await pagesOf();
    for (const branding of brandings) {
      await api('PATCH', '/v1/account/settings', { name: 'Acme Outdoor', branding });
      for (const look of looks)
        for (const language of branding.logo_url === null || look.name === 'desktop' ? [languages[0]] : languages)
          await checkPages(pages, language, look, branding);
    }
  });
});
