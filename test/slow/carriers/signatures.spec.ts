import { createHash, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { type RawRequest, showsPassword } from '../../../carriers/runtime/incoming.js';
import { verifySendGrid } from '../../../carriers/sendgrid/verify.js';
import { isCertificateUrl, verifySns } from '../../../carriers/ses/verify.js';
import { verifyTwilio } from '../../../carriers/twilio/verify.js';
import { isSignedForm, verifyVonage } from '../../../carriers/vonage/verify.js';
import { SeededEntropy } from '../../support/seeded-entropy.js';

const require = createRequire(import.meta.url);
const judge = require('twilio/lib/webhooks/webhooks.js') as typeof import('twilio/lib/webhooks/webhooks.js');

const { EventWebhook } = require('@sendgrid/eventwebhook') as typeof import('@sendgrid/eventwebhook');

const request = (target: string, body: string, headers: Readonly<Record<string, string>> = {}): RawRequest => ({
  method: 'POST',
  target,
  headers,
  body: Buffer.from(body),
});
const RUNS = Number(process.env.PROPERTY_RUNS ?? 1_000);
/** Their package verifies in plain JavaScript. */
const SLOW_RUNS = Number(process.env.PROPERTY_RUNS ?? 12);

describe('the signature of Twilio', () => {
  const form = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }).toString();
  const target = '/myapp.php?foo=1&bar=2';
  const genuine = (publicUrl: string, path: string, body: string, signature: string): boolean =>
    verifyTwilio(request(path, body, { 'x-twilio-signature': signature }), { authToken: '12345', publicUrl });

  it('is accepted as documented, with and without a port', () => {
    expect(genuine('https://mycompany.com', target, form, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).to.equal(true);
    expect(genuine('https://mycompany.com', target, form, 'kvajT1Ptam85bY51eRf/AJRuM3w=')).to.equal(true);
    expect(genuine('http://mycompany.com', target, form, '0ZXoZLH/DfblKGATFgpif+LLRf4=')).to.equal(true);
    expect(genuine('https://mycompany.com', target, `${form}&x=1`, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).to.equal(false);
    expect(genuine('https://mycompany.com', target, form, '')).to.equal(false);
  });

  it('covers values that come twice, in any order', () => {
    const both = ['+1325xxxxxxx', '+1415xxxxxxx'];
    for (const values of [both, both.toReversed()]) {
      const body = new URLSearchParams(values.map((value): [string, string] => ['MessagingBinding.Address', value])).toString();
      expect(genuine('https://mycompany.com', target, body, '83O6e2vORAoJHUNzJjDWN1jz+BA=')).to.equal(true);
    }
  });

  it('covers a JSON body by its hash', () => {
    const path = `${target}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`;
    const body = '{"property": "value", "boolean": true}';
    expect(genuine('https://mycompany.com', path, body, 'a9nBmqA0ju/hNViExpshrM61xv4=')).to.equal(true);
    expect(genuine('https://mycompany.com', path, `${body} `, 'a9nBmqA0ju/hNViExpshrM61xv4=')).to.equal(false);
  });

  it('is judged like by the package of Twilio, in random requests', () => {
    const entropy = new SeededEntropy(1);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(entropy.fraction() * of.length)] as T;
    const word = (): string => Array.from({ length: 1 + Math.floor(entropy.fraction() * 8) }, () => pick([..."abcXYZ019+ '%&=é😀._-"])).join('');
    const seen = { true: 0, false: 0 };
    for (let i = 0; i < RUNS; i++) {
      const publicUrl = pick(['https://a.example', 'http://a.example', 'https://a.example:443', 'https://a.example:8443', 'http://u@a.example']);
      const path = `/v1/webhooks/twilio${pick(['', '?', '?a=1', `?q=${word().replace(/[^\w'%]/g, '')}`, '?message_id=msg_1'])}`;
      const pairs = Array.from({ length: Math.floor(entropy.fraction() * 5) }, (): [string, string] => [
        pick(['To', 'From', 'Body', word()]),
        word(),
      ]);
      const body = new URLSearchParams(pairs).toString();
      const params: Record<string, string | string[]> = {};
      for (const [name, value] of new URLSearchParams(body)) params[name] = name in params ? [params[name] ?? [], value].flat() : value;
      const signed = judge.getExpectedTwilioSignature('12345', publicUrl + path, params);
      const signature = pick([signed, signed, signed.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), '', signed.slice(1)]);
      const sent = pick([body, body, `${body}&Extra=1`]);
      const fields: Record<string, string | string[]> = sent === body ? params : { ...params, Extra: [params.Extra ?? [], '1'].flat() };
      const expected = judge.validateRequest('12345', signature, publicUrl + path, fields);
      expect(genuine(publicUrl, path, sent, signature), JSON.stringify({ publicUrl, path, sent, signature })).to.equal(expected);
      seen[`${expected}`]++;
    }
    expect(Math.min(seen.true, seen.false)).to.be.greaterThan(RUNS / 10);
  });
});

describe('the signature of Vonage', () => {
  const secret = 'a-secret-of-the-account';
  const now = Date.parse('2026-01-15T10:30:00Z');
  const body = '{"message_uuid":"aaaaaaaa","status":"delivered"}';
  const claims = { iat: now / 1_000, jti: 'jti-1', iss: 'Vonage', payload_hash: createHash('sha256').update(body).digest('hex') };
  const genuine = (token: string, sent = body): boolean =>
    verifyVonage(request('/v1/webhooks/vonage', sent, { authorization: `Bearer ${token}` }), { signatureSecret: secret, now });

  it('is a token over the body', () => {
    expect(genuine(jwt.sign(claims, secret))).to.equal(true);
    expect(genuine(jwt.sign(claims, secret), `${body} `)).to.equal(false);
    expect(genuine(jwt.sign(claims, 'another secret'))).to.equal(false);
    expect(genuine(jwt.sign({ ...claims, iat: now / 1_000 - 600 }, secret))).to.equal(false);
    expect(genuine(jwt.sign({ ...claims, iss: 'Someone' }, secret))).to.equal(false);
    expect(genuine(jwt.sign(claims, secret, { algorithm: 'HS512' }))).to.equal(false);
    expect(genuine(jwt.sign({ ...claims, payload_hash: undefined }, secret))).to.equal(false);
    expect(genuine(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`)).to.equal(
      false,
    );
  });

  it('of the older API is a field', () => {
    const sig = '59ec0102325683835c1c5ef9225fe51f2b638dbc406cf07dc2f3e0bc986b8f40';
    const fields = { api_key: '12345', timestamp: '10907902800' };
    expect(isSignedForm({ ...fields, sig }, 'ABCDE')).to.equal(true);
    expect(isSignedForm({ ...fields, sig: sig.toUpperCase() }, 'ABCDE')).to.equal(true);
    expect(isSignedForm({ ...fields, more: '1', sig }, 'ABCDE')).to.equal(false);
    expect(isSignedForm(fields, 'ABCDE')).to.equal(false);
    const query = { ...request(`/v1/webhooks/vonage?api_key=12345&timestamp=10907902800&sig=${sig}`, ''), method: 'GET' } as const;
    expect(verifyVonage(query, { signatureSecret: 'ABCDE', now })).to.equal(true);
    // A token without a body signs nothing of the request.
    const forged = {
      ...request('/v1/webhooks/vonage?messageId=1', '', { authorization: `Bearer ${jwt.sign(claims, secret)}` }),
      method: 'GET',
    } as const;
    expect(verifyVonage(forged, { signatureSecret: secret, now })).to.equal(false);
  });
});

describe('the signature of SendGrid', () => {
  const publicKey = 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==';
  const headers = {
    'x-twilio-email-event-webhook-timestamp': '1600112502',
    'x-twilio-email-event-webhook-signature': 'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
  };
  const body =
    '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n';
  const genuine = (sent: string, given: Readonly<Record<string, string>> = headers): boolean =>
    verifySendGrid(request('/v1/webhooks/sendgrid', sent, given), { publicKey });

  it('is over every byte of the body, and the time', () => {
    expect(genuine(body)).to.equal(true);
    expect(genuine(body.trimEnd())).to.equal(false);
    expect(genuine(body, { ...headers, 'x-twilio-email-event-webhook-timestamp': '1600112503' })).to.equal(false);
    expect(genuine(body, {})).to.equal(false);
    expect(verifySendGrid(request('/', body, headers), { publicKey: 'no key' })).to.equal(false);
  });

  it('is right for every genuine request and wrong for every other', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const entropy = new SeededEntropy(2);
    for (let i = 0; i < RUNS; i++) {
      const bytes = Buffer.from(JSON.stringify([{ n: entropy.fraction() }]));
      const signature = sign('sha256', Buffer.concat([Buffer.from('17'), bytes]), pair.privateKey).toString('base64');
      const given = { 'x-twilio-email-event-webhook-timestamp': '17', 'x-twilio-email-event-webhook-signature': signature };
      const at = Math.floor(entropy.fraction() * bytes.length);
      const changed = Buffer.from(bytes).fill((bytes[at] as number) ^ 1, at, at + 1);
      expect(verifySendGrid({ ...request('/', '', given), body: bytes }, { publicKey: key })).to.equal(true);
      expect(verifySendGrid({ ...request('/', '', given), body: changed }, { publicKey: key })).to.equal(false);
    }
  });

  it('is judged like by the package of SendGrid', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const theirs = new EventWebhook();
    const entropy = new SeededEntropy(3);
    const seen = { true: 0, false: 0 };
    for (let i = 0; i < SLOW_RUNS; i++) {
      const [text, time] = [JSON.stringify([{ n: entropy.fraction(), name: 'Zoë' }]), String(1_600_000_000 + i)];
      const signed = Buffer.from(i % 4 === 0 ? `${text} ` : text);
      const signature = sign('sha256', Buffer.concat([Buffer.from(i % 4 === 1 ? `${time}0` : time), signed]), pair.privateKey).toString('base64');
      const given = { 'x-twilio-email-event-webhook-timestamp': time, 'x-twilio-email-event-webhook-signature': signature };
      const verdict = theirs.verifySignature(theirs.convertPublicKeyToECDSA(publicKey), text, signature, time);
      expect(verifySendGrid(request('/', text, given), { publicKey }), text).to.equal(verdict);
      seen[`${verdict}`] += 1;
    }
    expect(Math.min(seen.true, seen.false)).to.be.above(0);
  });
});

describe('the password of Postmark', () => {
  const genuine = (given: string | undefined): boolean =>
    showsPassword(request('/', '{}', given === undefined ? {} : { authorization: given }), { user: 'post', password: 'mark:1' });
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  it('is that of Basic authentication', () => {
    expect(genuine(basic('post:mark:1'))).to.equal(true);
    for (const wrong of [undefined, '', basic('post:mark:2'), basic('post'), basic(':'), 'Bearer x', 'Basic ***'])
      expect(genuine(wrong), wrong).to.equal(false);
  });
});

describe('the signature of Amazon SNS', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const url = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
  const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';
  type Sns = Record<string, string>;
  const signed = (message: Sns, names: readonly string[]): Sns => {
    const text = names.flatMap((name) => (name in message ? [`${name}\n${message[name]}\n`] : [])).join('');
    const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    return { ...message, Signature: createSign(algorithm).update(text).sign(privateKey, 'base64') };
  };
  const notification = (fields: Sns = {}): Sns =>
    signed(
      {
        Type: 'Notification',
        MessageId: 'sns-1',
        TopicArn: TOPIC,
        Message: '{}',
        Timestamp: '2026-01-15T10:30:00.000Z',
        SignatureVersion: '2',
        SigningCertURL: url,
        ...fields,
      },
      ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
    );
  const asked: string[] = [];
  const certificate = async (at: string): Promise<string> => {
    asked.push(at);
    return pem;
  };
  const genuine = async (message: object, topicArns: readonly string[] = [TOPIC]): Promise<boolean> =>
    (await verifySns(request('/', JSON.stringify(message), { 'content-type': 'text/plain' }), { topicArns, certificate })) !== null;

  it('is accepted in both versions, of our topics only', async () => {
    expect(await genuine(notification())).to.equal(true);
    expect(await genuine(notification({ SignatureVersion: '1', Subject: 'Amazon SES' }))).to.equal(true);
    expect(await genuine(notification({ SignatureVersion: '3' }))).to.equal(false);
    expect(await genuine({ ...notification(), Message: '{ }' })).to.equal(false);
    expect(await genuine(notification(), ['arn:aws:sns:eu-west-1:123456789012:other'])).to.equal(false);
  });

  it('takes its certificate from Amazon alone', async () => {
    asked.length = 0;
    for (const wrong of [
      'http://sns.eu-west-1.amazonaws.com/a.pem',
      'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
      'https://evil.example/sns.eu-west-1.amazonaws.com/a.pem',
      'https://sns.eu-west-1.amazonaws.com@evil.example/a.pem',
      'https://user@sns.eu-west-1.amazonaws.com/a.pem',
      'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
      'https://sns.eu-west-1.amazonaws.com/a.txt',
      'https://sns.eu-west-1.amazonaws.com/redirect?to=a.pem',
      'https://127.0.0.1/a.pem',
      'https://s3.amazonaws.com/a.pem',
    ]) {
      expect(isCertificateUrl(wrong), wrong).to.equal(false);
      expect(await genuine(notification({ SigningCertURL: wrong })), wrong).to.equal(false);
    }
    expect(asked).to.deep.equal([]);
    expect(isCertificateUrl('https://sns.cn-north-1.amazonaws.com.cn/a.pem')).to.equal(true);
  });

  it('is judged like by sns-validator, in random messages', async () => {
    const https = require('node:https') as { get: unknown };
    const { get } = https;
    // The judge loads the certificate itself: it is given ours.
    https.get = (_: string, answer: (response: object) => void) => {
      const response = {
        statusCode: 200,
        on(event: string, listener: (data?: string) => void) {
          if (event === 'data') listener(pem);
          if (event === 'end') listener();
          return response;
        },
      };
      answer(response);
      return { on: () => {} };
    };
    try {
      const Validator = require('sns-validator') as new () => { validate(message: object, done: (error: unknown) => void): void };
      const validator = new Validator();
      const judged = (message: object): Promise<boolean> =>
        new Promise((resolve) => validator.validate(structuredClone(message), (e) => resolve(e === null)));
      const entropy = new SeededEntropy(3);
      const pick = <T>(of: readonly T[]): T => of[Math.floor(entropy.fraction() * of.length)] as T;
      const seen = { true: 0, false: 0 };
      for (let i = 0; i < RUNS; i++) {
        const right = notification({
          Message: JSON.stringify({ n: entropy.fraction(), text: pick(['é', '😀', '\n', 'plain']) }),
          SignatureVersion: pick(['1', '2']),
          ...(entropy.fraction() < 0.3 && { Subject: pick(['Amazon SES', 'Ünicode']) }),
        });
        const field = pick(['Message', 'MessageId', 'Timestamp', 'Type', 'Signature', 'SignatureVersion', 'SigningCertURL', 'Subject']);
        const message = pick([right, right, { ...right, [field]: `${right[field] ?? ''}x` }]);
        const expected = await judged(message);
        expect(await genuine(message), JSON.stringify(message)).to.equal(expected);
        seen[`${expected}`]++;
      }
      expect(Math.min(seen.true, seen.false)).to.be.greaterThan(RUNS / 10);
    } finally {
      https.get = get;
    }
  });
});
