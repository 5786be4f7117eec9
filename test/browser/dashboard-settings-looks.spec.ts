import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardInBrowser, password } from './dashboard.js';
import { picture, violations } from './pages.js';

const looks = [
  { name: 'wide light', colorScheme: 'light', viewport: { width: 1_440, height: 900 } },
  { name: 'wide dark', colorScheme: 'dark', viewport: { width: 1_440, height: 900 } },
  { name: 'narrow light', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'narrow dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const;

/** Texts that run as a script where one of the pages takes them for markup, for an attribute or for an address. */
const payloads = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<svg onload=hit()>',
  '"><script>hit()</script>',
  '\'"><img src=x onerror=hit()>',
  '<iframe srcdoc="<script>parent.hit()</script>">',
  '<details open ontoggle=hit()>',
  '<input autofocus onfocus=hit()>',
  '<a href="javascript:hit()">click</a>',
  'javascript:hit()',
  '{{constructor.constructor("hit()")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of the texts
  '${hit()}',
  '</title><script>hit()</script>',
  '</textarea><script>hit()</script>',
  '<style>@import "javascript:hit()"</style>',
  '<math><mtext></mtext><script>hit()</script></math>',
  '<body onload=hit()>',
  '<object data="javascript:hit()">',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '<b onmouseover=hit() style="position:fixed;inset:0">x</b>',
];

const markupOfOthers = 'main script, main img, main iframe, main object, main style, main b, main math, main a[href^="javascript:"]';

describe('the looks of the developers’ pages, the settings and the sign-in', () => {
  const dashboard = dashboardInBrowser();
  let endpoint = '';
  before(async () => {
    const { service } = dashboard;
    for (const name of ['Shop', 'مفتاح المتجر', 'A name that is as long as names may be, or nearly so, to see what becomes of the table'])
      await service.ok('POST', '/api-keys', { name, mode: 'test' });
    const url = `https://example.com/${'a-long-path/'.repeat(12)}`;
    endpoint = (await service.ok('POST', '/webhook-endpoints', { url })).id;
    await service.ok('POST', '/account/users', { email: 'ali@example.com', name: 'علي حسن', role: 'analyst', password });
  });

  const pages: readonly (readonly [path: () => string, ready: string])[] = [
    [() => '/developers/keys', 'Shop'],
    [() => '/developers/keys?create=new', 'Strict'],
    [() => '/developers/webhooks', 'Receives'],
    [() => '/developers/webhooks?create=new', 'Headers of your own'],
    [() => `/developers/webhooks/${endpoint}`, 'Health'],
    [() => '/settings/account', 'Purchases'],
    [() => '/settings/branding', 'Save my choice'],
    [() => '/settings/users', 'ali@example.com'],
    [() => '/settings/users?create=new', 'How they get in'],
    [() => '/settings/security', 'This one'],
    [() => '/settings/activity', 'key.create'],
  ];
  const outside: readonly (readonly [path: string, ready: string])[] = [
    ['/sign-in', 'Forgotten your password?'],
    ['/forgot-password', 'Send the link'],
    ['/reset/some-token', 'Change the password'],
    ['/invitation/some-token', 'Accept the invitation'],
  ];

  /** Nothing moves while it is looked at. */
  async function judge(page: Page, ready: string, name: string): Promise<void> {
    await page.getByText(ready).first().waitFor();
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)');
    await picture(page, `dashboard ${name}`, { fullPage: true });
    expect(await violations(page), name).to.deep.equal([]);
    const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
    expect(wide, `the width of ${name}`).to.be.at.most(room);
  }

  for (const { name, ...look } of looks)
    it(`have no accessibility problem and fit the window (${name})`, async () => {
      const { page, complaints } = await dashboard.enter('/', undefined, look);
      for (const [path, ready] of pages) {
        await page.goto(`${dashboard.service.url}/dashboard${path()}`);
        await judge(page, ready, `${path().replaceAll(/\W+/g, ' ')} ${name}`);
      }
      await page.context().clearCookies();
      for (const [path, ready] of outside) {
        await page.goto(`${dashboard.service.url}/dashboard${path}`);
        await judge(page, ready, `${path.replaceAll(/\W+/g, ' ')} ${name}`);
      }
      expect(complaints).to.deep.equal([]);
      await page.context().close();
    });

  it('show every text as a text', async () => {
    const { service, browser } = dashboard;
    const email = await dashboard.user('target', 'owner');
    for (const [index, payload] of payloads.entries()) {
      await service.ok('POST', '/api-keys', { name: payload.slice(0, 100) });
      if (index < 19) await service.ok('POST', '/webhook-endpoints', { url: `https://example.com/${index}?${payload}`, description: payload });
      await service.ok('POST', '/account/users', { email: `x${index}@example.com`, name: payload, role: 'analyst', password });
      const answer = await browser.newContext({ userAgent: payload });
      await answer.request.post(`${service.url}/v1/auth/session`, { data: { email, password } });
      await answer.close();
    }
    const { page, complaints } = await dashboard.enter('/', email, { viewport: { width: 1_440, height: 5_000 } });
    await page.addInitScript('window.hits = 0; window.hit = () => { window.hits++; };');
    page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));

    /** Nothing ran, nothing became an element, and the payloads stand there letter by letter. */
    const expectTexts = async (path: string, shown: readonly string[]): Promise<void> => {
      await page.goto(`${service.url}/dashboard${path}`);
      for (const text of shown) await page.getByText(text).first().waitFor();
      expect(await page.evaluate('window.hits'), path).to.equal(0);
      expect(await page.locator(markupOfOthers).count(), path).to.equal(0);
    };
    await expectTexts('/developers/keys', payloads);
    await expectTexts('/developers/webhooks', payloads.slice(0, 19));
    await expectTexts('/settings/users', payloads);
    await expectTexts('/settings/security', payloads);
    await expectTexts('/settings/activity', payloads);
    const endpoints = (await service.ok('GET', '/webhook-endpoints?limit=100')).data as { id: string; description: string | null }[];
    for (const { id, description } of endpoints.slice(0, 5)) await expectTexts(`/developers/webhooks/${id}`, [description as string]);
    for (const payload of payloads) {
      await service.ok('PATCH', '/account/settings', { name: payload, purchase: { event: payload } });
      await expectTexts('/settings/branding', [payload]);
    }
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    expect(await page.getByLabel('Event', { exact: true }).inputValue()).to.equal(payloads.at(-1));
    expect(complaints).to.deep.equal([]);
  });
});
