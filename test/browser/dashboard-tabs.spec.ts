import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardInBrowser, password } from './dashboard.js';

const STREAM = '/v1/changes/stream';

describe('tabs of one browser', () => {
  const dashboard = dashboardInBrowser();
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor();
  const send = (text: string) =>
    dashboard.service.ok('POST', '/messages/send', { to: 'live@example.com', channel: 'email', subject: text, message: text });

  it('share one stream of changes, and another one follows it when its tab is closed', async () => {
    const { page: first } = await dashboard.enter('/');
    await first.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const context = first.context();
    const second = await context.newPage();
    const streams: string[] = [];
    second.on('request', (request) => {
      if (request.url().endsWith(STREAM)) streams.push(request.url());
    });
    await second.goto(`${dashboard.service.url}/dashboard/messages`);
    await second.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await send('Told to the second tab');
    await shown(second, 'Told to the second tab');
    expect(streams).to.deep.equal([]);
    // The tab that reads the stream is gone: the other one reads it from now on.
    const taken = second.waitForRequest((request) => request.url().endsWith(STREAM));
    await first.close();
    await taken;
    await send('Read by the second tab');
    await shown(second, 'Read by the second tab');
  });

  it('show what happened while there was no connection, once it is back', async () => {
    const { page } = await dashboard.enter('/messages');
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await send('Before the break');
    await shown(page, 'Before the break');
    await page.context().setOffline(true);
    await send('During the break');
    await page.context().setOffline(false);
    await shown(page, 'During the break');
  });
});

describe('the keyboard alone', () => {
  const dashboard = dashboardInBrowser();
  /** Goes on by Tab until the element with this role and name has the focus. */
  async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string, within = page.locator('body')): Promise<void> {
    const target = within.getByRole(role, { name, exact: true });
    await target.waitFor();
    for (let presses = 0; presses < 60; presses++) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${role} ${name}`);
  }

  it('signs in, sends a message, and reads what became of it', async () => {
    const { page, complaints } = await dashboard.open('/messages/send?channel=sms');
    await tabTo(page, 'textbox', 'Email');
    await page.keyboard.type(dashboard.service.account.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Send a message' }).waitFor();
    await tabTo(page, 'textbox', 'Recipient');
    await page.keyboard.type('+14155550144');
    await tabTo(page, 'textbox', 'Text');
    await page.keyboard.type('Typed and sent without a mouse');
    await tabTo(page, 'button', 'Send');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', 'Send', page.getByRole('alertdialog', { name: 'Send this message?' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Message to +14155550144' }).waitFor();
    await tabTo(page, 'tab', 'Content');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**?tab=why');
    expect(complaints).to.deep.equal([]);
  });
});
