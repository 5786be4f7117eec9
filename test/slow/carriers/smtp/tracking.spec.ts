import { expect } from 'chai';
import { mailServer } from '../../../carriers/smtp/mail-server.js';
import { eventually } from '../../../support/eventually.js';
import { Service } from '../../../support/service.js';

const PUBLIC = 'https://mail.example.com';
const TARGET = 'https://shop.example/sale?a=1&b=ü#top';
const HTML = `<html><body><a href="https://shop.example/sale?a=1&amp;b=ü#top">Sale</a></body></html>`;
const READER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0' };

describe('email by SMTP with tracking', () => {
  let mail: Awaited<ReturnType<typeof mailServer>>;
  let service: Service;
  const settings = () => ({
    HELIOGRAPH_ROUTES: '{"email":["smtp"]}',
    SMTP_URL: mail.url,
    EMAIL_FROM: 'hello@example.com',
    HELIOGRAPH_PUBLIC_URL: PUBLIC,
  });
  before(async () => {
    mail = await mailServer();
    service = await Service.start({ ...settings(), HELIOGRAPH_SMTP_TRACKING: 'true' });
  });
  after(async () => {
    await service?.close();
    await mail?.close();
  });

  async function sent(from: Service, more: object = {}) {
    const content = { channel: 'email', to: 'ada@example.org', subject: 'Sale', html: HTML, message: `Sale: ${TARGET}` };
    const { id } = (await from.api('POST', '/v1/messages/send', { ...content, ...more })).body;
    const arrived = await eventually('the mail has arrived', () => mail.arrived.find(({ mail: { messageId } }) => messageId?.includes(id)));
    const html = arrived.mail.html || '';
    const pathOf = (kind: 'o' | 'c') => new RegExp(`${PUBLIC}(/v1/public/${kind}/[\\w-]+)`).exec(html)?.[1] ?? '';
    return { id, html, text: arrived.mail.text ?? '', open: pathOf('o'), click: pathOf('c') };
  }
  const get = (path: string, headers: Record<string, string> = READER) => fetch(service.url + path, { headers, redirect: 'manual' });
  const engagements = async (id: string) => {
    const { data } = (await service.api('GET', `/v1/messages/${id}/events?limit=200`)).body;
    return data.filter(({ type }: { type: string }) => /MessageOpened|MessageClicked|opened|clicked/.test(type));
  };

  it('is recorded as opened and clicked, once each, and leads where the mail led', async () => {
    const { id, html, text, open, click } = await sent(service);
    expect(html).to.not.include('shop.example');
    expect(text.trim()).to.equal(`Sale: ${TARGET}`);
    for (const _ of [1, 2]) {
      const pixel = await get(open);
      expect([pixel.status, pixel.headers.get('content-type'), pixel.headers.get('cache-control')]).to.deep.equal([200, 'image/gif', 'no-store']);
      expect(Buffer.from(await pixel.arrayBuffer()).subarray(0, 10)).to.deep.equal(Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1'));
      const target = await get(click);
      expect([target.status, target.headers.get('location')]).to.deep.equal([302, new URL(TARGET).href]);
      expect(target.headers.get('cache-control')).to.equal('no-store');
    }
    const recorded = await engagements(id);
    expect(recorded, JSON.stringify(recorded)).to.have.length(2);
    const shown = await eventually('they are counted', async () => {
      const { engagement } = (await service.api('GET', `/v1/messages/${id}`)).body;
      return engagement?.clicks > 0 && engagement;
    });
    expect(shown, JSON.stringify(shown)).to.deep.include({ opens: 1, clicks: 1 });
  });

  it('marks the opens and clicks of programs', async () => {
    const { id, open, click } = await sent(service);
    await get(open, { 'User-Agent': 'Mozilla/5.0' });
    expect((await get(click, { ...READER, 'Sec-Purpose': 'prefetch' })).status).to.equal(302);
    expect((await get(click, { 'User-Agent': 'Barracuda Sentinel' })).status).to.equal(302);
    const recorded = await engagements(id);
    expect(recorded, JSON.stringify(recorded)).to.have.length(2);
    expect(JSON.stringify(recorded)).to.include('machine_open').and.include('machine_click');
    await get(open);
    expect(await engagements(id)).to.have.length(3);
    const { engagement } = (await service.api('GET', `/v1/messages/${id}`)).body;
    expect(engagement).to.include({ clicks: 0 });
  });

  it('answers 404 to forged links, and redirects nowhere', async () => {
    const { id, open, click } = await sent(service);
    const token = click.slice('/v1/public/c/'.length);
    const mac = Buffer.from(token, 'base64url').subarray(0, 16);
    const elsewhere = Buffer.concat([mac, Buffer.from(`${id}\nhttps://evil.example/`)]).toString('base64url');
    const forged = [
      `${click}A`,
      `/v1/public/c/${elsewhere}`,
      '/v1/public/c/x',
      open.replace('/o/', '/c/'),
      click.replace('/c/', '/o/'),
      `${open.slice(0, -1)}`,
    ];
    for (const path of forged) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('location')]).to.deep.equal([path, 404, null]);
    }
    expect(await engagements(id)).to.deep.equal([]);
  });

  it('leaves links to unsubscribe and to preferences as they are', async () => {
    const { html } = await sent(service, { category: 'marketing' });
    expect(html)
      .to.match(/href="https:\/\/mail\.example\.com\/v1\/public\/unsubscribe\//)
      .and.match(/href="https:\/\/mail\.example\.com\/v1\/public\/preferences\//);
  });

  it('is off by default', async () => {
    const other = await Service.start(settings());
    try {
      expect((await sent(other)).html)
        .to.include(HTML)
        .and.not.include('/v1/public/');
    } finally {
      await other.close();
    }
  });
});
