import { expect } from 'chai';
import { carrierOf } from '../../carriers/registry.js';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { carrierSenderProblems } from '../../carriers/runtime/senders.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import { defaultSettings, type Settings } from '../../domain/accounts/settings.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { senderPorts } from '../../ops/app/ports/senders.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { TestApp } from '../support/test-app.js';

describe('the senders of an account', () => {
  const fake = FakeCarrier.own(() => ({ status: 200, body: '{"MessageID":"p","ErrorCode":0,"sid":"SM1"}' }));
  let service: Service;
  before(async () => {
    service = await Service.start({
      HELIOGRAPH_ROUTES: JSON.stringify({ email: ['postmark'], sms: ['twilio'] }),
      POSTMARK_SERVER_TOKEN: 'server',
      POSTMARK_BASE_URL: fake.url,
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+15005550006',
      TWILIO_BASE_URL: fake.url,
    });
  });
  after(() => service?.close());

  const settings = (senders: object) => service.api('PATCH', '/v1/account/settings', { senders });
  const send = (body: object, headers = {}) =>
    service.api('POST', '/v1/messages/send', { channel: 'email', to: 'ada@example.org', subject: 'Hi', message: 'Hi', ...body }, headers);
  const text = (to: string) => ({ channel: 'sms', to, subject: undefined });
  /** `named`: what the request is found by. */
  const requestOf = async (id: string, named = id) => {
    await eventually('it is sent', async () => (await service.api('GET', `/v1/messages/${id}`)).body.status === 'sent');
    const found = fake.requests.find(({ body, path }) => (body + path).includes(named));
    return found?.body ?? '';
  };

  it('are needed for an email where nobody else has one, in sends and bulks, but not with a test key', async () => {
    const refused = await send({});
    expect([refused.status, refused.body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)]).to.deep.equal([
      422,
      ['from required'],
    ]);
    expect(refused.body.errors[0].message).to.include('Shop <shop@example.com>').and.include('EMAIL_FROM');
    const all = await send({ to: 'nobody', message: undefined });
    expect(all.body.errors.map(({ field }: { field: string }) => field)).to.include.members(['to', 'message', 'from']);
    const messages = [{ to: 'ada@example.org' }, { to: 'bob@example.org', from: 'shop@example.com' }, { to: '+14155550100', channel: 'sms' }];
    const { body } = await service.api('POST', '/v1/messages/bulk', { defaults: { channel: 'email', subject: 'Hi', message: 'Hi' }, messages });
    expect([body.accepted, body.errors.map(({ index, field }: Record<string, unknown>) => [index, field])]).to.deep.equal([2, [[0, 'from']]]);
    const { key: secret } = (await service.api('POST', '/v1/api-keys', { name: 'test', mode: 'test' })).body;
    expect((await send({}, { 'X-API-Key': secret })).status).to.equal(202);
    expect((await send({ from: 'shop@example.com' })).status).to.equal(202);
  });

  it('are those of messages that have none, with their names, and are shown', async () => {
    expect((await settings({ email: 'Acme & Sons <hi@acme.example>', sms: 'Acme' })).status).to.equal(200);
    const [mail, own, sms] = [await send({}), await send({ from: 'own@example.com' }), await send(text('+14155550101'))].map(({ body }) => body.id);
    expect(JSON.parse(await requestOf(mail)).From).to.equal('"Acme & Sons" <hi@acme.example>');
    expect(JSON.parse(await requestOf(own)).From).to.equal('own@example.com');
    expect(new URLSearchParams(await requestOf(sms, '14155550101')).get('From')).to.equal('Acme');
    expect((await service.api('GET', `/v1/messages/${mail}`)).body.from).to.equal('hi@acme.example');
    const messages = [{ to: 'ada@example.org' }, { to: 'bob@example.org' }];
    const { body } = await service.api('POST', '/v1/messages/bulk', { defaults: { channel: 'email', subject: 'Hi', message: 'Hi' }, messages });
    for (const { id } of body.messages) expect(JSON.parse(await requestOf(id)).From).to.equal('"Acme & Sons" <hi@acme.example>');
    await settings({ email: null, sms: null });
    expect(new URLSearchParams(await requestOf((await send(text('+14155550102'))).body.id, '14155550102')).get('From')).to.equal('+15005550006');
  });

  it('are those of campaigns and tests of them', async () => {
    await settings({ email: 'Acme <hi@acme.example>' });
    const contact = (await service.api('POST', '/v1/contacts', { email: 'reader@example.org' })).body.id;
    const content = { subject: 'Spring', message: 'Spring' };
    const campaign = { name: 'C', channel: 'email', category: 'transactional', audience: { include: { contact_ids: [contact] } }, content };
    const { id } = (await service.api('POST', '/v1/campaigns', campaign)).body;
    const tested = (await service.api('POST', `/v1/campaigns/${id}/test-send`, { to: ['me@example.org'] })).body;
    expect(JSON.parse(await requestOf(tested.messages[0].id)).From).to.equal('"Acme" <hi@acme.example>');
    await service.api('POST', `/v1/campaigns/${id}/send`);
    const sent = async () => (await service.api('GET', `/v1/campaigns/${id}/recipients`)).body.data;
    await eventually('it is made', async () => (await sent()).length === 1);
    expect(JSON.parse(await requestOf((await sent())[0].id)).From).to.equal('"Acme" <hi@acme.example>');
    await settings({ email: null });
    expect((await service.api('POST', `/v1/campaigns/${id}/test-send`, { to: ['me@example.org'] })).body.errors[0]).to.include({
      field: 'content.from',
    });
  });
});

