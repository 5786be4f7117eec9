import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { type FakeBrowser, FakePushService, readVapid } from './fake-push-service.js';

const PUBLIC = { 'X-API-Key': '' };
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

interface Device {
  readonly subscription_id: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly delivered_at: string | null;
  readonly clicked_at: string | null;
  readonly dismissed_at: string | null;
}

describe('push messages in the sandbox', () => {
  const service = Service.guest();
  const send = async (to: string) => {
    const sent = await service.api('POST', '/v1/messages/send', { to, channel: 'push', message: 'Hello' });
    expect(sent.status, sent.text).to.equal(202);
    return eventually('the message is at its end', async () => {
      const { body } = await service.api('GET', `/v1/messages/${sent.body.id}`);
      return ['delivered', 'failed'].includes(body.status) ? body : null;
    });
  };

  it('have an outcome for each device, and fail without one', async () => {
    const device = { account_id: service.accountId, platform: 'ios', token: 'sandbox-token-0001', contact: { email: 'sandbox@example.com' } };
    const { body } = await service.api('POST', '/v1/push/subscribe', device, PUBLIC);
    const delivered = await send('sandbox@example.com');
    expect([delivered.status, delivered.carrier.name]).to.deep.equal(['delivered', 'sandbox']);
    expect(delivered.devices.map((one: Device) => [one.subscription_id, one.outcome])).to.deep.equal([[body.id, 'accepted']]);
    await service.api('POST', '/v1/push/unsubscribe', { id: body.id }, PUBLIC);
    expect(await send('sandbox@example.com')).to.deep.include({ status: 'failed', status_reason: 'no_device' });
  });
});

