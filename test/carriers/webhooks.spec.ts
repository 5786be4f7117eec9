import { createRequire } from 'node:module';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const require = createRequire(import.meta.url);
const { getExpectedTwilioSignature } = require('twilio/lib/webhooks/webhooks.js') as typeof import('twilio/lib/webhooks/webhooks.js');

const PUBLIC_URL = 'https://hooks.example.com';
const TOKEN = 'token-of-twilio';
/** The sandbox accepts its messages and reports nothing. */
const SILENT = '+15005550004';
const SENDER = '+14155550199';
const BASIC = `Basic ${Buffer.from('post:mark').toString('base64')}`;

describe('webhooks of carriers', () => {
  const service = Service.own({
    HELIOGRAPH_PUBLIC_URL: PUBLIC_URL,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: TOKEN,
    POSTMARK_SERVER_TOKEN: 'server',
    POSTMARK_WEBHOOK_USER: 'post',
    POSTMARK_WEBHOOK_PASSWORD: 'mark',
    SENDGRID_API_KEY: 'key',
    SENDGRID_INBOUND_SECRET: 'inbound-secret',
    HELIOGRAPH_RATE_LIMITS: JSON.stringify({ send: 1_000_000, bulk: 1_000_000, general: 1_000_000, login: 1_000_000 }),
  });

  const post = async (path: string, body: string | FormData, headers: Readonly<Record<string, string>>) => {
    const reply = await fetch(service.url + path, { method: 'POST', body, headers });
    return { status: reply.status, text: await reply.text() };
  };
  const twilio = (fields: Record<string, string>, { query = '', sign = true } = {}) => {
    const path = `/v1/webhooks/twilio${query}`;
    const signature = getExpectedTwilioSignature(sign ? TOKEN : 'another', PUBLIC_URL + path, fields);
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', 'x-twilio-signature': signature };
    return post(path, new URLSearchParams(fields).toString(), headers);
  };
  const postmark = (record: object, authorization = BASIC) =>
    post('/v1/webhooks/postmark', JSON.stringify(record), { 'content-type': 'application/json', authorization });

  const send = async (body: object, headers = {}): Promise<string> =>
    (await service.api('POST', '/v1/messages/send', { channel: 'sms', message: 'Hi', to: SILENT, ...body }, headers)).body.id;
  const read = async (id: string, headers = {}) => (await service.api('GET', `/v1/messages/${id}`, undefined, headers)).body;
  const status = async (id: string): Promise<string> => (await read(id)).status;
  const events = async (id: string): Promise<string[]> =>
    (await service.api('GET', `/v1/messages/${id}/events`)).body.data.map(({ type }: { type: string }) => type);
  const sent = async (body: object = {}, headers = {}): Promise<string> => {
    const id = await send(body, headers);
    await eventually('it is sent', async () => (await read(id, headers)).status === 'sent');
    return id;
  };
  const replies = async (id: string, headers = {}): Promise<string[]> => {
    const timeline = (await service.api('GET', `/v1/messages/${id}/events`, undefined, headers)).body.data;
    return timeline.flatMap(({ type, data }: { type: string; data: { text: string } }) => (type === 'MessageReplied' ? [data.text] : []));
  };
  const inbound = async (query: object, headers = {}) =>
    (await service.api('GET', `/v1/inbound-messages?${new URLSearchParams({ ...query })}`, undefined, headers)).body.data;

  it('deliver a message by our id, whatever comes twice or late', async () => {
    const id = await sent();
    const query = `?message_id=${id}`;
    const report = (MessageStatus: string) => twilio({ MessageSid: 'SM1', MessageStatus, To: SILENT }, { query });
    expect(await report('delivered')).to.deep.equal({ status: 204, text: '' });
    expect(await status(id)).to.equal('delivered');
    const { text: shown } = await service.api('GET', `/v1/messages/${id}/events`);
    expect(shown).to.include('MessageDispatchStarted').and.not.to.include('peer_key');
    for (const again of ['delivered', 'sent', 'delivered', 'undelivered']) expect((await report(again)).status).to.equal(204);
    expect(await status(id)).to.equal('delivered');
    expect((await events(id)).filter((type) => type === 'MessageDelivered')).to.have.lengthOf(1);
  });

  it('that are forged change nothing, and have one answer for all causes', async () => {
    const id = await sent();
    const before = await events(id);
    const query = `?message_id=${id}`;
    const fields = { MessageSid: 'SM2', MessageStatus: 'delivered' };
    const answers = [
      await twilio(fields, { query, sign: false }),
      await post(`/v1/webhooks/twilio${query}`, new URLSearchParams(fields).toString(), {}),
      await postmark({ RecordType: 'Delivery', MessageID: 'x', Metadata: { message_id: id } }, 'Basic AAAA'),
      await post('/v1/webhooks/vonage', JSON.stringify({ message_uuid: 'x', status: 'delivered', client_ref: id }), {}),
      await post('/v1/webhooks/sendgrid', JSON.stringify([{ event: 'delivered', message_id: id }]), {}),
      await post('/v1/webhooks/ses', JSON.stringify({ Type: 'Notification' }), { 'content-type': 'text/plain' }),
      await post('/v1/webhooks/sendgrid/inbound/wrong', new FormData(), {}),
    ];
    expect(answers.map(({ status: code }) => code)).to.deep.equal(answers.map(() => 401));
    const bodies = answers.map(({ text }) => JSON.stringify({ ...JSON.parse(text), request_id: '' }));
    expect(new Set(bodies).size, bodies.join('\n')).to.equal(1);
    expect(await events(id)).to.deep.equal(before);
  });

  it('bounce an address, which is suppressed', async () => {
    const to = 'nobody@example.com';
    const id = await send({ channel: 'email', to, subject: 'Hi', message: 'Hi' });
    await eventually('it is handed over', async () => ['sent', 'delivered'].includes(await status(id)));
    const bounce = {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      ID: 1,
      MessageID: 'pm-1',
      Metadata: { message_id: id },
      BouncedAt: new Date().toISOString(),
    };
    expect((await postmark(bounce)).status).to.equal(200);
    expect(await status(id)).to.equal('bounced');
    const suppressed = async () => (await service.api('GET', `/v1/account/unsubscribes?address=${to}`)).body.data.length === 1;
    await eventually('the address is suppressed', suppressed);
  });

  it('suppress a number that the carrier has as opted out, until the person sends START', async () => {
    const to = '+14155550144';
    const id = await sent({ to, from: SENDER });
    const query = `?message_id=${id}`;
    expect((await twilio({ MessageSid: 'SM-o', MessageStatus: 'undelivered', ErrorCode: '21610' }, { query })).status).to.equal(204);
    expect(await read(id)).to.include({ status: 'undelivered', status_reason: 'stop_keyword' });
    const entries = async () => (await service.api('GET', `/v1/account/unsubscribes?address=${encodeURIComponent(to)}`)).body.data;
    await eventually('the number is suppressed', async () => (await entries()).length === 1);
    const [{ reasons }] = await entries();
    expect(reasons[0]).to.include({ reason: 'stop_keyword', scope: 'all', source: 'carrier', via: 'carrier', message_id: id });
    expect(await read(await send({ to }))).to.include({ status: 'suppressed', status_reason: 'stop_keyword' });
    expect((await twilio({ MessageSid: 'SM-s', From: to, To: SENDER, Body: 'START' })).status).to.equal(204);
    await eventually('the suppression is lifted', async () => (await entries()).length === 0);
  });

  it('of codes that nobody knows are named in the metrics, so many and no addresses', async () => {
    const query = `?message_id=${await sent()}`;
    const report = (code: string) => twilio({ MessageSid: 'SM-u', MessageStatus: 'undelivered', ErrorCode: code }, { query });
    await report('77777');
    await report('ada@example.com');
    await report('14155550100');
    const { text } = await service.api('GET', '/metrics');
    expect(text).to.include('heliograph_carrier_unknown_codes_total{carrier="twilio",code="77777"} 1');
    expect(text).to.include('heliograph_carrier_unknown_codes_total{carrier="twilio",code="other"} 2');
  });

  it('keep what came too early or belongs to nobody', async () => {
    const id = 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0009';
    expect((await twilio({ MessageSid: 'SM-early', MessageStatus: 'delivered' }, { query: `?message_id=${id}` })).status).to.equal(204);
    expect((await twilio({ MessageSid: 'SM-lost', From: '+14155550222', To: '+14155550223', Body: 'Anybody?' })).status).to.equal(204);
    expect(await inbound({ from: '+14155550222' })).to.deep.equal([]);
  });

  it('bring a STOP to every account that has written to the number, and other texts to the last one', async () => {
    const other = { 'X-API-Key': await service.otherAccountKey() };
    const to = SILENT;
    const first = await sent({ to, from: SENDER });
    const last = await sent({ to, from: SENDER }, other);
    const greeting = { MessageSid: 'SM-hello', From: to, To: SENDER, Body: 'Hello' };
    await twilio(greeting);
    await twilio(greeting);
    expect(await inbound({ from: to })).to.deep.equal([]);
    expect(await replies(last, other)).to.deep.equal(['Hello']);
    await twilio({ MessageSid: 'SM-quoted', From: to, To: SENDER, Body: 'And this?', OriginalRepliedMessageSid: 'SM-foreign' });
    expect(await replies(last, other)).to.deep.equal(['Hello', 'And this?']);
    const { id: contact } = (await service.api('POST', '/v1/contacts', { phone: to }, other)).body;
    const written = (await service.api('GET', `/v1/contacts/${contact}/timeline?kind=inbound`, undefined, other)).body.data;
    expect(written.map(({ type, data }: { type: string; data: object }) => ({ type, ...data }))[1]).to.deep.include({
      ...{ type: 'InboundTextReceived', text: 'Hello', message_id: last, channel: 'sms' },
    });
    expect(written).to.have.lengthOf(2);
    const [, hello] = await inbound({ from: to }, other);
    expect(hello).to.include({ text: 'Hello', to: SENDER, message_id: last, channel: 'sms', keyword: null });
    await twilio({ MessageSid: 'SM-stop', From: to, To: SENDER, Body: 'Stop' });
    await twilio({ MessageSid: 'SM-stop', From: to, To: SENDER, Body: 'Stop' });
    expect(await inbound({ from: to })).to.have.lengthOf(1);
    expect((await inbound({ from: to }))[0]).to.include({ keyword: 'stop', message_id: first });
    expect(await inbound({ from: to }, other)).to.have.lengthOf(3);
    expect(await replies(last, other)).to.have.lengthOf(2);
    for (const headers of [{}, other])
      await eventually('both have the opt-out', async () => {
        const found = await service.api('GET', `/v1/account/unsubscribes?${new URLSearchParams({ address: to })}`, undefined, headers);
        return found.body.data.some(({ reason }: { reason: string }) => reason === 'stop_keyword');
      });
  });

  it('bring replies by email to their message', async () => {
    const id = await send({ channel: 'email', to: 'ada@example.com', subject: 'Hi', message: 'Hi' });
    await eventually('it is handed over', async () => ['sent', 'delivered'].includes(await status(id)));
    const reply = { FromFull: { Email: 'ada@example.com', Name: 'Ada' }, MessageID: 'in-1', Subject: 'Re: Hi', TextBody: 'Thanks', MailboxHash: id };
    expect((await postmark(reply)).status).to.equal(200);
    expect((await postmark(reply)).status).to.equal(200);
    const found = await inbound({ message_id: id });
    expect(found).to.have.lengthOf(1);
    expect(found[0]).to.include({ from: 'ada@example.com', from_name: 'Ada', text: 'Thanks', channel: 'email' });
    expect((await events(id)).filter((type) => type === 'MessageReplied')).to.have.lengthOf(1);
    const form = new FormData();
    form.set('from', 'Ada <ada@example.com>');
    form.set('headers', `In-Reply-To: <${id}@acme.example>\nMessage-ID: <second@example.com>`);
    form.set('text', 'And again');
    expect((await post('/v1/webhooks/sendgrid/inbound/inbound-secret', form, {})).status).to.equal(200);
    expect(await inbound({ message_id: id })).to.have.lengthOf(2);
  });

  it('answer what they cannot read without an error', async () => {
    expect(await twilio({})).to.include({ status: 204 });
    for (const body of ['', '[]', '{', '\0', '{"RecordType":5}', '"x"'])
      expect((await post('/v1/webhooks/postmark', body, { authorization: BASIC })).status, body).to.equal(200);
    expect((await fetch(`${service.url}/v1/webhooks/postmark`)).status).to.equal(405);
  });

  it('are refused for a while from an address that sends too many without proof, and genuine ones are not', async () => {
    const forged = () => post('/v1/webhooks/twilio', 'MessageSid=SM9', {});
    const answers = [];
    for (let n = 0; n < 125; n++) answers.push((await forged()).status);
    expect(new Set(answers)).to.deep.equal(new Set([401, 429]));
    expect(answers.filter((code) => code === 401)).to.have.length.within(100, 120);
    expect(answers.at(-1)).to.equal(429);
    expect((await twilio({ MessageSid: 'SM-fine', MessageStatus: 'accepted' })).status).to.equal(204);
  });
});
