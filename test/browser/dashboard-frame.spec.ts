import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardInBrowser } from './dashboard.js';

describe('the frame of the dashboard', () => {
  const dashboard = dashboardInBrowser();

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const palette = async (page: Page): Promise<void> => {
    const field = page.getByRole('combobox', { name: 'Go to' });
    // One that was open closes gently.
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.waitFor();
  };
  const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();
  const root = (page: Page, selector: string) => page.locator(`html${selector}`).waitFor();

  it('leads anywhere by the palette, and moves the focus to the page, which is announced', async () => {
    const { page, complaints } = await dashboard.enter('/');
    await heading(page, 'Overview');
    await palette(page);
    await page.keyboard.type('segm');
    await page.getByRole('option', { name: 'People › Segments', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Segments');
    await focused(page, '#main');
    await page.getByText('Segments · Heliograph').waitFor({ state: 'attached' });
    await page.goBack();
    await heading(page, 'Overview');
    expect(complaints).to.deep.equal([]);
  });

  it('finds a contact by name, and a message by its id', async () => {
    const { service } = dashboard;
    const contact = await service.ok('POST', '/contacts', {
      email: 'palette@example.com',
      first_name: 'Zenobia',
      last_name: 'Ashworth',
    });
    const message = await service.ok('POST', '/messages/send', { to: '+14155550100', channel: 'sms', message: 'Found by its id' });
    const { page } = await dashboard.enter('/');
    await heading(page, 'Overview');
    await palette(page);
    await page.keyboard.type('zenob');
    await page.getByRole('option', { name: 'Zenobia Ashworth' }).click();
    await page.waitForURL(`**/dashboard/people/${contact.id}*`);
    await palette(page);
    await page.keyboard.type(message.id);
    await page.getByRole('option', { name: `Open ${message.id}`, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/messages/${message.id}*`);
  });

  it('says that nothing was found', async () => {
    const { page } = await dashboard.enter('/');
    await heading(page, 'Overview');
    await palette(page);
    await page.keyboard.type('no such thing');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' });
  });

  it('shows its keys, and leads to the filter of a list by /', async () => {
    const { page } = await dashboard.enter('/people');
    await heading(page, 'People');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await focused(page, '[data-filter]');
    // In a field they are letters.
    await page.keyboard.type('?/');
    expect(await page.locator('[data-filter]').inputValue()).to.equal('?/');
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('keeps the theme that was chosen, in which also the next page begins', async () => {
    const { page } = await dashboard.enter('/', undefined, { colorScheme: 'light' });
    const colorOf = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    const choose = async (theme: string): Promise<void> => {
      await page.getByRole('button', { name: dashboard.service.account.email }).click();
      await page.getByRole('menuitemradio', { name: theme }).click();
    };
    await choose('Dark');
    await root(page, '[data-theme="dark"]');
    await page.reload();
    await heading(page, 'Overview');
    expect(await colorOf()).to.equal('dark');
    await choose('As the device');
    await root(page, ':not([data-theme])');
    expect(await colorOf()).to.equal('light dark');
  });

  it('takes the color of the brand as its accent', async () => {
    const { service } = dashboard;
    await service.ok('PATCH', '/account/settings', { branding: { color: '#c2185b' } });
    const { page } = await dashboard.enter('/');
    await root(page, '[style*="--brand: #c2185b"]');
    await service.ok('PATCH', '/account/settings', { branding: { color: null } });
    await page.reload();
    await root(page, ':not([style*="--brand"])');
  });

  it('says when there is no connection, and when it is back', async () => {
    const { page } = await dashboard.enter('/');
    await heading(page, 'Overview');
    const notice = page.getByText('You are offline.');
    await page.context().setOffline(true);
    await notice.waitFor();
    await page.context().setOffline(false);
    await notice.waitFor({ state: 'detached' });
  });

  it('skips to the content by the first key', async () => {
    const { page } = await dashboard.enter('/');
    await heading(page, 'Overview');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await focused(page, '#main');
  });

  it('has its menu behind a button on a phone, closed by Escape and by a choice', async () => {
    const { page } = await dashboard.enter('/', undefined, { viewport: { width: 360, height: 720 } });
    await heading(page, 'Overview');
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect(await menu.isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.getByRole('link', { name: 'Messages' }).click();
    await heading(page, 'Messages');
    await menu.waitFor({ state: 'hidden' });
  });

  it('shows an address that leads nowhere with the menu beside it', async () => {
    const { page } = await dashboard.enter('/no/such/page');
    await heading(page, 'Not found');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('ends the session, and shows nothing of it afterwards', async () => {
    const email = await dashboard.user('leaving', 'analyst');
    const { page } = await dashboard.enter('/people', email);
    await heading(page, 'People');
    await page.getByRole('button', { name: email }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.goBack();
    await heading(page, 'Sign in');
  });
});
