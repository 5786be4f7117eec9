import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardInBrowser } from './dashboard.js';
import { picture, violations } from './pages.js';

const proof = { form_id: 'newsletter', text: 'I want offers by email.', text_version: '2026-01', ip: '203.0.113.9' };

describe('the pages of consent, in a browser', () => {
  const dashboard = dashboardInBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-consent-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function person(email: string): Promise<string> {
    const { id } = await dashboard.service.ok('POST', '/contacts', { email, first_name: 'Ada' });
    const said = { channel: 'email', purpose: 'marketing', source: 'web form', proof };
    await dashboard.service.ok('POST', `/contacts/${id}/consents`, { ...said, status: 'granted', occurred_at: '2026-01-10T09:00:00Z' });
    await dashboard.service.ok('POST', `/contacts/${id}/consents`, { ...said, status: 'withdrawn', occurred_at: '2026-05-03T15:00:00Z' });
    return id;
  }
  const standing = (page: Page) => page.getByRole('list', { name: 'Consents' }).getByRole('listitem');

  it('look up a person, at any moment, with the proof, and export what an auditor can check', async () => {
    const id = await person('looked-up@example.com');
    const { page, complaints } = await dashboard.enter('/consent');
    await page.getByRole('heading', { name: 'Look up a person' }).waitFor();
    await page.getByLabel('Address or contact id').fill(' Looked-Up@example.com ');
    await page.getByRole('button', { name: 'Look up' }).click();
    await standing(page).getByText('Withdrawn').waitFor();
    await page.getByText('Nothing was said for SMS').waitFor();

    await page.goto(`${dashboard.service.url}/dashboard/consent?contact_id=${id}&as_of=2026-03-01T00:00:00.000Z`);
    await standing(page).getByText('Granted').waitFor();
    await page.getByText(/You see the past, as of/).waitFor();
    await page.getByText('later than shown').waitFor();
    await standing(page).getByText('Proof').click();
    await standing(page).getByText('I want offers by email.').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await standing(page).getByText('Withdrawn').waitFor();
    expect(new URL(page.url()).searchParams.get('as_of')).to.equal(null);

    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the signed ledger' }).click();
    const download = await started;
    expect(download.suggestedFilename()).to.equal(`consents-${id}.json`);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    expect(JSON.parse(readFileSync(file, 'utf8')).entries).to.have.length(2);
    const checked = await dashboard.service.cli('audit', 'verify', file);
    expect(checked.code, checked.stderr).to.equal(0);

    await page.goto(`${dashboard.service.url}/dashboard/consent?address=stranger%40example.com`);
    await page.getByText('No contact has stranger@example.com now').waitFor();
    await page.getByText('stranger@example.com was never on the do-not-contact list.').waitFor();
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('add an address to the do-not-contact list, find it, and lift it with reason and proof', async () => {
    const { page, complaints } = await dashboard.enter('/consent/suppressions');
    await page.getByRole('heading', { level: 1, name: 'Do-not-contact list' }).waitFor();
    await page.getByRole('button', { name: 'Add an address' }).click();
    const form = page.getByRole('dialog', { name: 'Add an address' });
    await form.getByLabel('Address').fill('wrong@');
    await form.getByRole('button', { name: 'Add to the list' }).click();
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('Address').fill('lifted@example.com');
    await form.getByLabel('Marketing only').check({ force: true });
    await form.getByLabel('Source').fill('phone call');
    await form.getByRole('button', { name: 'Add to the list' }).click();
    const row = page.getByRole('row').filter({ hasText: 'lifted@example.com' });
    await row.getByText('No marketing').waitFor();

    await row.getByRole('link').click();
    await page.waitForURL(/open=sup_/);
    const entry = page.getByRole('dialog', { name: 'lifted@example.com' });
    await entry.getByText('phone call').first().waitFor();
    await entry.getByRole('button', { name: 'Lift' }).click();
    const question = page.getByRole('alertdialog', { name: 'Lift this entry?' });
    await question.getByLabel('Reason').fill('They called again');
    await question.getByLabel('Proof').fill('Ticket 17: please write to me');
    await question.getByRole('button', { name: 'Lift the entry' }).click();
    await row.waitFor({ state: 'detached' });

    await page.goto(`${dashboard.service.url}/dashboard/consent?address=lifted%40example.com`);
    await page.getByText('They called again', { exact: true }).waitFor();
    await page.getByText('Ticket 17: please write to me', { exact: true }).waitFor();
    const { data } = await dashboard.service.ok('GET', '/account/unsubscribes?address=lifted%40example.com');
    expect(data).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    await page.context().close();

    const analyst = await dashboard.enter('/consent/suppressions', await dashboard.user('auditor', 'analyst'));
    await analyst.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await analyst.page.getByRole('button', { name: 'Add an address' }).count()).to.equal(0);
    await analyst.page.context().close();
  });

  it('have no accessibility problem and fit, light and dark, on a screen and a phone', async () => {
    const id = await person('seen@example.com');
    await dashboard.service.ok('POST', '/account/unsubscribes', { email: 'seen@example.com', reason: 'legal' });
    const [entry] = (await dashboard.service.ok('GET', '/account/unsubscribes?address=seen%40example.com')).data;
    const paths = ['/consent', '/consent?address=seen@example.com', `/consent?contact_id=${id}&as_of=2026-03-01T00:00:00.000Z`];
    const lists = ['/consent/suppressions', `/consent/suppressions?open=${entry.id}`];
    const { page } = await dashboard.enter('/consent');
    for (const width of [1_440, 360]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        for (const [i, path] of [...paths, ...lists].entries()) {
          const about = `${path} ${width} ${colorScheme}`;
          await page.goto(`${dashboard.service.url}/dashboard${path}`);
          await page.getByRole('heading').first().waitFor();
          await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
          // What slides in is judged where it stands.
          await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
          expect(await violations(page), about).to.deep.equal([]);
          const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
          expect(wide, about).to.be.at.most(room);
          await picture(page, `dashboard-consent-${i}-${width}-${colorScheme}`);
        }
      }
    }
    await page.context().close();
  });
});
