import { createHash, createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { InboundRouteRequest } from '../../api/http/inbound-route.js';
import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import { carrierReceivers } from '../../ops/app/serve/carrier-receivers.js';
import { inheritedNames, replaced, withField } from '../support/inherited-names.js';
import { bounceMail } from './smtp/mails.js';

const require = createRequire(import.meta.url);
const { getExpectedTwilioSignature } = require('twilio/lib/webhooks/webhooks.js') as typeof import('twilio/lib/webhooks/webhooks.js');

const NOW = Date.parse('2026-01-15T10:30:00Z');
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';
const MESSAGE = 'msg_01JZ0000000000000000000000';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const settings = {
  twilio: { auth_token: 'token' },
  vonage: { signature_secret: 'secret' },
  sendgrid: { webhook_public_key: ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), inbound_secret: 'inbound' },
  postmark: { webhook_user: 'u', webhook_password: 'p' },
  ses: { topic_arns: TOPIC },
  smtp: { webhook_user: 'u', webhook_password: 'p' },
};
const basic = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };

type Fields = Readonly<Record<string, unknown>>;
/** Objects of which JavaScript can make no text. */
const textless = { toString: 1, valueOf: 1 };

/** How each carrier sends these fields, with its proof. */
const senders = {
  twilio: (fields) => {
    const form = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
    const signature = getExpectedTwilioSignature('token', `https://hooks.example.com/v1/webhooks/twilio?m=${MESSAGE}`, form);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
    return { path: '/v1/webhooks/twilio', target: `/v1/webhooks/twilio?m=${MESSAGE}`, headers, body: new URLSearchParams(form).toString() };
  },
  'twilio as JSON': (fields) => {
    const body = JSON.stringify(fields);
    const target = `/v1/webhooks/twilio?bodySHA256=${createHash('sha256').update(body).digest('hex')}`;
    const signature = createHmac('sha1', 'token').update(`https://hooks.example.com${target}`).digest('base64');
    return { path: '/v1/webhooks/twilio', target, headers: { 'content-type': 'application/json', 'x-twilio-signature': signature }, body };
  },
  vonage: (fields) => {
    const body = JSON.stringify(fields);
    const claims = { iat: NOW / 1_000, iss: 'Vonage', payload_hash: createHash('sha256').update(body).digest('hex') };
    return { path: '/v1/webhooks/vonage', headers: { authorization: `Bearer ${jwt.sign(claims, 'secret')}` }, body };
  },
  'vonage without its signature': (fields) => ({
    path: '/v1/webhooks/vonage',
    headers: {},
    body: JSON.stringify({ ...fields, sig: 'x'.repeat(64) }),
  }),
  sendgrid: (fields) => {
    const body = JSON.stringify([fields]);
    const signature = sign('sha256', Buffer.from(`1${body}`), ec.privateKey).toString('base64');
    const headers = { 'x-twilio-email-event-webhook-signature': signature, 'x-twilio-email-event-webhook-timestamp': '1' };
    return { path: '/v1/webhooks/sendgrid', headers, body };
  },
  postmark: (fields) => ({ path: '/v1/webhooks/postmark', headers: basic, body: JSON.stringify(fields) }),
  ses: (fields) => ({ path: '/v1/webhooks/ses', headers: {}, body: signedBySns({ Message: JSON.stringify(fields) }) }),
  sns: (fields) => ({ path: '/v1/webhooks/ses', headers: {}, body: signedBySns(fields) }),
} as const satisfies Readonly<Record<string, (fields: Fields) => Sent>>;