describe('push messages', function () {
  this.timeout(60_000);
  let push: FakePushService;
  const fcm = FakeCarrier.own(({ path }) => ({
    status: 200,
    body: path === '/token' ? { access_token: 'token', expires_in: 3_600 } : { name: 'projects/p/messages/1' },
  }));
  const service = Service.own(() => ({
    HELIOGRAPH_ROUTES: '{"push":["fcm","webpush"]}',
    HELIOGRAPH_PUBLIC_URL: 'https://msg.example.com',
    FCM_SERVICE_ACCOUNT: JSON.stringify({ project_id: 'p', client_email: 'a@example.com', private_key: privateKey }),
    FCM_BASE_URL: fcm.url,
  }));
  before(async () => {
    push = await FakePushService.start();
  });
  beforeEach(() => {
    push.received.splice(0);
    push.status = () => 201;
  });
  after(() => push?.stop());

  const subscribe = async (body: object, email: string): Promise<{ id: string; contact_id: string }> => {
    const answer = await service.api('POST', '/v1/push/subscribe', { account_id: service.accountId, contact: { email }, ...body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const browserOf = async (name: string, email: string): Promise<{ id: string; contact_id: string; browser: FakeBrowser }> => {
    const browser = push.browser(name);
    return { ...(await subscribe({ platform: 'web', subscription: browser.subscription }, email)), browser };
  };
  const send = async (to: string, more: object = {}): Promise<string> => {
    const answer = await service.api('POST', '/v1/messages/send', { to, channel: 'push', message: 'Hello', title: 'Shop', ...more });
    expect(answer.status, answer.text).to.equal(202);
    return answer.body.id;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the body of a message
  const ended = (id: string): Promise<any> =>
    eventually(`${id} is handed over`, async () => {
      const { body } = await service.api('GET', `/v1/messages/${id}`);
      return ['queued', 'sending'].includes(body.status) ? null : body;
    });
  const outcomes = ({ devices }: { devices: Device[] }) => devices.map(({ subscription_id, outcome, code }) => [subscription_id, outcome, code]);

  it('go to all devices of their contact, and end those that are gone', async () => {
    const phone = await subscribe({ platform: 'android', token: 'token-1' }, 'all@example.com');
    const [one, dead] = [await browserOf('one', 'all@example.com'), await browserOf('dead', 'all@example.com')];
    push.status = (path) => (path.endsWith('/dead') ? 410 : 201);
    const first = await ended(await send('all@example.com', { push: { image: 'https://example.com/a.png' } }));
    expect(first).to.deep.include({ status: 'sent', contact_id: one.contact_id, push: { image: 'https://example.com/a.png' } });
    expect(first.carrier.name).to.equal('push');
    expect(outcomes(first)).to.deep.equal([
      [phone.id, 'accepted', null],
      [one.id, 'accepted', null],
      [dead.id, 'gone', '410'],
    ]);
    const { body } = await service.api('GET', `/v1/push/subscriptions?contact_id=${one.contact_id}&status=ended`);
    expect(body.data.map(({ id, ended_reason }: { id: string; ended_reason: string }) => [id, ended_reason])).to.deep.equal([[dead.id, 'gone']]);
    expect(JSON.parse(fcm.requests.at(-1)?.body ?? '{}').message).to.deep.include({
      token: 'token-1',
      notification: { title: 'Shop', body: 'Hello', image: 'https://example.com/a.png' },
    });
    const second = await ended(await send(one.contact_id));
    expect(outcomes(second)).to.deep.equal([
      [phone.id, 'accepted', null],
      [one.id, 'accepted', null],
    ]);
    expect([push.at(one.browser).length, push.at(dead.browser).length]).to.deep.equal([2, 1]);
    const { body: why } = await service.api('GET', `/v1/messages/${first.id}/why`);
    expect(why.chain.filter(({ step }: { step: string }) => step === 'device').map(({ result }: { result: string }) => result)).to.deep.equal([
      'accepted',
      'accepted',
      'gone',
    ]);
  });

  it('fail without a device, and when the last one is gone', async () => {
    await service.api('POST', '/v1/contacts', { email: 'none@example.com' });
    expect(await ended(await send('none@example.com'))).to.deep.include({ status: 'failed', status_reason: 'no_device', devices: [] });
    const { id } = await browserOf('last', 'last@example.com');
    push.status = () => 404;
    const failed = await ended(await send('last@example.com'));
    expect([failed.status, failed.status_reason, outcomes(failed)]).to.deep.equal(['failed', 'no_device', [[id, 'gone', '404']]]);
  });

  it('reach a device that was busy, together with the others', async () => {
    const [one, busy] = [await browserOf('quick', 'busy@example.com'), await browserOf('busy', 'busy@example.com')];
    push.status = (path) => (path.endsWith('/busy') && push.at(busy.browser).length === 1 ? 503 : 201);
    expect(outcomes(await ended(await send('busy@example.com')))).to.deep.equal([
      [one.id, 'accepted', null],
      [busy.id, 'accepted', null],
    ]);
    expect([push.at(one.browser).length, push.at(busy.browser).length]).to.deep.equal([1, 2]);
  });

  it('become what their devices report', async () => {
    const { id: subscription, browser } = await browserOf('reports', 'reports@example.com');
    const other = await browserOf('other', 'reports@example.com');
    const id = (await ended(await send('reports@example.com', { action_url: 'https://example.com/' }))).id;
    const [received] = push.at(browser);
    const { token, events_url, title, body, url } = JSON.parse(browser.decrypt(received?.body ?? Buffer.alloc(0)));
    expect({ title, body, url, events_url }).to.deep.equal({
      ...{ title: 'Shop', body: 'Hello', url: 'https://example.com/' },
      events_url: 'https://msg.example.com/v1/public/push/events',
    });
    const { body: key } = await service.api('GET', `/v1/push/key?account_id=${service.accountId}`, undefined, PUBLIC);
    expect(readVapid(received?.headers.authorization).key).to.equal(key.public_key);
    const report = async (event: string, with_ = token) =>
      (await service.api('POST', '/v1/public/push/events', { message_id: id, token: with_, event }, PUBLIC)).status;
    for (const event of ['delivered', 'delivered', 'clicked', 'clicked', 'dismissed']) expect(await report(event)).to.equal(204);
    expect(await report('clicked', JSON.parse(other.browser.decrypt(push.at(other.browser)[0]?.body ?? Buffer.alloc(0))).token)).to.equal(204);
    expect(await report('clicked', `${token.slice(0, -1)}B`)).to.equal(404);
    expect(await report('opened')).to.equal(422);
    const message = (await service.api('GET', `/v1/messages/${id}`)).body;
    expect(message).to.deep.include({ status: 'delivered' });
    expect(message.engagement.clicks).to.equal(2);
    const device = message.devices.find((one: Device) => one.subscription_id === subscription);
    expect([device.delivered_at, device.clicked_at, device.dismissed_at].every((time) => typeof time === 'string')).to.equal(true);
    const { body: events } = await service.api('GET', `/v1/messages/${id}/events`);
    expect(events.data.map(({ type }: { type: string }) => type)).to.deep.equal([
      ...['MessageQueued', 'MessageDispatchStarted', 'PushHandedOver', 'MessageSent'],
      ...['PushReported', 'MessageDelivered', 'PushReported', 'MessageClicked', 'PushReported', 'PushReported', 'MessageClicked'],
    ]);
  });

  it('of a bulk go to the devices of each contact', async () => {
    const emails = Array.from({ length: 5 }, (_, i) => `bulk${i}@example.com`);
    const browsers = await Promise.all(emails.map((email, i) => browserOf(`bulk${i}`, email)));
    const { body } = await service.api('POST', '/v1/messages/bulk', {
      messages: emails.map((to) => ({ to })),
      defaults: { channel: 'push', message: 'Hi' },
    });
    const messages = await Promise.all(body.messages.map(({ id }: { id: string }) => ended(id)));
    expect(messages.map((one) => outcomes(one))).to.deep.equal(browsers.map(({ id }) => [[id, 'accepted', null]]));
  });

  it('of a test key reach the sandbox alone', async () => {
    const { browser } = await browserOf('tests', 'tests@example.com');
    const { body: key } = await service.api('POST', '/v1/api-keys', { name: 'Test', scopes: null, mode: 'test' });
    const sent = await service.api(
      'POST',
      '/v1/messages/send',
      { to: 'tests@example.com', channel: 'push', message: 'Hello' },
      { 'X-API-Key': key.key },
    );
    expect((await ended(sent.body.id)).carrier.name).to.equal('sandbox');
    expect(push.at(browser)).to.deep.equal([]);
  });

  it('have options of their own, within what push services take', async () => {
    const fieldsOf = async (body: object) => {
      const answer = await service.api('POST', '/v1/messages/send', { to: 'all@example.com', channel: 'push', message: 'Hello', ...body });
      return [answer.status, ...(answer.body.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)];
    };
    expect(await fieldsOf({ push: { data: { text: 'x'.repeat(2_000) } } })).to.deep.equal([422, 'push.data too_long']);
    expect(await fieldsOf({ channel: 'sms', to: '+14155550100', push: {} })).to.deep.equal([422, 'push not_for_channel']);
    const actions = [{ id: 'a', title: 'Open', url: 'data:text/html,x' }];
    expect(await fieldsOf({ push: { image: 'ftp://example.com/a.png', actions } })).to.have.members([
      422,
      'push.image invalid_url',
      'push.actions[0].url invalid_url',
    ]);
    expect(await fieldsOf({ push: { actions: [{ id: 'a' }], priority: 'urgent' } })).to.have.members([
      422,
      'push.actions[0].title required',
      'push.priority not_allowed',
    ]);
  });
});
