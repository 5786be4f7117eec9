import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { preferencesPath, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { pagesInBrowser, picture } from './pages.js';

describe('the pages to unsubscribe, in a browser', () => {
  const started = pagesInBrowser();

  const contexts = (): [name: string, context: BrowserContext][] => {
    const { phone, screen } = started.browser;
    return [
      ['phone', phone],
      ['screen', screen],
    ];
  };

  async function visit(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(started.fixture.service.url)) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(started.fixture.service.url + path);
    // Its own style came through the policy, and nothing else was asked for. No page asks for an icon of its own.
    expect(complaints.filter((text) => !text.includes('favicon'))).to.deep.equal([]);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).to.equal('12px');
    return page;
  }

  it('ask first, and unsubscribe by one button, without a script', async () => {
    for (const [name, context] of contexts()) {
      const address = `${name}@example.com`;
      const page = await visit(context, unsubscribePath(await started.fixture.tokenFor(address)));
      expect(await page.locator('h1').textContent()).to.equal('Unsubscribe?');
      await picture(page, `unsubscribe-${name}`, { fullPage: true });
      expect(await started.fixture.historyOf(address)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.waitForLoadState();
      expect(await page.locator('h1').textContent()).to.equal('You have been unsubscribed');
      expect(await page.getByRole('status').textContent()).to.include('will no longer be sent');
      await picture(page, `unsubscribed-${name}`, { fullPage: true });
      expect((await started.fixture.historyOf(address)).map(({ via }: { via: string }) => via)).to.deep.equal(['page']);
      await page.reload();
      expect(await started.fixture.historyOf(address)).to.have.length(1);
      await page.goto(started.fixture.service.url + unsubscribePath(await started.fixture.tokenFor(address)));
      expect(await page.locator('h1').textContent()).to.equal('You have been unsubscribed');
      await picture(page, `unsubscribed-already-${name}`, { fullPage: true });
    }
  });

  it('let readers choose, with the keyboard alone', async () => {
    for (const [i, [name, context]] of contexts().entries()) {
      const number = `+1415555014${i}`;
      const page = await visit(context, preferencesPath(await started.fixture.tokenFor(number, 'sms')));
      await picture(page, `preferences-${name}`, { fullPage: true });
      expect(await page.getByLabel('Text messages (SMS)').isChecked()).to.equal(true);
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').getAttribute('id')).to.equal('sms');
      await page.keyboard.press('Space');
      for (let tab = 0; tab < 3; tab++) await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).to.equal('Save');
      await picture(page, `preferences-focus-${name}`, { fullPage: true });
      await page.keyboard.press('Enter');
      await page.getByRole('status').waitFor();
      expect(await page.getByRole('status').textContent()).to.equal('Your choices have been saved.');
      expect(await page.getByLabel('Text messages (SMS)').isChecked()).to.equal(false);
      expect(await page.getByLabel('WhatsApp messages').isChecked()).to.equal(true);
      await picture(page, `preferences-saved-${name}`, { fullPage: true });
      expect(await started.fixture.sent(number, 'sms')).to.equal('suppressed unsubscribed');
      expect(await started.fixture.sent(number, 'whatsapp')).to.equal('queued');
      await page.getByLabel('Text messages (SMS)').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForLoadState();
      expect(await started.fixture.sent(number, 'sms')).to.equal('queued');
    }
  });

  it('name the problem of an invalid link', async () => {
    for (const [name, context] of contexts()) {
      const page = await context.newPage();
      const answer = await page.goto(started.fixture.service.url + unsubscribePath('nothing'));
      expect(answer?.status()).to.equal(404);
      expect(await page.locator('h1').textContent()).to.equal('This link does not work');
      await picture(page, `broken-${name}`, { fullPage: true });
    }
  });

  it('can be read by everybody', async () => {
    await started.fixture.service.api('POST', '/v1/account/unsubscribes', { phone: '+14155550149', channel: 'sms', reason: 'stop_keyword' });
    await started.fixture.service.api('POST', '/v1/contacts', { phone: '+14155550149' });
    const { body: list } = await started.fixture.service.api('POST', '/v1/lists', {
      name: 'Offers of the month, from all of our shops and friends',
      opt_in: 'single',
    });
    await started.fixture.service.api('POST', `/v1/lists/${list.id}/contacts`, { phones: ['+14155550149'] });
    const preferences = preferencesPath(await started.fixture.tokenFor('+14155550149', 'whatsapp'));
    for (const [name, context] of contexts())
      for (const path of [unsubscribePath(await started.fixture.tokenFor('access@example.com')), preferences]) {
        const page = await visit(context, path);
        if (path === preferences) await picture(page, `preferences-stopped-${name}`, { fullPage: true });
        await expectReadable(page);
        await page.close();
      }
  });
});

async function expectReadable(page: Page): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).to.equal('en');
  expect(await page.title()).to.not.equal('');
  expect(await page.locator('h1').count()).to.equal(1);
  expect(await page.getByRole('main').count()).to.equal(1);
  for (const box of await page.getByRole('checkbox').all())
    expect(await box.evaluate((input) => (input as unknown as { labels: unknown[] }).labels.length)).to.equal(1);
  // Nothing is cut off or scrolls sideways, and what is pressed is as large as a thumb.
  const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]')) as [number, number];
  expect(wide, page.url()).to.be.at.most(room);
  for (const button of await page.getByRole('button').all()) expect((await button.boundingBox())?.height).to.be.at.least(44);
  for (const contrast of (await page.evaluate(CONTRASTS)) as [text: string, contrast: number][]) expect(contrast[1], contrast[0]).to.be.at.least(4.5);
}

/** The contrast of every text to what is behind it (WCAG 2.2, 1.4.3), worked out in the page. */
const CONTRASTS = `(() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgb(getComputedStyle(at).backgroundColor);
      if (color[3] === undefined || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
    .map((element) => {
      const [a, b] = [light(rgb(getComputedStyle(element).color)), light(ground(element))];
      return [element.textContent.trim().slice(0, 40), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
})()`;
