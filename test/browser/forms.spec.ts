import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { pagesInBrowser, picture, violations } from './pages.js';

const consent = { text: 'I want offers by email. See our [privacy policy](https://example.com/privacy).', version: '2026-01', channels: ['email'] };
/** Its text without the link and the full stop. */
const consentName = 'I want offers by email. See our privacy policy';
const fields = [
  { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email', help: 'We write once a month.' },
  { key: 'name', type: 'text', label: 'First name', maps_to: 'first_name' },
  { key: 'tel', type: 'phone', label: 'Phone', maps_to: 'phone' },
  { key: 'seats', type: 'number', label: 'Seats' },
  { key: 'when', type: 'date', label: 'When do you want to start?' },
  { key: 'size', type: 'select', label: 'Size of your company', options: ['1 to 10', '11 to 100', 'more'], required: true },
  { key: 'topics', type: 'multi_select', label: 'Topics', options: ['Boats', { value: 'b', label: 'Bicycles & "other" <things>' }] },
  { key: 'call', type: 'checkbox', label: 'Please call me' },
  { key: 'note', type: 'textarea', label: 'Anything else?' },
  { key: 'campaign', type: 'hidden', value: 'spring' },
];
const texts = {
  de: {
    title: 'Neuigkeiten',
    description: 'Einmal im Monat.\nAbbestellen geht immer.',
    success_message: 'Vielen Dank.\nWir schreiben Ihnen.',
    consent: 'Ich möchte Angebote per E-Mail.',
    fields: {
      email: { label: 'E-Mail', help: 'Wir schreiben einmal im Monat.' },
      name: { label: 'Vorname' },
      tel: { label: 'Telefon' },
      seats: { label: 'Plätze' },
      when: { label: 'Wann möchten Sie anfangen?' },
      size: { label: 'Größe Ihrer Firma', options: { '1 to 10': '1 bis 10', '11 to 100': '11 bis 100', more: 'mehr' } },
      topics: { label: 'Themen', options: { Boats: 'Boote', b: 'Fahrräder' } },
      call: { label: 'Bitte rufen Sie mich an' },
      note: { label: 'Sonst noch etwas?' },
    },
  },
};

describe('the pages of forms, in a browser', () => {
  const started = pagesInBrowser();
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await started.fixture.service.api(method, `/v1${path}`, body);
    expect(answer.status, answer.text).to.be.below(300);
    return answer.body;
  };
  let forms = 0;
  const form = (more: object = {}) =>
    api('POST', '/forms', {
      ...{ name: 'Newsletter', slug: `page-${++forms}`, fields, consent: { ...consent, required: true }, texts, honeypot_field: 'website' },
      ...{ status: 'live', success_message: 'Thank you.\nWe will write to you.', ...more },
    });
  const url = (path: string) => started.fixture.service.url + path;
  const contact = async (email: string) => (await api('GET', `/contacts?email=${encodeURIComponent(email)}`)).data[0];

  async function expectFits(page: Page, about: string): Promise<void> {
    expect(await violations(page), about).to.deep.equal([]);
    const [wide, room] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
    expect(wide, about).to.be.at.most(room);
  }

  async function fillIn(page: Page | ReturnType<Page['frameLocator']>, email: string): Promise<void> {
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Size of your company').selectOption('11 to 100');
    await page.getByLabel('Boats').check();
    await page.getByLabel(/^I want offers/).check();
  }

  async function expectStored(id: string, email: string): Promise<void> {
    const { id: contact_id, first_name, consents } = await contact(email);
    expect([first_name, consents]).to.deep.equal(['Ada', { email: { marketing: 'granted' } }]);
    const [proof] = (await api('GET', `/contacts/${contact_id}/consents/history`)).data;
    expect(proof.proof).to.include({ form_id: id, text: consent.text, text_version: '2026-01' });
    const [row] = (await api('GET', `/forms/${id}/submissions?contact_id=${contact_id}`)).data;
    expect(row.fields).to.deep.equal({ email, name: 'Ada', size: '11 to 100', topics: ['Boats'], campaign: 'spring' });
  }

  it('show wrong fields and take right ones, with and without a script, on a phone and a screen', async () => {
    const { id, slug } = await form();
    const looks: [string, BrowserContext][] = [
      ['phone', started.browser.phone],
      ['screen', started.browser.screen],
      ['script', await started.browser.newContext({ viewport: { width: 1_280, height: 900 }, colorScheme: 'dark', locale: 'en' })],
    ];
    for (const [look, context] of looks) {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(url(`/f/${slug}`));
      if (look !== 'screen') await expectFits(page, look);
      await picture(page, `form-${look}`, { fullPage: true });
      await page.getByLabel('Email', { exact: true }).fill('nobody');
      await page.getByLabel('Seats').fill('many');
      await page.getByRole('button').click();
      await page.getByRole('alert').getByText('Please check your entries').waitFor();
      expect(await page.locator('#e-email').textContent()).to.include('Enter an email address');
      expect(await page.locator('#e-seats').textContent()).to.equal('Enter a number, for example 4.5.');
      expect(await page.locator('#e-size').textContent()).to.equal('Please fill this in.');
      expect(await page.locator('#e-consent').textContent()).to.include('tick this box');
      expect(await page.locator('#f-email').getAttribute('aria-invalid')).to.equal('true');
      expect(await page.getByLabel('Email', { exact: true }).inputValue()).to.equal('nobody');
      if (look !== 'screen') expect(await page.locator(':focus').getAttribute('id')).to.equal('f-email');
      const summary = page.getByRole('alert').getByRole('link');
      expect(await summary.allTextContents()).to.deep.equal(['Email', 'Seats', 'Size of your company', consentName]);
      if (look !== 'screen') await expectFits(page, `${look} wrong`);
      await picture(page, `form-${look}-wrong`, { fullPage: true });
      await summary.nth(1).click();
      if (look !== 'screen') expect(await page.locator(':focus').getAttribute('id')).to.equal('f-seats');
      await page.getByLabel('Seats').fill('');
      await fillIn(page, `${look}@example.com`);
      await page.getByRole('button').click();
      await page.getByRole('status').waitFor();
      expect(await page.getByRole('status').textContent()).to.include('We will write to you.');
      if (look !== 'screen') await expectFits(page, `${look} done`);
      await picture(page, `form-${look}-done`, { fullPage: true });
      await expectStored(id, `${look}@example.com`);
      expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('status of 422'))).to.deep.equal([]);
      await page.close();
    }
    await eventually('the counts', async () => (await api('GET', `/forms/${id}/stats`)).total.starts >= 1, { within: 30_000 });
  });

  it('speak the language of the browser, and wear the colors of the account', async () => {
    const { slug } = await form();
    await api('PATCH', '/account/settings', { name: 'Acme Outdoor', branding: { logo_url: null, color: '#ffd500' } });
    const context = await started.browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'de-AT', colorScheme: 'light' });
    const page = await context.newPage();
    await page.goto(url(`/f/${slug}`));
    expect(await page.locator('html').getAttribute('lang')).to.equal('de');
    expect(await page.locator('h1').textContent()).to.equal('Neuigkeiten');
    expect(await page.locator('.from').textContent()).to.equal('Acme Outdoor');
    expect(await page.getByRole('button').textContent()).to.equal('Absenden');
    await expectFits(page, 'de');
    await picture(page, 'form-de', { fullPage: true });
    await context.close();
  });

  it('say in words for forms that one is not available, also in a frame', async () => {
    const { slug } = await form({ status: 'draft' });
    const page = await started.browser.phone.newPage();
    await page.goto(url('/health'));
    await page.setContent(`<main><h1>Shop</h1><iframe title="Newsletter" width="300" height="400" src="${url(`/f/${slug}/frame`)}"></iframe></main>`);
    await page.frameLocator('iframe').getByRole('heading', { name: 'This form is not available' }).waitFor();
    await page.goto(url(`/f/${slug}`));
    expect(await page.locator('h1').textContent()).to.equal('This form is not available');
    await expectFits(page, 'not available');
    await picture(page, 'form-not-available');
    await page.close();
  });

  it('work by the keyboard alone', async () => {
    const { id, slug } = await form({ fields: [fields[0]] });
    const page = await started.browser.phone.newPage();
    await page.goto(url(`/f/${slug}`));
    for (const key of ['Tab']) await page.keyboard.press(key);
    await page.keyboard.type('keyboard@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByLabel('Email', { exact: true }).press('Enter');
    await page.getByRole('status').waitFor();
    expect((await api('GET', `/forms/${id}/submissions`)).data).to.have.length(1);
    await page.close();
  });

  it('are put into pages of others, apart from their styles, and into frames', async () => {
    const shop = createServer((request, response) => {
      const embedded = `<script src="${started.fixture.service.url}/f/${slug}/embed.js"></script>`;
      const framed = `<iframe title="Newsletter" width="600" height="1200" src="${started.fixture.service.url}/f/${slug}/frame"></iframe>`;
      const style = '<style>* { color: red !important; font-size: 40px } label { display: none }</style>';
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `script-src ${started.fixture.service.url}; style-src 'unsafe-inline'`,
      });
      const dark = embedded.replace('<script', '<script data-theme="dark"');
      const part = { '/framed': framed, '/dark': dark }[request.url ?? ''] ?? embedded;
      response.end(`<!doctype html><html lang="en"><head><title>Shop</title>${style}</head><body><main><h1>Shop</h1>${part}</main></body></html>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const { id, slug } = await form({ allowed_origins: [origin] });
    const context = await started.browser.newContext({ viewport: { width: 800, height: 900 }, locale: 'en' });
    const page = await context.newPage();
    try {
      await page.goto(`${origin}/`);
      await page.getByRole('button').click();
      await page.getByRole('alert').getByText('Please check your entries').waitFor();
      expect(await violations(page)).to.deep.equal([]);
      await picture(page, 'form-embedded', { fullPage: true });
      // Inside a shadow root, too, the summary leads to the fields.
      await page.getByRole('alert').getByRole('link', { name: 'Size of your company' }).click();
      expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.id')).to.equal('f-size');
      await fillIn(page, 'embedded@example.com');
      await page.getByRole('button').click();
      await page.getByRole('status').waitFor();
      await expectStored(id, 'embedded@example.com');
      const look = () =>
        page.evaluate(
          "(({ backgroundColor, fontSize }) => [backgroundColor, fontSize])(getComputedStyle(document.querySelector('main > div').shadowRoot.querySelector('.card')))",
        );
      await page.goto(`${origin}/`);
      expect(await look()).to.deep.equal(['rgb(255, 255, 255)', '17px']);
      await page.goto(`${origin}/dark`);
      expect(await look()).to.deep.equal(['rgb(26, 32, 41)', '17px']);
      expect(await violations(page), 'dark').to.deep.equal([]);
      await picture(page, 'form-embedded-dark', { fullPage: true });
      await page.goto(`${origin}/framed`);
      const frame = page.frameLocator('iframe');
      await fillIn(frame, 'framed@example.com');
      await frame.getByRole('button').click();
      await frame.getByRole('status').waitFor();
      await picture(page, 'form-framed', { fullPage: true });
      await expectStored(id, 'framed@example.com');
      await api('PATCH', `/forms/${id}`, { allowed_origins: ['https://other.example'] });
      await page.goto(`${origin}/`);
      await fillIn(page, 'refused@example.com');
      await page.getByRole('button').click();
      await page.getByRole('alert').getByText('did not work').waitFor();
      expect(await contact('refused@example.com')).to.equal(undefined);
    } finally {
      await context.close();
      shop.close();
    }
  });
});
