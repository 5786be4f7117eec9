import { expect } from 'chai';
import { mailServer } from '../../../carriers/smtp/mail-server.js';
import { bounceMail } from '../../../carriers/smtp/mails.js';
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
      SMTP_WEBHOOK_USER: 'mx',
      SMTP_WEBHOOK_PASSWORD: 'secret',
    });
  });
  after(async () => {
    await service?.close();
    await mail?.close();
  });

  it('goes out, rests as sent, and comes back as a bounce that suppresses its address', async () => {
    const to = 'ada@example.org';
    const { id } = (await service.api('POST', '/v1/messages/send', { channel: 'email', to, subject: 'Hello', html: '<p>Hi</p>' })).body;
    const message = async () => (await service.api('GET', `/v1/messages/${id}`)).body;
    await eventually('it is sent', async () => (await message()).status === 'sent');
    expect(mail.arrived.map(({ from, to: recipients, mail: { messageId } }) => [from, recipients, messageId])).to.deep.equal([
      ['hello@example.com', [to], `<${id}@example.com>`],
    ]);
    expect((await message()).carrier).to.deep.include({ name: 'smtp', message_id: `${id}@example.com` });
    const answer = await fetch(`${service.url}/v1/webhooks/smtp`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822', Authorization: `Basic ${btoa('mx:secret')}` },
      body: new Uint8Array(bounceMail({ id, recipient: to })),
    });
    expect(await answer.json()).to.deep.equal({ result: 'receipt', message_id: id });
    await eventually('it is bounced', async () => (await message()).status === 'bounced');
    const next = async () => (await service.api('POST', '/v1/messages/send', { channel: 'email', to, message: 'Hi' })).body;
    await eventually('its address is suppressed', async () => (await next()).status_reason === 'hard_bounce');
  });
});