describe('a message that was accepted without a sender', () => {
  it('has the one that its account has got since, and waits where the settings cannot be read', async () => {
    const calls: OutgoingMessage[] = [];
    const carrier = carrierThat((message) => {
      calls.push(message);
      return { outcome: 'accepted', carrier_message_id: `c${calls.length}` };
    });
    let asked = 0;
    const accountSender = async (_: string, channel: string) => {
      if (asked++ === 0) throw new Error('the settings are away');
      return channel === 'email' ? 'Acme <hi@acme.example>' : '+14155550199';
    };
    const app = new TestApp([dispatchMessages({ routes: () => carrier, accountSender })]);
    const mail = { to: 'ada@example.org', channel: 'email', subject: 'Hi', message: 'Hi' } as const;
    const send = async (request: object) => (await app.execute(sendMessage, request as typeof mail)).output.id;
    const [first] = [
      await send(mail),
      await send({ ...mail, from: 'Own <own@example.com>' }),
      await send({ ...mail, channel: 'sms', to: '+14155550100' }),
    ];
    await app.run();
    const found = calls.map(({ from, content }) => [from, content.from_name ?? null]);
    expect(found).to.have.deep.members([
      ['hi@acme.example', 'Acme'],
      ['own@example.com', 'Own'],
      ['+14155550199', null],
    ]);
    const events = (await app.log.read<MessageEvent>(messageStream(first))) ?? [];
    expect(events.map(({ event }) => event.type)).to.include('MessageDispatchDeferred');
    expect(calls.filter(({ message_id }) => message_id === first)).to.have.length(1);
  });
});

describe('senders that are stored already and are none', () => {
  const own = (settings: object) => ({ settings: JSON.stringify(settings), version: 1, updated_at: '2026-01-15T10:00:00.000Z' });
  const factsOf = (senders: Partial<Settings['senders']>, carriers: Record<string, object> = {}): AccountSettings => {
    const settings = defaultSettings('Test', 'UTC');
    return {
      ...{ id: 'acc_1', webhook_secret: null, identity_secret: null, version: 1, created_at: '', updated_at: '' },
      settings: { ...settings, senders: { ...settings.senders, ...senders } },
      carriers: new Map(Object.entries(carriers).map(([name, texts]) => [name, own(texts)])) as AccountSettings['carriers'],
    };
  };
  const config = { routes: { email: ['smtp'] as [string] }, carriers: { smtp: { url: 'smtp://x' } } };
  const portsOf = (facts: AccountSettings | null, more: object = {}) => senderPorts({ ...config, ...more }, () => facts);

  it('are shown as problems, and no message has them', async () => {
    const facts = factsOf({ sms: 'Shop!', email: 'no address', whatsapp: '+14155550100', push: '!' }, { twilio: { from: 'Much too long a name' } });
    const ports = portsOf(facts);
    expect(ports.storedSenderProblems(facts).map(({ field }) => field)).to.deep.equal(['senders.sms', 'senders.email', 'carriers.twilio.from']);
    const senders = (['sms', 'email', 'whatsapp', 'push'] as const).map((channel) => ports.messages.accountSender('acc_1', channel));
    expect(await Promise.all(senders)).to.deep.equal([null, null, '+14155550100', null]);
  });

  it('are no senders of emails, where another one is one', async () => {
    const lacks = (facts: AccountSettings | null, more: object = {}) => portsOf(facts, more).messages.lacksEmailSender('acc_1');
    expect(await lacks(null)).to.equal(true);
    expect(await lacks(factsOf({ email: 'no address' }))).to.equal(true);
    expect(await lacks(factsOf({ email: 'hi@acme.example' }))).to.equal(false);
    expect(await lacks(factsOf({}), { carriers: { smtp: { url: 'smtp://x', from: 'shop@example.com' } } })).to.equal(false);
    expect(await lacks(factsOf({}), { routes: {} })).to.equal(false);
    expect(await lacks(factsOf({}, { postmark: { server_token: 't' } }), { carriers: { smtp: { from: 'shop@example.com' } } })).to.equal(true);
    expect(await lacks(factsOf({}, { postmark: { server_token: 't', from: 'shop@example.com' } }))).to.equal(false);
  });

  it('of carriers are names and numbers of a channel that the carrier serves', () => {
    const wrong = (name: 'twilio' | 'vonage' | 'postmark' | 'smtp', from: string) => carrierSenderProblems(carrierOf(name), from, 'from').length > 0;
    for (const from of ['+14155550100', '14155550100', '68849', 'Acme', 'acme_agent']) expect(wrong('twilio', from), from).to.equal(false);
    expect([wrong('twilio', 'Much too long a name'), wrong('vonage', 'Much too long a name')]).to.deep.equal([true, true]);
    expect(wrong('postmark', 'Much too long a name <shop@example.com>')).to.equal(false);
    expect([wrong('postmark', 'Büro <büro@example.com>'), wrong('smtp', 'Büro <büro@example.com>')]).to.deep.equal([true, false]);
    expect(wrong('postmark', 'Büro <office@example.com>')).to.equal(false);
  });
});
