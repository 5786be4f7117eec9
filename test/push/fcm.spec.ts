import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { createFcm } from '../../carriers/fcm/send.js';
import type { CarrierClient, OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { FakeCarrier, type Reply } from '../carriers/fake-carrier.js';

const NOW = Date.parse('2026-01-15T10:30:00.000Z');
const never = new AbortController().signal;

describe('FCM', () => {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    type: 'service_account',
    project_id: 'shop-1',
    private_key_id: 'k1',
    private_key: pair.privateKey,
    client_email: 'push@shop-1.iam.gserviceaccount.com',
    token_uri: 'http://169.254.169.254/',
  };
  const fake = FakeCarrier.own(({ path }) =>
    path === '/token' ? { status: 200, body: { access_token: 'ya29.token', expires_in: 3_599, token_type: 'Bearer' } } : answer,
  );
  let now = NOW;
  let answer: Reply = { status: 200, body: { name: 'projects/shop-1/messages/1' } };
  beforeEach(() => {
    now = NOW;
    fake.requests.splice(0);
  });

  const carrier = (settings: object = {}): CarrierClient =>
    createFcm(
      { service_account: JSON.stringify(account), base_url: fake.url, ...settings },
      { http: createCarrierHttp(), clock: { now: () => now }, receiptsUrl: null },
    );
  const message = (given: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    ...{
      message_id: 'msg_01J00000000000000000000001',
      account: 'acc_1',
      channel: 'push',
      to: 'con_1',
      from: null,
      category: 'transactional',
      attempt: 1,
    },
    content: { message: 'Your order is here.', title: 'Shop', action_url: 'shop://orders/1' },
    device: { subscription_id: 'psh_1', platform: 'android', target: { kind: 'app', token: 'registration-token' } },
    ...given,
  });

  it('gets a message as documented, with a token of the service account', async () => {
    const push = { image: 'https://example.com/a.png', collapse_key: 'orders', data: { order: 'A1', count: 2 } };
    const sent = message({ content: { ...message().content, push }, expires_at: '2026-01-15T11:30:00.000Z' });
    answer = { status: 200, body: { name: 'projects/shop-1/messages/1' } };
    expect(await carrier().send(sent, never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: 'projects/shop-1/messages/1' });
    const [token, request] = fake.requests;
    expect(token).to.include({ method: 'POST', path: '/token' });
    expect(token?.headers).to.include({ 'content-type': 'application/x-www-form-urlencoded' });
    const form = new URLSearchParams(token?.body);
    expect(form.get('grant_type')).to.equal('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const claims = jwt.verify(form.get('assertion') ?? '', pair.publicKey, { algorithms: ['RS256'], clockTimestamp: NOW / 1_000 });
    expect(claims).to.deep.equal({
      iss: account.client_email,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: 'https://oauth2.googleapis.com/token',
      ...{ iat: NOW / 1_000, exp: NOW / 1_000 + 3_600 },
    });
    expect(request).to.include({
      method: 'POST',
      path: '/v1/projects/shop-1/messages:send',
      body: '{"message":{"token":"registration-token","notification":{"title":"Shop","body":"Your order is here.","image":"https://example.com/a.png"},"data":{"order":"A1","count":"2","message_id":"msg_01J00000000000000000000001","action_url":"shop://orders/1"},"android":{"collapse_key":"orders","priority":"HIGH","ttl":"3600s","notification":{"tag":"orders"}},"apns":{"headers":{"apns-priority":"10","apns-expiration":"1768476600","apns-collapse-id":"orders"},"payload":{"aps":{"sound":"default","mutable-content":1}},"fcm_options":{"image":"https://example.com/a.png"}}}}',
    });
    expect(request?.headers).to.include({ authorization: 'Bearer ya29.token', 'content-type': 'application/json' });
  });

  it('is asked for one token for many messages, and for another one before its end', async () => {
    const one = carrier();
    const tokens = () => fake.requests.filter(({ path }) => path === '/token').length;
    await Promise.all(Array.from({ length: 5 }, () => one.send(message(), never)));
    expect(tokens()).to.equal(1);
    now += 3_500_000;
    await one.send(message(), never);
    expect(tokens()).to.equal(1);
    now += 60_000;
    await one.send(message(), never);
    expect(tokens()).to.equal(2);
  });

  it('says what an error means', async () => {
    const detail = (errorCode: string) => ({ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode });
    const outcomeOf = async (status: number, details: object[] = []) => {
      answer = { status, body: { error: { code: status, message: 'x', status: 'X', details } } };
      const result = await carrier().send(message(), never);
      return result.outcome === 'permanent_error' ? `${result.outcome} ${result.reason}` : result.outcome;
    };
    const badRequest = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [] };
    expect({
      unregistered: await outcomeOf(404, [detail('UNREGISTERED')]),
      otherSender: await outcomeOf(403, [detail('SENDER_ID_MISMATCH')]),
      invalidToken: await outcomeOf(400, [detail('INVALID_ARGUMENT')]),
      ourMistake: await outcomeOf(400, [badRequest]),
      noProject: await outcomeOf(404),
      forbidden: await outcomeOf(403),
      apns: await outcomeOf(401, [detail('THIRD_PARTY_AUTH_ERROR')]),
      quota: await outcomeOf(429, [detail('QUOTA_EXCEEDED')]),
      unavailable: await outcomeOf(503, [detail('UNAVAILABLE')]),
      internal: await outcomeOf(500, [detail('INTERNAL')]),
    }).to.deep.equal({
      ...{ unregistered: 'permanent_error no_device', otherSender: 'permanent_error no_device', invalidToken: 'permanent_error no_device' },
      ...{ ourMistake: 'permanent_error carrier_rejected', noProject: 'misconfigured', forbidden: 'misconfigured', apns: 'misconfigured' },
      ...{ quota: 'transient_error', unavailable: 'transient_error', internal: 'transient_error' },
    });
  });

  it('is misconfigured with a service account that is none', async () => {
    expect(await carrier({ service_account: '{"project_id":"a"}' }).send(message(), never)).to.include({ outcome: 'misconfigured' });
    const broken = JSON.stringify({ ...account, private_key: 'none' });
    expect(await carrier({ service_account: broken }).send(message(), never)).to.include({ outcome: 'misconfigured', code: 'invalid_private_key' });
  });
});
