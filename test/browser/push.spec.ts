import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { FakeBrowser } from '../push/fake-push-service.js';
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

  /** In a page or a worker: its push manager gives this subscription, as a browser with a push service does. */
  const pretend = ({ subscription }: FakeBrowser): string => `{
    const json = ${JSON.stringify(subscription)};
    let made = null;
    PushManager.prototype.subscribe = async (options) => {
      const key = options.applicationServerKey;
      const bytes = typeof key === 'string' ? Uint8Array.from(atob(key.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0)) : key;
      if (bytes.length !== 65) throw new TypeError('this is no key');
      made = { endpoint: json.endpoint, options: { applicationServerKey: bytes.buffer }, toJSON: () => json, unsubscribe: async () => { made = null; return true; } };
      return made;
    };
    PushManager.prototype.getSubscription = async () => made;
  }`;

  it('are subscribed to by the script of a site, also where the browser replaces the subscription, until they are unsubscribed', async () => {
    const { service } = pages.fixture;
    const [first, second] = [new FakeBrowser('http://127.0.0.1:8090/push/first'), new FakeBrowser('http://127.0.0.1:8090/push/second')];
    const page = await context.newPage();
    await page.addInitScript(pretend(first));
    await page.goto(site.origin);
    const subscribe = "heliographPush.subscribe({ contact: { email: 'subscriber@example.com' }, device_id: 'laptop' })";
    const made = (await page.evaluate(subscribe)) as { readonly id: string; readonly status: string; readonly contact_id: string };
    expect(made.status).to.equal('active');
    expect(await page.evaluate(subscribe), 'a second time').to.deep.equal(made);
    const devices = async (status: string): Promise<string[]> => {
      const { body } = await service.api('GET', `/v1/push/subscriptions?contact_id=${made.contact_id}&status=${status}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await devices('active')).to.deep.equal([made.id]);
    const worker = context.serviceWorkers().find((one) => one.url().startsWith(site.origin));
    if (!worker) throw new Error('the site has no service worker');
    await worker.evaluate(pretend(second));
    // Only a browser makes an event that can wait.
    await worker.evaluate(`{
      const event = new Event('pushsubscriptionchange');
      let renewed = null;
      event.waitUntil = (work) => { renewed = work; };
      self.dispatchEvent(event);
      renewed;
    }`);
    const [replacing, ...others] = await devices('active');
    expect(others).to.deep.equal([]);
    expect(replacing).to.be.a('string').that.does.not.equal(made.id);
    expect(await devices('ended')).to.deep.equal([made.id]);
    await page.evaluate(pretend(second));
    expect(
      await page.evaluate(
        'navigator.serviceWorker.ready.then((r) => r.pushManager.subscribe({ applicationServerKey: new Uint8Array(65) })).then(() => heliographPush.unsubscribe())',
      ),
    ).to.equal(true);
    expect(await devices('active')).to.deep.equal([]);
    expect(await page.evaluate("caches.open('heliograph-push').then((kept) => kept.keys()).then((all) => all.length)")).to.equal(0);
  });

  it('are refused by the script where the person does not allow them', async () => {
    const refusing = await pages.browser.newContext({});
    try {
      const page = await refusing.newPage();
      await page.goto(site.origin);
      expect(await page.evaluate('heliographPush.subscribe().catch(({ code }) => code)')).to.equal('denied');
    } finally {
      await refusing.close();
    }
  });
});
