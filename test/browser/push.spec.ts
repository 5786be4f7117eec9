import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { pagesInBrowser, picture } from './pages.js';

/** A site with the two lines of push messages. Its page pretends to be subscribed, as a browser without a push service cannot. */
async function startSite(service: string, account: string): Promise<{ server: Server; origin: string }> {
  const page = `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
<script src="${service}/push.js" data-account="${account}" data-worker="/sw.js"></script></html>`;
  const server = createServer((request, response) => {
    const isWorker = request.url === '/sw.js';
    response.writeHead(200, { 'Content-Type': isWorker ? 'text/javascript' : 'text/html' });
    response.end(isWorker ? `importScripts('${service}/push-sw.js');` : page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

describe('push messages in a browser', () => {
  const pages = pagesInBrowser();
  let site: Awaited<ReturnType<typeof startSite>>;
  let context: BrowserContext;
  before(async () => {
    const { service } = pages.fixture;
    site = await startSite(service.url, service.accountId);
    context = await pages.browser.newContext({});
    await context.grantPermissions(['notifications'], { origin: site.origin });
  });
  after(async () => {
    await context?.close();
    site?.server.closeAllConnections();
    site?.server.close();
  });

  it('are shown by the service worker of a site, and reported', async () => {
    const { service, reportToken } = pages.fixture;
    const page = await context.newPage();
    await page.goto(site.origin);
    expect(await page.evaluate('heliographPush.supported()')).to.equal(true);
    await page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)");
    const { body: contact } = await service.api('POST', '/v1/contacts', { email: 'browser@example.com' });
    const { body: sent } = await service.api('POST', '/v1/messages/send', { to: contact.id, channel: 'push', message: 'Hello' });
    const token = reportToken(sent.id, 'psh_01J00000000000000000000001');
    const message = {
      message_id: sent.id,
      token,
      title: 'Shop',
      body: 'Your order is here.',
      tag: sent.id,
      actions: [{ id: 'open', title: 'Open' }],
    };
    const reports: string[] = [];
    context.on('request', (request) => void (request.url().endsWith('/v1/public/push/events') && reports.push(request.postData() ?? '')));
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [one] = registrations;
        if (one) resolve(one.registrationId);
      }),
    );
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.deliverPushMessage', { origin: site.origin, registrationId: await registered, data: JSON.stringify(message) });
    const shown = () =>
      page.evaluate<object[]>(
        'navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))',
      );
    const notifications = await eventually('the notification is shown', async () => {
      const found = await shown();
      return found.length > 0 ? found : null;
    });
    expect(notifications).to.deep.equal([{ title: 'Shop', body: 'Your order is here.', tag: sent.id }]);
    await eventually('the device has reported', async () => reports.some((body) => body.includes('"delivered"')));
    // The same message again takes its place.
    await session.send('ServiceWorker.deliverPushMessage', { origin: site.origin, registrationId: await registered, data: JSON.stringify(message) });
    await eventually('the device has reported again', async () => reports.length >= 2);
    expect(await shown()).to.have.length(1);
    await picture(page, 'push');
  });
});
