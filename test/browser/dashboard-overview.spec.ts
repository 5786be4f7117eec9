import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { dashboardInBrowser } from './dashboard.js';
import { violations } from './pages.js';

describe('the overview of the dashboard', () => {
  const dashboard = dashboardInBrowser();

  it('offers sample data to an account without people, adds it once, and removes it', async () => {
    const { service } = dashboard;
    const { page, complaints } = await dashboard.enter('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Add sample data' }).click();
    await page.getByText('The sample is added.').waitFor({ timeout: 120_000 });
    await page.getByText('There is sample data in this account.').waitFor();
    expect(await page.getByRole('button', { name: 'Add sample data' }).count()).to.equal(0);
    const { data } = await service.ok('GET', '/contacts?tag=sample&limit=200');
    expect(data).to.have.length(200);
    for (const { email } of data) expect(email).to.match(/@sandbox\.test$/);
    const [campaign] = (await service.ok('GET', '/campaigns')).data;
    await eventually('the campaign has results', async () => {
      const stats = await service.ok('GET', `/campaigns/${campaign.id}/stats`);
      expect(stats.audience).to.equal(200);
      expect(stats.clicked).to.be.greaterThan(20);
      expect(stats.opened).to.be.greaterThan(stats.clicked);
      expect(stats.bounced).to.be.greaterThan(0);
      return true;
    });
    // The numbers follow by themselves.
    const replies = page.getByRole('region', { name: 'Latest replies' }).or(page.locator('section', { hasText: 'Latest replies' }));
    await replies.getByText('Thank you, I got it.').first().waitFor();
    // What was announced when the button became busy refers to it, and is gone after some seconds.
    await page.locator('[data-live-announcer] [role=img]').waitFor({ state: 'detached' });
    expect(await violations(page)).to.deep.equal([]);

    await page.getByRole('button', { name: 'Remove sample data' }).click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('The sample is removed.').waitFor({ timeout: 120_000 });
    expect((await service.ok('GET', '/contacts?tag=sample')).data).to.deep.equal([]);
    for (const path of ['/lists', '/segments', '/templates', '/campaigns', '/journeys'])
      expect(
        (await service.ok('GET', path)).data.map(({ name }: { name: string }) => name),
        path,
      ).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('leads from a number to the messages that it counts, and keeps the period in the address', async () => {
    await dashboard.service.ok('POST', '/messages/send', { to: '+15005550002', channel: 'sms', message: 'Not to be delivered' });
    const { page } = await dashboard.enter('/');
    await page.getByRole('link', { name: '30 days' }).click();
    await page.waitForURL('**/dashboard/?period=P30D');
    await page.getByText('+15005550002').first().waitFor();
    await page.getByRole('link', { name: /^Delivered/ }).click();
    await page.waitForURL('**/dashboard/messages?*status=delivered*');
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/dashboard/?period=P30D');
  });
});
