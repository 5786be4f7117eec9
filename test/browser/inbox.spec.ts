import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { pagesInBrowser, picture, violations } from './pages.js';

/** A site with the script of the inbox, whose server answers with tokens. */
async function startSite(service: string, token: () => Promise<string>): Promise<{ server: Server; origin: string }> {
  const page = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
<style>:root{color-scheme:light dark}body{font-family:system-ui;margin:16px}header{display:flex;justify-content:space-between;align-items:center}</style>
<main><header><h1>Shop</h1><script src="${service}/inbox.js" data-token-url="/token"></script></header><p>Welcome back.</p></main></html>`;
  const server = createServer(async (request, response) => {
    const isToken = request.url === '/token';
    response.writeHead(200, { 'Content-Type': isToken ? 'application/json' : 'text/html' });
    response.end(isToken ? JSON.stringify({ token: await token() }) : page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

const LOOKS = [
  { name: 'desktop-light', colorScheme: 'light', viewport: { width: 1_024, height: 768 } },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1_024, height: 768 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 640 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 640 } },
] as const;

describe('the inbox in a browser', () => {
  const pages = pagesInBrowser();
  let site: Awaited<ReturnType<typeof startSite>>;
  let contact: string;
  const api = (method: string, path: string, body?: unknown) => pages.fixture.service.api(method, `/v1${path}`, body);
  const send = async (title: string, more: object = {}) => {
    const message = `It is about ${title}.`;
    const { status, text } = await api('POST', '/messages/send', { to: contact, channel: 'in_app', title, message, ...more });
    expect(status, text).to.equal(202);
  };
  const counts = async () => (await api('GET', `/inbox/counts?contact_id=${contact}`)).body;
  const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).waitFor();

  before(async () => {
    contact = (await api('POST', '/contacts', { email: 'inbox@example.com' })).body.id;
    site = await startSite(pages.fixture.service.url, async () => (await api('POST', '/inbox/tokens', { contact_id: contact })).body.token);
  });
  after(() => {
    site?.server.closeAllConnections();
    site?.server.close();
  });
  const opened = async (look: (typeof LOOKS)[number]) => {
    const context = await pages.browser.newContext({ viewport: look.viewport, colorScheme: look.colorScheme });
    const page = await context.newPage();
    // A message that came before the stream is open is counted, but shown in no toast.
    const streaming = page.waitForResponse((response) => response.url().endsWith('/v1/inbox/stream'));
    await page.goto(site.origin);
    await streaming;
    return { page, close: () => context.close() };
  };

  it('shows messages as they come, and is used with the keyboard alone', async () => {
    const { page, close } = await opened(LOOKS[0]);
    await bell(page, 'Notifications');
    await send('Order', { action_url: '/orders/1' });
    await bell(page, 'Notifications, 1 unread');
    await page.locator('.toast').getByText('It is about Order.').waitFor();
    expect(await page.getByRole('status').textContent()).to.equal('New message: Order');
    await send('Offer', { action_url: 'https://shop.example/offer' });
    await bell(page, 'Notifications, 2 unread');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByText('It is about Offer.').waitFor();
    await eventually('what is listed is seen', async () => (await counts()).unseen === 0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const focused = () =>
      page.evaluate<string>("[...document.querySelectorAll('span')].find((e) => e.shadowRoot).shadowRoot.activeElement.textContent");
    expect(await focused()).to.include('Order');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).to.include('Offer');
    await panel.getByRole('button', { name: 'Mark as read: Offer' }).click();
    await bell(page, 'Notifications, 1 unread');
    await panel.getByRole('button', { name: 'Mark as unread: Offer' }).click();
    await bell(page, 'Notifications, 2 unread');
    await panel.getByRole('button', { name: 'Archive: Order' }).click();
    await bell(page, 'Notifications, 1 unread');
    await panel.getByRole('button', { name: 'Archived', exact: true }).click();
    await panel.getByRole('button', { name: 'Move to inbox: Order' }).click();
    await panel.getByRole('button', { name: 'Inbox', exact: true }).click();
    await panel.getByText('It is about Order.').waitFor();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(page, 'Notifications');
    await page.keyboard.press('Escape');
    expect(await panel.isVisible()).to.equal(false);
    expect(await page.evaluate("[...document.querySelectorAll('span')].find((e) => e.shadowRoot).shadowRoot.activeElement.className")).to.equal(
      'bell',
    );
    await close();
  });

  for (const look of LOOKS)
    it(`has no accessibility problem (${look.name})`, async () => {
      const { page, close } = await opened(look);
      await send('A delivery', { action_url: 'https://shop.example/2' });
      await page.locator('.toast').first().waitFor();
      await picture(page, `inbox-${look.name}-toast`);
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('dialog').getByText('It is about A delivery.').first().waitFor();
      await picture(page, `inbox-${look.name}`);
      expect(await violations(page)).to.deep.equal([]);
      await close();
    });
});
