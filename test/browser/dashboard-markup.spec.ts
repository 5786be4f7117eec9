import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { dashboardInBrowser } from './dashboard.js';
import { payloads } from './payloads.js';
import { type Probe, startProbe } from './probe.js';

/** A mail that tries every way out of the frame that shows it. */
const hostile = (probe: string) => `<!doctype html><html><head>
  <meta http-equiv="refresh" content="0;url=${probe}/refreshed"><base href="${probe}/">
  <link rel="stylesheet" href="${probe}/style.css"><style>body { background: url(${probe}/background) } p { color: rgb(1, 2, 3) }</style>
  <script>fetch('${probe}/script'); top.ran = 1; top.location = '${probe}/top';</script></head>
  <body onload="fetch('${probe}/load')"><p>A harmless line</p><img src="${probe}/pixel.gif" onerror="top.ran = 1"><picture><source srcset="${probe}/set.gif"><img></picture>
  <video src="${probe}/video" autoplay></video><iframe src="${probe}/frame"></iframe><object data="${probe}/object"></object>
  <a href="${probe}/link" target="_top" ping="${probe}/ping">Out of here</a><a href="/dashboard/messages/send">Within</a><a href="javascript:top.ran=1">Run</a>
  <form action="${probe}/form" target="_top"><input name="q" value="1"><button>Submit</button></form>
  <svg><a href="${probe}/svg"><set attributeName="href" to="${probe}/set"/><text y="20">Drawn</text></a></svg>
  <div><template shadowrootmode="open"><a href="${probe}/shadow">Shadow</a></template></div></body></html>`;

describe('what people write, in the dashboard', () => {
  const dashboard = dashboardInBrowser();
  let probe: Probe;
  before(async () => {
    probe = await startProbe();
  });
  after(() => probe.close());

  const send = async (body: object): Promise<string> => (await dashboard.service.ok('POST', '/messages/send', body)).id;
  const delivered = (id: string) =>
    eventually(`${id} is delivered`, async () => (await dashboard.service.ok('GET', `/messages/${id}`)).status === 'delivered');
  const nothingRan = async (page: Page, about: string): Promise<void> => {
    expect(await page.evaluate('window.ran ?? null'), about).to.equal(null);
    expect(probe.requests, about).to.deep.equal([]);
  };

  it('is a mail that runs nothing, reads nothing, fetches nothing and leads nowhere', async () => {
    const id = await send({ to: 'hostile@sandbox.test', channel: 'email', subject: 'Hostile', html: hostile(probe.url) });
    await delivered(id);
    const { page } = await dashboard.enter(`/messages/${id}`);
    const address = page.url();
    const frame = page.frameLocator('iframe');
    await frame.getByText('A harmless line').waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).to.equal('');
    // Its own styles hold.
    expect(await page.frames()[1]?.evaluate("getComputedStyle(document.querySelector('p')).color")).to.equal('rgb(1, 2, 3)');
    expect(await page.frames()[1]?.evaluate("getComputedStyle(document.querySelector('a')).textDecorationLine")).to.equal('underline');
    await page.getByText(/pictures of other hosts are not loaded/).waitFor();
    for (const name of ['Out of here', 'Within', 'Run', 'Submit', 'Drawn']) await frame.getByText(name).click({ force: true });
    await frame.getByText('A harmless line').waitFor();
    expect(await frame.getByText('Shadow').count()).to.equal(0);
    expect(page.frames().map((one) => one.url())).to.deep.equal([address, 'about:srcdoc']);
    expect(page.context().pages()).to.have.length(1);
    // Where its links led can be read.
    await page.getByText('4 links').click();
    await page.getByText(`${probe.url}/link`, { exact: true }).waitFor();
    await nothingRan(page, 'the mail');

    // The sandbox shows the same mail as it was handed over, with what the service has added.
    await page.getByRole('tab', { name: 'Sandbox' }).click();
    await page.frameLocator('iframe').getByText('A harmless line').waitFor();
    await nothingRan(page, 'the sandbox');
    await page.context().close();
  });

  it('stays text wherever a page shows it', async () => {
    const all = payloads(probe.url);
    expect(all).to.have.length(20);
    const sent: [string, string][] = [];
    for (const [i, text] of all.entries()) {
      const name = text.replaceAll(/[",<>;:\\@()[\]]/g, '').slice(0, 60);
      const metadata = { [`key ${i} ${text}`.slice(0, 64)]: text };
      const content = { subject: text, html: `<p>Line ${i}</p>${text}`, message: text, tags: [text.slice(0, 64)] };
      sent.push([await send({ to: `${name} <text${i}@sandbox.test>`, channel: 'email', metadata, ...content }), text]);
      await send({ to: `+1415555${3000 + i}`, channel: 'sms', message: text, metadata });
      await dashboard.service.ok('POST', '/sandbox/inbound', { from: `+1415555${3000 + i}`, to: '+14155550999', channel: 'sms', text });
      await dashboard.service.ok('POST', '/account/unsubscribes', { email: `text${i}@example.com`, source: text.slice(0, 200) });
    }
    for (const [id] of sent) await delivered(id);
    const { page, complaints } = await dashboard.enter('/messages');
    const lists = [
      ['/messages', 'Messages'],
      ['/messages/received', 'Received messages'],
      ['/messages/sandbox', 'Dispatches to the sandbox'],
    ] as const;
    for (const [path, name] of lists) {
      await page.goto(`${dashboard.service.url}/dashboard${path}`);
      await page.getByRole('grid', { name }).getByRole('row').nth(5).waitFor();
      await nothingRan(page, path);
    }
    for (const [i, [id, text]] of sent.entries()) {
      await page.goto(`${dashboard.service.url}/dashboard/messages/${id}`);
      await page.frameLocator('iframe').getByText(`Line ${i}`).waitFor();
      expect(await page.getByRole('definition').first().textContent(), text).to.equal(text);
      for (const tab of ['Why', 'Events', 'Webhooks', 'Sandbox']) await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('heading', { name: 'Dispatch 1' }).waitFor();
      await nothingRan(page, text);
    }
    await page.goto(`${dashboard.service.url}/dashboard/messages/received`);
    await page.getByRole('grid').getByRole('link').first().click();
    await page
      .getByRole('dialog')
      .getByText(all[19] as string)
      .waitFor();
    await page.goto(`${dashboard.service.url}/dashboard/consent?address=text3%40example.com`);
    await page
      .getByText(all[3] as string)
      .first()
      .waitFor();
    await nothingRan(page, 'received and consent');
    // What the policy refuses in the frames of mails is said by the browser; nothing else is wrong.
    expect(complaints.filter((text) => !/Content Security Policy|sandboxed/.test(text))).to.deep.equal([]);
    await page.context().close();
  });
});
