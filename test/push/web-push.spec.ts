import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import type { WebPushParts } from '../../carriers/runtime/dependencies.js';
import { createWebPush } from '../../carriers/web-push/send.js';
import { deriveVapidKeys } from '../../carriers/web-push/vapid.js';
import { createPost } from '../../net/client.js';
import { systemClock } from '../../ops/system/clock.js';
import { FakeBrowser, FakePushService, readVapid } from './fake-push-service.js';

const NOW = Date.parse('2026-01-15T10:30:00.000Z');
const never = new AbortController().signal;

describe('the carrier of browsers', () => {
  let service: FakePushService;
  before(async () => {
    service = await FakePushService.start();
  });
  after(() => service.stop());

  const vapid = deriveVapidKeys(Buffer.alloc(32, 7));
  const parts = (): WebPushParts => ({
    clock: { now: () => NOW },
    post: createPost({ clock: systemClock }),
    allowedCidrs: ['127.0.0.0/8'],
    vapid,
    publicUrl: 'https://msg.example.com',
    reportToken: (message_id, subscription_id) => `${message_id}/${subscription_id}`,
  });
  const messageTo = (browser: FakeBrowser, given: Partial<OutgoingMessage> = {}): OutgoingMessage => {
    const { endpoint, keys } = browser.subscription;
    return {
      ...{ message_id: 'msg_01J00000000000000000000001', account: 'acc_1', channel: 'push', to: 'con_1', from: null },
      ...{ category: 'transactional', content: { message: 'Grüße', title: 'Hello', action_url: 'https://example.com/' }, attempt: 1 },
      device: { subscription_id: 'psh_1', platform: 'web', target: { kind: 'web', endpoint, ...keys } },
      ...given,
    };
  };

  it('encrypts for the browser, and signs for its push service', async () => {
    const browser = service.browser('one');
    const push = { actions: [{ id: 'open', title: 'Open' }], collapse_key: 'offers', priority: 'normal' as const, data: { order: 'A1' } };
    const message = messageTo(browser, { content: { message: 'Grüße', title: 'Hello', push }, expires_at: '2026-01-15T10:31:00.000Z' });
    expect(await createWebPush({}, parts()).send(message, never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: message.message_id });
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = service.at(browser);
    expect(headers).to.include({
      ttl: '60',
      urgency: 'normal',
      topic: 'b2ZmZXJz',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
    });
    expect(readVapid(headers.authorization)).to.deep.equal({
      claims: { aud: service.origin, exp: NOW / 1_000 + 12 * 3_600, sub: 'https://msg.example.com' },
      key: vapid.publicKey,
    });
    expect(JSON.parse(browser.decrypt(body))).to.deep.equal({
      message_id: message.message_id,
      ...{ title: 'Hello', body: 'Grüße', tag: 'offers', actions: push.actions, data: push.data },
      token: `${message.message_id}/psh_1`,
      events_url: 'https://msg.example.com/v1/public/push/events',
    });
  });

  it('has keys of its own, which settings replace', async () => {
    expect(deriveVapidKeys(Buffer.alloc(32, 7))).to.deep.equal(vapid);
    expect(deriveVapidKeys(Buffer.alloc(32, 8)).publicKey).not.to.equal(vapid.publicKey);
    const own = deriveVapidKeys(Buffer.alloc(32, 9));
    const browser = service.browser('own');
    const settings = { public_key: own.publicKey, private_key: own.privateKey, subject: 'mailto:ops@example.com' };
    await createWebPush(settings, parts()).send(messageTo(browser), never);
    const { key, claims } = readVapid(service.at(browser)[0]?.headers.authorization);
    expect([key, claims.sub]).to.deep.equal([own.publicKey, 'mailto:ops@example.com']);
  });

  it('shortens a text that does not fit, and refuses what has no room for one', async () => {
    const browser = service.browser('long');
    await createWebPush({}, parts()).send(messageTo(browser, { content: { message: '漢'.repeat(2_048) } }), never);
    const [{ body } = { body: Buffer.alloc(0) }] = service.at(browser);
    expect(body.length).to.be.within(4_000, 4_096);
    expect(JSON.parse(browser.decrypt(body)).body).to.match(/^漢+…$/);
    const full = messageTo(browser, { content: { message: 'x', push: { data: { text: 'x'.repeat(4_000) } } } });
    expect(await createWebPush({}, parts()).send(full, never)).to.include({ outcome: 'permanent_error', code: 'payload_too_large' });
  });

  it('knows what an answer means', async () => {
    const browser = service.browser('answers');
    const outcomeOf = async (status: number) => {
      service.status = () => status;
      const answer = await createWebPush({}, parts()).send(messageTo(browser), never);
      return answer.outcome === 'permanent_error' ? `${answer.outcome} ${answer.reason}` : answer.outcome;
    };
    const outcomes: Record<number, string> = {};
    for (const status of [200, 201, 400, 403, 404, 410, 413, 429, 500, 503]) outcomes[status] = await outcomeOf(status);
    service.status = () => 201;
    const rejected = 'permanent_error carrier_rejected';
    expect(outcomes).to.deep.equal({
      ...{ 200: 'accepted', 201: 'accepted', 400: rejected, 403: rejected, 413: rejected },
      ...{
        404: 'permanent_error no_device',
        410: 'permanent_error no_device',
        429: 'transient_error',
        500: 'transient_error',
        503: 'transient_error',
      },
    });
  });

  it('calls no private network', async () => {
    const answer = await createWebPush({}, { ...parts(), allowedCidrs: [] }).send(messageTo(service.browser('private')), never);
    expect(answer).to.include({ outcome: 'transient_error', code: 'forbidden_address' });
  });
});

describe('the browser of the tests', () => {
  it('decrypts the example of RFC 8291', () => {
    const browser = new FakeBrowser('', { privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', auth: 'BTBZMqHH6r4Tts7J_aSIgg' });
    const body =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
    expect(browser.decrypt(Buffer.from(body, 'base64url'))).to.equal('When I grow up, I want to be a watermelon');
  });
});
