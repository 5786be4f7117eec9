import { expect } from 'chai';
import { bounceMail, complaintMail, mailOf } from '../carriers/smtp/mails.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { sharedMailUser } from '../support/shared-settings.js';
import { reportOnMany } from '../webhooks/large-reports.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('mail that comes in', () => {
  const service = Service.guest();

  const hand = async (mail: Buffer, authorization = basic(sharedMailUser), contentType = 'message/rfc822') => {
    const answer = await fetch(`${service.url}/v1/webhooks/smtp`, {
      method: 'POST',
      headers: { 'Content-Type': contentType, Authorization: authorization },
      body: new Uint8Array(mail),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const sent = async (to: string, more: object = {}): Promise<string> => {
    const { id } = (await service.api('POST', '/v1/messages/send', { channel: 'email', to, subject: 'Hello', message: 'Hi', ...more })).body;
    await eventually('it is delivered', async () => (await messageOf(id)).status === 'delivered');
    return id;
  };
  const messageOf = async (id: string) => (await service.api('GET', `/v1/messages/${id}`)).body;
  const reasonsOf = async (address: string) =>
    (await service.api('GET', `/v1/account/unsubscribes/history?${new URLSearchParams({ address })}`)).body.data.flatMap(
      ({ reasons }: { reasons: string[] }) => reasons,
    );

  it('bounces a message and suppresses its address, once', async () => {
    const to = 'gone@example.org';
    const id = await sent(to);
    const mail = bounceMail({ id, recipient: to });
    expect(await hand(mail)).to.deep.equal({ status: 200, body: { result: 'receipt', message_id: id } });
    expect((await hand(mail)).status).to.equal(200);
    await eventually('it is bounced', async () => (await messageOf(id)).status === 'bounced');
    expect(await messageOf(id)).to.deep.include({ status_reason: 'hard_bounce' });
    await eventually('the address is suppressed', async () => (await reasonsOf(to)).length > 0);
    expect(await reasonsOf(to)).to.deep.equal(['bounced']);
    const timeline = (await service.api('GET', `/v1/messages/${id}/events`)).body.data;
    expect(timeline.filter(({ type }: { type: string }) => /bounced/i.test(type))).to.have.length(1);
    expect((await service.api('POST', '/v1/messages/send', { channel: 'email', to, message: 'Hi' })).body).to.include({
      status: 'suppressed',
      status_reason: 'hard_bounce',
    });
  });

  it('suppresses nobody after a bounce of this message only', async () => {
    const to = 'full@example.org';
    const id = await sent(to);
    await hand(bounceMail({ id, recipient: to, status: '5.2.2' }));
    await eventually('it is bounced', async () => (await messageOf(id)).status === 'bounced');
    expect((await service.api('POST', '/v1/messages/send', { channel: 'email', to, message: 'Hi' })).body).to.include({ status: 'queued' });
  });

  it('suppresses an address for marketing once as many soft bounces follow each other as the account allows', async () => {
    const to = 'often-full@example.org';
    const settings = async (soft_bounce_limit: unknown) => (await service.api('PATCH', '/v1/account/settings', { soft_bounce_limit })).status;
    expect(await settings({ count: 1, within: 'P30D' })).to.equal(422);
    expect(await settings({ count: 2, within: 'P30D' })).to.equal(200);
    const ids = [await sent(to), await sent(to), await sent(to)];
    const full = (id: string, said = 'mailbox full') => hand(bounceMail({ id, recipient: to, status: '5.2.2', said }));
    await hand(bounceMail({ id: ids[2] ?? '', recipient: to, status: '5.0.0', said: 'no' }));
    await full(ids[0] ?? '');
    await full(ids[0] ?? '', 'mailbox full, once more');
    await eventually('it is bounced', async () => (await messageOf(ids[0] ?? '')).status === 'bounced');
    expect(await reasonsOf(to), 'one, and one of an unknown kind').to.deep.equal([]);
    await full(ids[1] ?? '');
    await eventually('the address is suppressed', async () => (await reasonsOf(to)).length > 0);
    expect(await reasonsOf(to)).to.deep.equal(['soft_bounces']);
    const marketing = (
      await service.api('POST', '/v1/messages/send', { channel: 'email', to, subject: 'News', message: 'Hi', category: 'marketing' })
    ).body;
    expect(marketing).to.include({ status: 'suppressed', status_reason: 'soft_bounces' });
    const { chain } = (await service.api('GET', `/v1/messages/${marketing.id}/why`)).body;
    const refused = chain.find(({ result }: { result: string }) => result === 'refused').details;
    expect(refused.soft_bounces.map(({ message_id }: { message_id: string }) => message_id)).to.deep.equal(ids.slice(0, 2));
    expect(refused.soft_bounce_limit).to.deep.equal({ count: 2, within_ms: 30 * 86_400_000 });
    expect((await service.api('POST', '/v1/messages/send', { channel: 'email', to, subject: 'Invoice', message: 'Hi' })).body).to.include({
      status: 'queued',
    });
    expect(await settings(null)).to.equal(200);
  });

  it('counts of a report on several recipients what it says of the recipient of the message', async () => {
    const to = 'gone-of-two@example.org';
    const id = await sent(to);
    const mail = bounceMail({ id, recipient: 'elsewhere@example.org', status: '5.2.2', said: 'mailbox full' }).toString();
    const blocks = [
      `Final-Recipient: rfc822; ${to}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 unknown user',
      '',
      '--limit\r\nContent-Type: message/rfc822',
    ];
    await hand(Buffer.from(mail.replace('--limit\r\nContent-Type: message/rfc822', blocks.join('\r\n'))));
    await eventually('the address is suppressed', async () => (await reasonsOf(to)).length > 0);
    expect(await messageOf(id)).to.include({ status: 'bounced', status_reason: 'hard_bounce' });
    const kept = await sent('full-of-two@example.org');
    const other = bounceMail({ id: kept, recipient: 'elsewhere@example.org' }).toString();
    const full = [
      'Final-Recipient: rfc822; full-of-two@example.org',
      'Action: failed',
      'Status: 5.2.2',
      '',
      '--limit\r\nContent-Type: message/rfc822',
    ];
    await hand(Buffer.from(other.replace('--limit\r\nContent-Type: message/rfc822', full.join('\r\n'))));
    await eventually('it is bounced', async () => (await messageOf(kept)).status === 'bounced');
    expect(await messageOf(kept)).to.include({ status_reason: 'carrier_rejected' });
    expect(await reasonsOf('full-of-two@example.org')).to.deep.equal([]);
  });

  it('suppresses the address of a copy alone', async () => {
    const [to, cc] = ['fine@example.org', 'gone-copy@example.org'];
    const id = await sent(to, { cc: [cc] });
    await hand(bounceMail({ id, recipient: cc }));
    await eventually('the copy is suppressed', async () => (await reasonsOf(cc)).length > 0);
    expect((await messageOf(id)).status).to.equal('delivered');
    expect(await reasonsOf(to)).to.deep.equal([]);
  });

  it('records complaints and unsubscriptions', async () => {
    const [first, second] = [await sent('angry@example.org'), await sent('tired@example.org')];
    await hand(complaintMail(first));
    const unsubscribes = mailOf([`To: bounces+${second}@example.com`, 'Subject: unsubscribe'], '').toString();
    await hand(Buffer.from(unsubscribes.replace('ada@example.org', 'tired@example.org')));
    await eventually('both are out', async () => (await reasonsOf('angry@example.org')).length + (await reasonsOf('tired@example.org')).length === 2);
    expect([await reasonsOf('angry@example.org'), await reasonsOf('tired@example.org')]).to.deep.equal([['complained'], ['unsubscribed']]);
  });

  it('lists replies, each once', async () => {
    const id = await sent('ada@example.org');
    const reply = mailOf([`In-Reply-To: <${id}@example.com>`, 'Subject: Re: Hello', 'To: desk@example.com']);
    expect((await hand(reply)).body).to.deep.equal({ result: 'email', message_id: id });
    await hand(reply);
    const listed = async () => (await service.api('GET', '/v1/inbound-messages?channel=email')).body.data;
    await eventually('it is listed', async () => (await listed()).length > 0);
    expect(await listed()).to.have.length(1);
    expect((await listed())[0]).to.deep.include({ from: 'ada@example.org', subject: 'Re: Hello', message_id: id, automatic: false, carrier: 'smtp' });
  });

  it('records replies of people at their message, once, and notifies endpoints of each once', async () => {
    const endpoint = (await service.api('POST', '/v1/webhook-endpoints', { url: 'https://example.com/hooks', events: ['message.received'] })).body;
    const id = await sent('zoe@example.org');
    const fields = [`In-Reply-To: <${id}@example.com>`, 'Subject: Re: Hello', 'To: desk@example.com'];
    const mail = (name: string, more: readonly string[] = []) =>
      Buffer.from(
        mailOf([...fields, ...more])
          .toString('latin1')
          .replace('<r1@', `<${name}@`),
        'latin1',
      );
    for (const one of [mail('z1'), mail('z1'), mail('z2', ['Auto-Submitted: auto-replied']), mail('z3')])
      expect((await hand(one)).body).to.deep.equal({ result: 'email', message_id: id });
    const timeline = (await service.api('GET', `/v1/messages/${id}/events?limit=200`)).body.data as { type: string }[];
    expect(timeline.filter(({ type }) => /replied/i.test(type))).to.have.length(2);
    expect((await messageOf(id)).status).to.equal('delivered');
    const deliveries = async () => (await service.api('GET', `/v1/webhook-endpoints/${endpoint.id}/deliveries`)).body.data;
    // The last mail comes after the first reply was recorded.
    await eventually('all are notified', async () => (await deliveries()).length >= 2);
    expect(await deliveries(), 'what a program answered is no news').to.have.length(2);
    await service.api('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
  });

  it('is unclaimed, where no message of ours is named', async () => {
    const mail = bounceMail({ id: 'msg_01JZ0000000000000000000000', recipient: 'ada@example.org' });
    expect(await hand(mail)).to.deep.equal({ status: 200, body: { result: 'unclaimed', message_id: null } });
    expect(await hand(Buffer.from('no mail at all \0 \xff', 'latin1'))).to.deep.include({ status: 200 });
  });

  it('records a report on thousands of recipients with a few events, and says what it left out', async () => {
    const to = 'many@example.org';
    const id = await sent(to);
    const mail = reportOnMany({ to: `bounces+${id}@example.com`, recipients: 3_000 });
    expect((await hand(mail)).body).to.deep.equal({ result: 'receipt', message_id: id, recipients_cut: 2_950 });
    await eventually('it is bounced', async () => (await messageOf(id)).status === 'bounced');
    const timeline = (await service.api('GET', `/v1/messages/${id}/events?limit=200`)).body.data;
    expect(timeline.filter(({ type }: { type: string }) => /bounced/i.test(type))).to.have.length(1);
    const unknown = reportOnMany({ to: 'bounces+msg_01JZ0000000000000000000000@example.com', recipients: 3_000 });
    expect((await hand(unknown)).body).to.deep.equal({ result: 'unclaimed', message_id: null, recipients_cut: 2_950 });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.include('heliograph_reported_recipients_cut_total{carrier="smtp"} 5900');
    expect(metrics).to.include('heliograph_todos_waiting{process="webhooks/claim-reports"} 0');
  });

  it('changes nothing without the credentials, and answers every cause alike', async () => {
    const id = await sent('kept@example.org');
    const mail = bounceMail({ id, recipient: 'kept@example.org' });
    const answers = await Promise.all(['', 'Basic', basic('mx:wrong'), basic('mx'), 'Bearer x'].map((authorization) => hand(mail, authorization)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([401]));
    const bodies = answers.map(({ body }) => JSON.stringify({ ...body, request_id: null, error: { ...body.error, request_id: null } }));
    expect(new Set(bodies)).to.have.property('size', 1);
    expect((await messageOf(id)).status).to.equal('delivered');
  });
});