interface Sent {
  readonly path: string;
  readonly target?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function signedBySns(fields: Fields): string {
  const common = { Type: 'Notification', MessageId: 'sns-1', TopicArn: TOPIC, Message: '{}', Timestamp: '2026-01-15T10:30:00.000Z' };
  const message: Fields = { ...common, SignatureVersion: '2', SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/cert.pem', ...fields };
  const names = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'].filter((name) => name in message);
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const text = names.map((name) => `${name}\n${textOf(message[name])}\n`).join('');
  return JSON.stringify({ ...message, Signature: createSign('RSA-SHA256').update(text).sign(rsa.privateKey, 'base64') });
}

/** A report that names a message of ours, and its fields that are looked up in a table. */
const reports = {
  twilio: [
    { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30001' },
    { MessageSid: 'SM1', From: '+14155550100', OptOutType: 'STOP', Body: 'x' },
  ],
  'twilio as JSON': [
    { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30001' },
    { MessageSid: 'SM1', From: '+1415', OptOutType: 'STOP' },
  ],
  vonage: [
    { message_uuid: 'v-1', status: 'failed', 'err-code': '3', timestamp: '2026-01-15T10:30:00Z', error: { title: 'x' } },
    { message_uuid: 'v-1', from: '14155550100', channel: 'sms', text: 'x', context: { message_uuid: 'v-0' } },
  ],
  'vonage without its signature': [{ message_uuid: 'v-1', status: 'failed', 'err-code': '3' }],
  sendgrid: [
    { event: 'dropped', reason: 'Invalid', sg_message_id: 'sg-1', type: 'blocked', status: '5.0.0', custom_args: { message_id: MESSAGE } },
    { event: 'bounce', type: 'blocked', sg_message_id: 'sg-1' },
  ],
  postmark: [
    { RecordType: 'Bounce', Type: 'HardBounce', MessageID: 'pm-1', BouncedAt: '2026-01-15T10:30:00Z', ID: 1, Metadata: { message_id: MESSAGE } },
    {
      RecordType: 'Inbound',
      From: 'a@b.example',
      Headers: [{ Name: 'Message-ID', Value: '<x>' }],
      Attachments: [{ Name: 'a', ContentType: 'text/plain', ContentLength: 1 }],
    },
  ],
  ses: [
    {
      eventType: 'Bounce',
      mail: { messageId: 'ses-1', headers: [{ name: 'x', value: 'y' }] },
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ emailAddress: 'a@b.example', status: '5.1.1' }] },
    },
    { notificationType: 'Received', mail: { messageId: 'ses-2' }, content: 'Subject: x\r\n\r\nHello', receipt: { action: { encoding: 'BASE64' } } },
  ],
  sns: [{ Type: 'Notification' }],
} as const satisfies Readonly<Record<keyof typeof senders, readonly Fields[]>>;

const replacementsOf = (name: string): readonly unknown[] =>
  name === 'constructor' || name === '__proto__' ? [name, withField(name, name), textless] : [name];

const variantsOf = (report: Fields): readonly Fields[] =>
  inheritedNames.flatMap((name) =>
    replacementsOf(name).flatMap((replacement) => [...replaced(report, replacement, name)].filter((one): one is Fields => typeof one === 'object')),
  );

describe('a report that uses a name that every object has', () => {
  const publicKey = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const publicAddress = { url: 'https://hooks.example.com' };
  const receivers = carrierReceivers({ settings, publicAddress, clock: { now: () => NOW }, getText: async () => publicKey });

  async function receive({ path, target = path, headers, body }: Sent): Promise<readonly IncomingReport[] | null | undefined> {
    const receiver = receivers.find((one) => one.path === path);
    const request = { method: 'POST', target, params: {}, headers, body: Buffer.from(body), execute: async () => ({ output: null }) };
    return receiver?.receive(request as unknown as InboundRouteRequest);
  }

  for (const [carrier, send] of Object.entries(senders)) {
    const known: readonly Fields[] = reports[carrier as keyof typeof senders];
    it(`is read without a fault: ${carrier}`, async () => {
      const unsigned = carrier === 'vonage without its signature';
      for (const report of known)
        expect(await receive(send(report)), 'what is genuine').to.satisfy((found: unknown) => (found === null) === unsigned);
      for (const variant of known.flatMap(variantsOf)) await receive(send(variant));
    });
  }

  it('is one of an unknown status, and nothing is recorded', async () => {
    for (const name of inheritedNames) {
      const nothing = [{ kind: 'none', what: name, unknown_code: name }];
      expect(await receive(senders.twilio({ MessageSid: 'SM1', MessageStatus: name }))).to.deep.equal(nothing);
      expect(await receive(senders.vonage({ message_uuid: 'v-1', status: name }))).to.deep.equal(nothing);
      expect(await receive(senders.sendgrid({ event: name, sg_message_id: 'sg-1' }))).to.deep.equal(nothing);
      expect(await receive(senders.postmark({ RecordType: name, MessageID: 'pm-1' }))).to.deep.equal(nothing);
      expect(await receive(senders.ses({ eventType: name, mail: { messageId: 'ses-1' } }))).to.deep.equal(nothing);
    }
  });

  it('has no reason but that of an unknown code', async () => {
    for (const name of inheritedNames) {
      const unknown = { reason: 'carrier_unavailable', code: name };
      const [twilio] = (await receive(senders.twilio({ MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: name }))) ?? [];
      const [vonage] = (await receive(senders.vonage({ message_uuid: 'v-1', status: 'failed', 'err-code': name }))) ?? [];
      for (const found of [twilio, vonage]) expect(found?.kind === 'receipt' && found.receipt).to.include(unknown);
    }
  });

  it('proves nothing as the type or the algorithm of a signature', async () => {
    for (const name of [...inheritedNames, textless]) {
      expect(await receive(senders.sns({ Type: name }))).to.equal(null);
      expect(await receive(senders.sns({ SignatureVersion: name }))).to.equal(null);
      expect(await receive(senders.sns({ TopicArn: name }))).to.equal(null);
    }
  });

  it('as a field of a bounced mail', async () => {
    for (const name of inheritedNames) {
      const mail = bounceMail({ id: MESSAGE, recipient: 'a@b.example' }).toString().replace('Reporting-MTA:', `${name}: x\r\nReporting-MTA:`);
      const receiver = carrierReceivers({
        settings,
        publicAddress,
        clock: { now: () => NOW },
        getText: async () => '',
        ownSettings: async () => settings,
      });
      const request = { ...{ method: 'POST', target: '/', params: { account_id: 'acc_A' }, headers: basic }, body: Buffer.from(mail) };
      const found = await receiver.find(({ path }) => path === '/v1/webhooks/smtp/:account_id')?.receive(request as unknown as InboundRouteRequest);
      expect(found?.map(({ kind }) => kind)).to.deep.equal(['receipt']);
    }
  });
});
