import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { type Browser, startBrowser } from './browser.js';
import { picture, violations } from './pages.js';

const looks = [
  { name: 'desktop-light', colorScheme: 'light', viewport: { width: 1_024, height: 900 } },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1_024, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const;

const PUBLIC = { 'X-API-Key': '' };

describe('the demo of the inbox', () => {
  let browser: Browser | null = null;
  let service: Service;
  before(async function () {
    browser = await startBrowser();
    if (!browser) this.skip();
    service = await Service.start();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const look of looks)
    it(`shows a message that it sends, and has no accessibility problem (${look.name})`, async () => {
      const { name, ...options } = look;
      const context = await (browser as Browser).newContext(options);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      const streaming = page.waitForResponse((response) => response.url().endsWith('/v1/inbox/stream'));
      await page.goto(`${service.url}/demo/inbox`);
      await streaming;
      await page.locator('#log').getByText('unread').first().waitFor();
      await page.getByRole('button', { name: 'Send a message', exact: true }).click();
      await page.getByText('One message sent.').waitFor();
      await page.locator('.toast').first().waitFor();
      await page.locator('#log code', { hasText: 'message' }).first().waitFor();
      expect(await page.locator('#curl').textContent()).to.match(/"to":"con_\w+"/);
      await picture(page, `demo-inbox-${name}`, { fullPage: true });
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Send three' }).click();
      await page.getByText('3 messages sent.').waitFor();
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('dialog').getByText('Your order is on its way').first().waitFor();
      await picture(page, `demo-inbox-${name}-open`);
      expect(await violations(page)).to.deep.equal([]);
      const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
      expect(wide).to.be.at.most(room);
      expect(complaints).to.deep.equal([]);
      await context.close();
    });

  it('opens the inbox of its own contact, and nothing else', async () => {
    const { status, body } = await service.ask('POST', '/demo/inbox/tokens', undefined, PUBLIC);
    expect(status).to.equal(201);
    const as = { ...PUBLIC, Authorization: `Bearer ${body.token}` };
    expect((await service.ask('GET', `/v1/inbox/messages?contact_id=${body.contact_id}`, undefined, as)).status).to.equal(200);
    for (const path of ['/v1/messages', '/v1/contacts', `/v1/contacts/${body.contact_id}`, '/v1/account/settings'])
      expect((await service.ask('GET', path, undefined, as)).status, path).to.equal(401);
    const own = (await service.api('POST', '/v1/contacts', { email: 'own@example.com' })).body.id;
    expect((await service.ask('GET', `/v1/inbox/messages?contact_id=${own}`, undefined, as)).status).to.equal(404);
    expect((await service.api('GET', `/v1/contacts/${body.contact_id}`)).status, 'another account').to.equal(404);
  });

  it('is used by its own page alone, and sends no text of a visitor', async () => {
    for (const from of ['cross-site', 'same-site'])
      for (const what of ['tokens', 'messages'])
        expect((await service.ask('POST', `/demo/inbox/${what}`, undefined, { ...PUBLIC, 'Sec-Fetch-Site': from })).status).to.equal(403);
    const large = await service.ask('POST', '/demo/inbox/messages', { title: 'Mine', message: 'Mine' }, PUBLIC);
    expect(large.status).to.equal(413);
  });

  it('ends with the process of the first start, and is not there where a service is public', async () => {
    await service.stop();
    await service.restart();
    const elsewhere = Service.node({ HELIOGRAPH_PUBLIC_URL: 'https://msg.example.com' });
    const local = Service.node({ HELIOGRAPH_PUBLIC_URL: 'http://localhost:3000' });
    try {
      await Promise.all([elsewhere.restart(), local.restart()]);
      const statuses = async (of: Service) =>
        Promise.all([
          of.ask('GET', '/demo/inbox', undefined, PUBLIC).then(({ status }) => status),
          of.ask('POST', '/demo/inbox/tokens', undefined, PUBLIC).then(({ status }) => status),
        ]);
      expect(await statuses(service)).to.deep.equal([404, 404]);
      expect(await statuses(elsewhere)).to.deep.equal([404, 404]);
      expect(await eventually('the demo', () => statuses(local))).to.deep.equal([200, 201]);
    } finally {
      await Promise.all([elsewhere.close(), local.close()]);
    }
  });
});
