import { expect } from 'chai';
import { mailServer } from '../../../carriers/smtp/mail-server.js';
import { bounceMail, mailOf } from '../../../carriers/smtp/mails.js';
import { eventually } from '../../../support/eventually.js';
import { Service } from '../../../support/service.js';

describe('email by SMTP, both ways', () => {
  let mail: Awaited<ReturnType<typeof mailServer>>;
  let service: Service;
  before(async () => {
    mail = await mailServer();
    service = await Service.start({
      HELIOGRAPH_ROUTES: '{"email":["smtp"]}',
      SMTP_URL: mail.url,
      EMAIL_FROM: 'hello@example.com',
      SMTP_RETURN_PATH: 'bounces@example.com',
      HELIOGRAPH_PUBLIC_URL: 'https://mail.example.com',
      SMTP_WEBHOOK_USER: 'mx',
      SMTP_WEBHOOK_PASSWORD: 'secret',
    });
  });
  after(async () => {
    await service?.close();
    await mail?.close();
  });

  const handed = async (bytes: Buffer) => {
    const headers = { 'Content-Type': 'message/rfc822', Authorization: `Basic ${btoa('mx:secret')}` };
    return (await fetch(`${service.url}/v1/webhooks/smtp`, { method: 'POST', headers, body: new Uint8Array(bytes) })).json();
  };

  it('goes out, rests as sent, and comes back as a bounce that suppresses its address', async () => {
    const to = 'ada@example.org';
    const { id } = (await service.api('POST', '/v1/messages/send', { channel: 'email', to, subject: 'Hello', html: '<p>Hi</p>' })).body;
    const message = async () => (await service.api('GET', `/v1/messages/${id}`)).body;
    await eventually('it is sent', async () => (await message()).status === 'sent');
    expect(mail.arrived.map(({ from, to: recipients, mail: { messageId } }) => [from, recipients, messageId])).to.deep.equal([
      [mail.arrived[0]?.from, [to], `<${id}@example.com>`],
    ]);
    expect(mail.arrived[0]?.from).to.match(new RegExp(`^bounces\\+${id}-[0-9a-z]{10}@example\\.com$`));
    expect((await message()).carrier).to.deep.include({ name: 'smtp', message_id: `${id}@example.com` });
    expect(await handed(bounceMail({ id, recipient: to }))).to.deep.equal({ result: 'receipt', message_id: id });
    await eventually('it is bounced', async () => (await message()).status === 'bounced');
    const next = async () => (await service.api('POST', '/v1/messages/send', { channel: 'email', to, message: 'Hi' })).body;
    await eventually('its address is suppressed', async () => (await next()).status_reason === 'hard_bounce');
  });

  it('is unsubscribed from by a mail to the address in its header', async () => {
    const to = 'eve@example.org';
    const news = { channel: 'email', to, subject: 'News', message: 'Spring', category: 'marketing' };
    const { id } = (await service.api('POST', '/v1/messages/send', news)).body;
    await eventually('it is sent', async () => (await service.api('GET', `/v1/messages/${id}`)).body.status === 'sent');
    const header =
      mail.arrived
        .at(-1)
        ?.raw.toString()
        .replace(/\r\n\s+/g, ' ') ?? '';
    const [, link, address = '', subject] = /^List-Unsubscribe: <(https:[^>]+)>, <mailto:([^?>]+)\?subject=(\w+)>/m.exec(header) ?? [];
    expect([link?.startsWith('https://mail.example.com/v1/public/unsubscribe/'), subject]).to.deep.equal([true, 'unsubscribe']);
    expect(await handed(mailOf([`To: ${address}`, 'From: Eve <other@example.net>', `Subject: ${subject}`], ''))).to.include({ message_id: id });
    const next = async () => (await service.api('POST', '/v1/messages/send', news)).body;
    await eventually('its recipient is out', async () => (await next()).status_reason === 'unsubscribed');
    expect((await service.api('POST', '/v1/messages/send', { ...news, category: 'transactional' })).body.status).to.equal('queued');
  });
});
