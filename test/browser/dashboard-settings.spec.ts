import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { button, dashboardInBrowser, row } from './dashboard.js';

describe('the settings of the dashboard', () => {
  const dashboard = dashboardInBrowser();
  const panel = (page: Page, title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
  const settings = () => dashboard.service.ok('GET', '/account/settings');

  it('save each part by itself, and say at its field what is wrong', async () => {
    const { page, complaints } = await dashboard.enter('/settings/account');
    const quiet = panel(page, 'Quiet hours');
    await quiet.getByText('Keep quiet hours').click();
    await quiet.getByLabel('From').fill('22:00');
    await quiet.getByLabel('Until').fill('22:00');
    await quiet.getByRole('button', { name: 'Save' }).click();
    await quiet.getByText('Quiet hours must end at another time than they start.').waitFor();
    await quiet.getByLabel('Until').fill('07:30');
    await quiet.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await settings()).quiet_hours).to.deep.equal({ enabled: true, start: '22:00', end: '07:30' });

    const caps = panel(page, 'Frequency caps');
    await caps.getByRole('button', { name: 'Add a cap' }).click();
    await caps.getByLabel('At most').fill('0');
    await caps.getByRole('button', { name: 'Save' }).click();
    await eventually('the problem is at its field', async () => (await caps.getByLabel('At most').getAttribute('aria-invalid')) === 'true');
    await caps.getByLabel('At most').fill('2');
    await caps.getByRole('button', { name: 'Save' }).click();
    await eventually('the cap is stored', async () => (await settings()).frequency_caps.length === 1);
    expect((await settings()).frequency_caps).to.deep.equal([{ channel: 'any', max: 2, per: 'P7D' }]);

    const senders = panel(page, 'Senders');
    await senders.getByLabel('Email').fill('News <news@example.com>');
    await senders.getByRole('button', { name: 'Save' }).click();
    await eventually('the sender is stored', async () => (await settings()).senders.email === 'News <news@example.com>');
    expect(complaints).to.deep.equal([]);
  });

  it('keep what was typed over other pages and a reload, until it is saved or discarded', async () => {
    const { page } = await dashboard.enter('/settings/account');
    const general = panel(page, 'Name, time and language');
    const { name: before } = await settings();
    await general.getByLabel('Name', { exact: true }).fill('Half typed');
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await page.goBack();
    expect(await general.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half typed');
    await page.reload();
    await general.getByRole('button', { name: 'Discard' }).click();
    expect(await general.getByLabel('Name', { exact: true }).inputValue()).to.equal(before);
    expect((await settings()).name).to.equal(before);
  });

  it('take a change beside another one, and show both where two people changed the same', async () => {
    const { page } = await dashboard.enter('/settings/branding');
    const color = page.getByLabel('Color');
    await color.fill('#112233');
    await dashboard.service.ok('PATCH', '/account/settings', { churn_window: 'P30D' });
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    expect((await settings()).branding.color).to.equal('#112233');

    await color.fill('#445566');
    await dashboard.service.ok('PATCH', '/account/settings', { branding: { color: '#778899' } });
    await button(page, 'Save').click();
    const note = page.getByRole('alert');
    await note.getByRole('cell', { name: '#778899' }).waitFor();
    expect(await note.getByRole('row').last().getByRole('cell').allTextContents()).to.deep.equal(['#445566', '#778899']);
    await note.getByRole('button', { name: 'Take theirs' }).click();
    expect(await color.inputValue()).to.equal('#778899');
    expect((await settings()).branding.color).to.equal('#778899');
  });

  it('add a user with a password, change the role, disable and remove them by their email', async () => {
    const { page, complaints } = await dashboard.enter('/settings/users');
    await button(page, 'Add a user').click();
    const add = page.getByRole('dialog', { name: 'Add a user' });
    await add.getByLabel('Email').fill('new@example.com');
    await add.getByText('Looks at everything').click();
    await add.getByText('With a password from you').click();
    await add.getByLabel('Password', { exact: true }).fill('short');
    await add.getByRole('button', { name: 'Add the user' }).click();
    await add.getByText(/Use at least \d+ characters/).waitFor();
    await add.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await add.getByRole('button', { name: 'Add the user' }).click();
    await row(page, 'new@example.com').getByText('Analyst').waitFor();

    const ask = async (what: string): Promise<void> => {
      await button(page, 'Actions for new@example.com').click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await ask('Change…');
    const change = page.getByRole('dialog', { name: 'Change new@example.com' });
    await change.getByText('Reads and writes, but not').click();
    await change.getByText('May sign in').click();
    await change.getByRole('button', { name: 'Save' }).click();
    await row(page, 'new@example.com').getByText('Disabled').waitFor();
    await row(page, 'new@example.com').getByText('Member').waitFor();
    await ask('Remove…');
    await page.getByRole('alertdialog').getByRole('textbox').fill('new@example.com');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await row(page, 'new@example.com').waitFor({ state: 'detached' });
    expect(complaints).to.deep.equal([]);
  });

  it('lead who was invited to a password of their own and into the dashboard, once', async () => {
    const { stdout, stderr } = await dashboard.service.cli(
      'user',
      'invite',
      '--account',
      dashboard.service.accountId,
      '--email',
      'guest@example.com',
      '--json',
    );
    expect(stderr).to.equal('');
    const path = new URL(JSON.parse(stdout).url).pathname.replace('/dashboard', '');
    const { page } = await dashboard.open(path);
    await page.getByLabel('Your name').fill('A guest');
    await page.getByLabel('Password', { exact: true }).fill('a guest of the house');
    await button(page, 'Accept the invitation').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const again = (await dashboard.open(path)).page;
    await again.getByLabel('Password', { exact: true }).fill('another guest of the house');
    await button(again, 'Accept the invitation').click();
    await again.getByRole('alert').waitFor();
  });

  it('let a forgotten password be replaced by a link, once', async () => {
    const email = await dashboard.user('forgetful', 'member');
    const { page } = await dashboard.open('/sign-in');
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await page.getByRole('heading', { level: 1, name: 'Forgotten your password?' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await button(page, 'Send the link').click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    const { stdout } = await dashboard.service.cli('user', 'reset-link', '--email', email, '--json');
    const path = new URL(JSON.parse(stdout).url).pathname;
    await page.goto(`${dashboard.service.url}${path}`);
    await page.getByLabel('New password').fill('remembered from now on');
    await button(page, 'Change the password').click();
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await page.goto(`${dashboard.service.url}${path}`);
    await page.getByLabel('New password').fill('remembered once more');
    await button(page, 'Change the password').click();
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  it('tell in the activity who changed what, narrowed by the address', async () => {
    await dashboard.service.ok('PATCH', '/account/settings', { name: 'Told in the activity' });
    const { page, complaints } = await dashboard.enter('/settings/activity?action=settings.update');
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: 'settings.update' });
    await drawer.getByRole('row').filter({ hasText: 'Told in the activity' }).waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    await page.goto(`${dashboard.service.url}/dashboard/settings/activity?action=nothing.like.this`);
    await page.getByRole('alert').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('show who may only look everything, without the buttons', async () => {
    const { page } = await dashboard.enter('/settings/account', await dashboard.user('observer', 'analyst'));
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(await button(page, /Save|Add a cap/).count()).to.equal(0);
    expect(await page.getByLabel('Name', { exact: true }).isEditable()).to.equal(false);
    await page.getByRole('link', { name: 'Users' }).click();
    await row(page, 'observer@example.com').waitFor();
    expect(await button(page, /Add a user|Actions for/).count()).to.equal(0);
    await page.getByRole('link', { name: 'Security' }).click();
    await button(page, 'Set up').waitFor();
  });
});
