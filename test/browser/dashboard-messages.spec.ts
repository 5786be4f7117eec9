import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { dashboardInBrowser } from './dashboard.js';
import { picture, violations } from './pages.js';
import { type Probe, startProbe } from './probe.js';

const looks = [
  { width: 1_440, colorScheme: 'light' },
  { width: 1_440, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

const html = `<html><head><style>h1 { color: #3b4fd8 }</style></head><body><h1>Spring sale</h1><a href="https://shop.example/sale">To the sale</a></body></html>`;

describe('the pages of messages, in a browser', () => {
  const dashboard = dashboardInBrowser();
  let probe: Probe;
  before(async () => {
    probe = await startProbe();
  });
  after(() => probe.close());

  const send = (body: object) => dashboard.service.ok('POST', '/messages/send', body);
  const statusOf = async (id: string) => (await dashboard.service.ok('GET', `/messages/${id}`)).status as string;
  const inStatus = (id: string, status: string) => eventually(`${id} is ${status}`, async () => (await statusOf(id)) === status);
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const rows = (page: Page, name = 'Messages') => page.getByRole('grid', { name }).getByRole('row');

  it('show the history, narrow it by filters in the address, and follow it live', async () => {
    await dashboard.service.ok('POST', '/account/unsubscribes', { email: 'never@example.com' });
    const { id: refused } = await send({ to: 'never@example.com', channel: 'email', subject: 'For nobody', message: 'Hi' });
    const { id: sent } = await send({ to: 'Ada <ada@sandbox.test>', channel: 'email', subject: 'For Ada', html, tags: ['spring'] });
    await inStatus(sent, 'delivered');
    const { page, complaints } = await dashboard.enter('/messages');
    await heading(page, 'Messages');
    await rows(page).filter({ hasText: 'For Ada' }).getByText('Delivered').waitFor();

    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitem', { name: 'Status', exact: true }).click();
    await page.getByRole('option', { name: 'Suppressed' }).click();
    await page.waitForURL(/status=suppressed/);
    await rows(page).filter({ hasText: 'For Ada' }).waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: 'never@example.com' }).getByText('Suppressed by hand').waitFor();

    await rows(page).filter({ hasText: 'never@example.com' }).getByRole('link').click();
    await heading(page, 'Message to never@example.com');
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/messages/${refused}`);
    await page.goBack();
    await page.waitForURL(/status=suppressed/);
    await page.getByRole('button', { name: 'Remove filter Status' }).click();
    await rows(page).filter({ hasText: 'For Ada' }).waitFor();

    // By the stream of changes, without a reload.
    await send({ to: '+14155550171', channel: 'sms', message: 'Fresh from the API' });
    await rows(page).filter({ hasText: 'Fresh from the API' }).waitFor();
    await page.goto(`${dashboard.service.url}/dashboard/messages?tag=spring&channel=email`);
    await rows(page).filter({ hasText: 'For Ada' }).waitFor();
    expect(await rows(page).filter({ hasText: '+14155550171' }).count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('say of a message where it has been, why it was refused, and what carrier and webhook were told', async () => {
    const { id } = await send({ to: '+15005550005', channel: 'sms', message: 'Third time lucky', webhook_url: `${probe.url}/hook` });
    await inStatus(id, 'delivered');
    const told = () => probe.requests.filter(({ body }) => body.includes(id) && body.includes('"message.delivered"'));
    await eventually('the webhook was told', () => told().length === 1);
    const { page, complaints } = await dashboard.enter(`/messages/${id}`);
    await heading(page, 'Message to +15005550005');
    const track = page.getByRole('list', { name: 'States of this message' }).getByRole('listitem');
    await track.filter({ hasText: 'Delivered' }).waitFor();
    expect(await track.count()).to.equal(4);
    expect(await track.nth(1).textContent()).to.match(/^Sending.*try 3/);
    expect(await track.nth(3).getAttribute('aria-current')).to.equal('step');

    await page.getByRole('tab', { name: 'Events' }).click();
    await page.waitForURL(/tab=events/);
    const receipt = page.getByRole('listitem').filter({ hasText: 'MessageDelivered' });
    await receipt.getByText('Details').click();
    await receipt.getByText('"status":"delivered"').waitFor();

    await page.getByRole('tab', { name: 'Webhooks' }).click();
    const delivery = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'message.delivered' }) });
    await delivery.getByText('200').waitFor();
    await delivery.getByText('What was sent').click();
    await delivery.getByText('"event":"message.delivered"').waitFor();
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await eventually('the webhook was told again', () => told().length === 2);
    const [first, again] = told();
    expect(again?.headers['x-service-delivery']).to.equal(first?.headers['x-service-delivery']);
    expect(again?.body).to.equal(first?.body);
    await delivery.getByText(/^by hand/).waitFor();

    await dashboard.service.ok('POST', '/account/unsubscribes', { phone: '+14155550172', source: 'support' });
    const { id: refused } = await send({ to: '+14155550172', channel: 'sms', message: 'Hi' });
    await page.goto(`${dashboard.service.url}/dashboard/messages/${refused}?tab=why`);
    await page.getByText('Do-not-contact list: refused').waitFor();
    await page.getByRole('link', { name: 'The entry' }).click();
    await page.getByRole('dialog', { name: '+14155550172' }).getByText('support').first().waitFor();
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('send one: what is wrong at its field, what would happen, then the message; and cancel one that waits', async () => {
    const { page, complaints } = await dashboard.enter('/messages/send?channel=sms');
    await heading(page, 'Send a message');
    await page.getByRole('textbox', { name: 'Recipient' }).fill('+1500');
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello from the dashboard');
    await page.getByRole('button', { name: 'Check without sending' }).click();
    await page.getByText(/such numbers have 10 digits/).waitFor();
    expect(await page.getByRole('textbox', { name: 'Recipient' }).getAttribute('aria-invalid')).to.equal('true');
    await page.getByRole('textbox', { name: 'Recipient' }).fill('+14155550173');
    await page.getByRole('button', { name: 'Check without sending' }).click();
    await page.getByText('1 (GSM-7)').waitFor();
    expect((await dashboard.service.ok('GET', '/messages?to=%2B14155550173')).data, 'messages that a check sent').to.deep.equal([]);

    // What is typed is not lost by a click on a link.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Received' }).click();
    await page.getByRole('alertdialog', { name: 'Leave without sending?' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.equal('Hello from the dashboard');

    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alertdialog', { name: 'Send this message?' }).getByRole('button', { name: 'Send', exact: true }).click();
    await heading(page, 'Message to +14155550173');
    const { data } = await dashboard.service.ok('GET', '/messages?to=%2B14155550173');
    expect(data.map(({ message }: { message: string }) => message)).to.deep.equal(['Hello from the dashboard']);

    const { id } = await send({ to: 'later@sandbox.test', channel: 'email', subject: 'Later', message: 'Hi', send_at: '2099-01-01T10:00:00Z' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Scheduled' }).click();
    await heading(page, 'Scheduled messages');
    await rows(page, 'Scheduled messages').filter({ hasText: 'later@sandbox.test' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the message' }).click();
    await page.getByText('The message to later@sandbox.test was canceled.').waitFor();
    expect(await statusOf(id)).to.equal('canceled');
    await page.getByRole('heading', { name: 'Nothing is scheduled' }).waitFor();
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('fill in a template, and show it before it is sent', async () => {
    const content = { subject: 'Your order {{data.order}}', html: '<p>Order <b>{{data.order}}</b> is on its way.</p>' };
    const { id } = await dashboard.service.ok('POST', '/templates', { name: 'Shipped', channel: 'email', ...content });
    const { page } = await dashboard.enter(`/messages/send?template_id=${id}&to=buyer%40sandbox.test`);
    await page.getByLabel('Values of data').fill('{ "order": "A');
    await page.getByText('This is no JSON object.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).to.equal(true);
    await page.getByLabel('Values of data').fill('{ "order": "A1" }');
    await page.frameLocator('iframe').getByText('Order A1 is on its way.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click();
    await heading(page, 'Message to buyer@sandbox.test');
    await page.getByText('Your order A1').first().waitFor();
    await page.context().close();
  });

  it('show what people wrote, and what the sandbox was handed to those who may read it', async () => {
    await dashboard.service.ok('POST', '/sandbox/inbound', { from: '+14155550174', to: '+14155550999', channel: 'sms', text: 'When do you open?' });
    const { id } = await send({ to: 'reader@sandbox.test', channel: 'email', subject: 'For a reader', html, category: 'marketing' });
    await inStatus(id, 'delivered');
    const { page } = await dashboard.enter('/messages/received');
    await rows(page, 'Received messages').filter({ hasText: 'When do you open?' }).getByRole('link').click();
    await page.getByRole('dialog').getByText('When do you open?').waitFor();
    await page.waitForURL(/open=inb_/);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.search.includes('open'));
    await page.goto(`${dashboard.service.url}/dashboard/messages/sandbox`);
    await rows(page, 'Dispatches to the sandbox').filter({ hasText: 'For a reader' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Links to try' }).waitFor();
    await page.context().close();

    const analyst = await dashboard.enter(`/messages/${id}`, await dashboard.user('reads-only', 'analyst'));
    await heading(analyst.page, 'Message to reader@sandbox.test');
    expect(await analyst.page.getByRole('tab', { name: 'Sandbox' }).count()).to.equal(0);
    await analyst.page.goto(`${dashboard.service.url}/dashboard/messages/send`);
    await analyst.page.getByRole('heading', { name: 'Your role cannot send messages' }).waitFor();
    expect(await analyst.page.getByRole('button', { name: 'Send', exact: true }).count()).to.equal(0);
    await analyst.page.context().close();
  });

  it('have no accessibility problem and fit, light and dark, on a screen and a phone', async () => {
    const { id } = await send({ to: 'Zoë <looks@sandbox.test>', channel: 'email', subject: 'مرحبا', html, webhook_url: `${probe.url}/looks` });
    await send({ to: 'looks@sandbox.test', channel: 'email', subject: 'Later', message: 'Hi', send_at: '2099-01-01T10:00:00Z' });
    await inStatus(id, 'delivered');
    const details = ['', '?tab=why', '?tab=events', '?tab=webhooks', '?tab=sandbox'].map((tab) => `/messages/${id}${tab}`);
    const paths = [
      '/messages',
      '/messages?status=failed',
      '/messages/received',
      '/messages/scheduled',
      '/messages/send',
      '/messages/sandbox',
      ...details,
    ];
    const { page, complaints } = await dashboard.enter('/messages');
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const path of paths) {
        const about = `${path} ${width} ${colorScheme}`;
        await page.goto(`${dashboard.service.url}/dashboard${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        expect(await violations(page), about).to.deep.equal([]);
        const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
        expect(wide, about).to.be.at.most(room);
        await picture(page, `dashboard${path.replaceAll(/[/?=]/g, '-').replace(id, 'one')}-${width}-${colorScheme}`, { fullPage: true });
      }
    }
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  });
});
