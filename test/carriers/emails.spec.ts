import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createPostmark } from '../../carriers/postmark/send.js';
import { encoded, quoted } from '../../carriers/runtime/email.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { createSendGrid } from '../../carriers/sendgrid/send.js';
import { createSes } from '../../carriers/ses/send.js';
import { FakeCarrier, fullEmail, type ReceivedRequest, type Reply } from './fake-carrier.js';

const NOW = Date.parse('2026-01-15T10:30:00.000Z');
const never = new AbortController().signal;
const UNSUBSCRIBE = [
  { Name: 'List-Unsubscribe', Value: '<https://example.org/u/1>' },
  { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
];
const MESSAGE_ID = '<msg_01J00000000000000000000002@example.org>';
const plain = () => fullEmail({ content: { message: 'Hello', subject: 'Hi' }, cc: [], bcc: [], headers: {} });

describe('carriers of email', () => {
  const fake = FakeCarrier.own(() => ({ status: 500 }));
  const dependencies = { http: createCarrierHttp(), clock: { now: () => NOW }, receiptsUrl: null };
  beforeEach(() => void fake.requests.splice(0));
  const answering = (reply: Reply): void => {
    fake.reply = () => reply;
  };
  const last = (): ReceivedRequest => fake.requests.at(-1) as ReceivedRequest;

  describe('SendGrid', () => {
    const carrier = (from?: string) => createSendGrid({ api_key: 'SG.key', base_url: fake.url, ...(from && { from }) }, dependencies);

    it('gets everything that an email has', async () => {
      answering({ status: 202, headers: { 'x-message-id': 'sg1' } });
      expect(await carrier().send(fullEmail(), never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: 'sg1' });
      expect(last()).to.include({ method: 'POST', path: '/v3/mail/send' });
      expect(last().headers).to.include({ authorization: 'Bearer SG.key', 'content-type': 'application/json' });
      expect(JSON.parse(last().body)).to.deep.equal({
        personalizations: [
          {
            to: [{ email: 'ada@example.com', name: 'Ada "the" Lovelace' }],
            cc: [{ email: 'cc@example.com' }],
            bcc: [{ email: 'bcc@example.com', name: 'Bcc' }],
            custom_args: { message_id: 'msg_01J00000000000000000000002' },
          },
        ],
        from: { email: 'shop@example.org', name: 'Käse & Co' },
        reply_to: { email: 'reply@example.org' },
        subject: 'Grüße',
        content: [
          { type: 'text/plain', value: 'Hello' },
          { type: 'text/html', value: '<p>Hello</p>' },
        ],
        headers: {
          'Message-ID': MESSAGE_ID,
          'List-Unsubscribe': '<https://example.org/u/1>',
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
        attachments: [{ content: 'aGk=', type: 'text/plain', filename: 'a.txt', disposition: 'attachment' }],
      });
    });

    it('gets the sender of the settings where the message has none', async () => {
      answering({ status: 202, headers: { 'x-message-id': 'sg1' } });
      await carrier('own@example.net').send({ ...plain(), from: null }, never);
      expect(JSON.parse(last().body).from).to.deep.equal({ email: 'own@example.net' });
      expect(await carrier().send({ ...plain(), from: null }, never)).to.include({ outcome: 'misconfigured', code: 'no_sender' });
    });

    for (const [status, field, outcome] of [
      [400, 'personalizations.0.to.0.email', { outcome: 'permanent_error', reason: 'invalid_recipient' }],
      [400, 'subject', { outcome: 'permanent_error', reason: 'carrier_rejected' }],
      [403, 'from', { outcome: 'misconfigured' }],
      [401, null, { outcome: 'misconfigured', code: '401' }],
      [413, null, { outcome: 'permanent_error', reason: 'carrier_rejected' }],
      [429, null, { outcome: 'transient_error' }],
    ] as const)
      it(`answers ${status} about ${field} as ${outcome.outcome}`, async () => {
        answering({ status, body: { errors: [{ message: 'ada@example.com', field, help: null }] } });
        expect(await carrier().send(plain(), never)).to.include(outcome);
      });

    it('has an unknown outcome where the answer has no id', async () => {
      answering({ status: 202 });
      expect(await carrier().send(plain(), never).catch(String)).to.contain('without an id');
    });
  });

  describe('Postmark', () => {
    const carrier = () => createPostmark({ server_token: 'token', base_url: `${fake.url}/` }, dependencies);
    const accepted = {
      status: 200,
      body: { ErrorCode: 0, Message: 'OK', MessageID: 'pm1', SubmittedAt: '2026-01-15T10:30:00Z', To: 'ada@example.com' },
    };

    it('gets everything that an email has', async () => {
      answering(accepted);
      expect(await carrier().send(fullEmail(), never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: 'pm1' });
      expect(last()).to.include({ method: 'POST', path: '/email' });
      expect(last().headers).to.include({ 'x-postmark-server-token': 'token', accept: 'application/json', 'content-type': 'application/json' });
      expect(JSON.parse(last().body)).to.deep.equal({
        From: '"Käse & Co" <shop@example.org>',
        To: '"Ada \\"the\\" Lovelace" <ada@example.com>',
        Cc: 'cc@example.com',
        Bcc: '"Bcc" <bcc@example.com>',
        ReplyTo: 'reply@example.org',
        Subject: 'Grüße',
        TextBody: 'Hello',
        HtmlBody: '<p>Hello</p>',
        MessageStream: 'outbound',
        Metadata: { message_id: 'msg_01J00000000000000000000002' },
        Headers: [{ Name: 'Message-ID', Value: MESSAGE_ID }, { Name: 'X-PM-KeepID', Value: 'true' }, ...UNSUBSCRIBE],
        Attachments: [{ Name: 'a.txt', Content: 'aGk=', ContentType: 'text/plain' }],
      });
    });

    it('gets marketing by the stream of broadcasts', async () => {
      answering(accepted);
      await carrier().send({ ...plain(), category: 'marketing' }, never);
      expect(JSON.parse(last().body)).to.include({ MessageStream: 'broadcast', TextBody: 'Hello' });
    });

    for (const [status, code, outcome] of [
      [422, 406, { outcome: 'permanent_error', reason: 'hard_bounce', code: '406' }],
      [422, 300, { outcome: 'permanent_error', reason: 'carrier_rejected', code: '300' }],
      [422, 400, { outcome: 'misconfigured', code: '400' }],
      [401, 10, { outcome: 'misconfigured', code: '10' }],
      [422, 100, { outcome: 'transient_error', code: '100' }],
      [500, null, { outcome: 'transient_error', code: '500' }],
    ] as const)
      it(`answers ${status} with ${code} as ${outcome.outcome}`, async () => {
        answering({ status, body: { ErrorCode: code, Message: 'x' } });
        expect(await carrier().send(plain(), never)).to.include(outcome);
      });
  });

  describe('Amazon SES', () => {
    const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
    const settings = () => ({ region: 'eu-west-1', access_key_id: 'AKIDEXAMPLE', secret_access_key: SECRET, base_url: fake.url });

    it('gets everything that an email has, with a signature over the request', async () => {
      answering({ status: 200, body: { MessageId: 'ses1' } });
      expect(await createSes(settings(), dependencies).send(fullEmail(), never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: 'ses1' });
      expect(last()).to.include({ method: 'POST', path: '/v2/email/outbound-emails' });
      expect(JSON.parse(last().body)).to.deep.equal({
        FromEmailAddress: '=?UTF-8?B?S8Okc2UgJiBDbw==?= <shop@example.org>',
        Destination: {
          ToAddresses: ['"Ada \\"the\\" Lovelace" <ada@example.com>'],
          CcAddresses: ['cc@example.com'],
          BccAddresses: ['"Bcc" <bcc@example.com>'],
        },
        ReplyToAddresses: ['reply@example.org'],
        Content: {
          Simple: {
            Subject: { Data: 'Grüße', Charset: 'UTF-8' },
            Body: { Text: { Data: 'Hello', Charset: 'UTF-8' }, Html: { Data: '<p>Hello</p>', Charset: 'UTF-8' } },
            Headers: UNSUBSCRIBE,
            Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', ContentDisposition: 'ATTACHMENT', RawContent: 'aGk=' }],
          },
        },
        EmailTags: [{ Name: 'message_id', Value: 'msg_01J00000000000000000000002' }],
      });
      expect(last().headers.authorization).to.equal(signatureOf(last(), SECRET));
      expect(last().headers['x-amz-date']).to.equal('20260115T103000Z');
    });

    for (const [status, type, message, outcome] of [
      [400, 'MessageRejected', 'Email address is not verified.', { outcome: 'misconfigured' }],
      [400, 'MessageRejected', 'Illegal content.', { outcome: 'permanent_error', reason: 'carrier_rejected' }],
      [400, 'SendingPausedException:http://internal.amazon.com/x', '', { outcome: 'misconfigured', code: 'SendingPausedException' }],
      [429, 'TooManyRequestsException', '', { outcome: 'transient_error' }],
      [403, 'InvalidSignatureException', '', { outcome: 'misconfigured' }],
      [500, 'InternalServiceError', '', { outcome: 'transient_error' }],
    ] as const)
      it(`answers ${status} ${type} ${message} as ${outcome.outcome}`, async () => {
        answering({ status, body: { message }, headers: { 'x-amzn-errortype': type } });
        expect(await createSes(settings(), dependencies).send(plain(), never)).to.include(outcome);
      });

    it('is checked by reading the account, also signed', async () => {
      answering({ status: 200, body: {} });
      expect(await createSes(settings(), dependencies).check?.(never)).to.equal(null);
      expect(last()).to.include({ method: 'GET', path: '/v2/email/account' });
      expect(last().headers.authorization).to.equal(signatureOf(last(), SECRET));
    });
  });

  it('write names of addresses so that they can be read back', () => {
    expect(quoted({ address: 'a@b.c', name: 'A "B" \\ C' })).to.equal('"A \\"B\\" \\\\ C" <a@b.c>');
    const long = encoded({ address: 'a@b.c', name: 'ü'.repeat(60) });
    expect(long.split(' ').every((word) => word.length <= 75)).to.equal(true);
    const read = [...long.matchAll(/=\?UTF-8\?B\?(.+?)\?=/g)].map(([, word]) => Buffer.from(word as string, 'base64').toString());
    expect(read.join('')).to.equal('ü'.repeat(60));
  });
});

/** The header of version 4 of AWS's signatures, computed from the request as it arrived. */
function signatureOf({ method, path, headers, body }: ReceivedRequest, secret: string): string {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  expect(signed.split(';')).to.include.members(['host', 'x-amz-date']);
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, path, '', lines.join(''), signed, hash(body)].join('\n');
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/eu-west-1/ses/aws4_request`;
  const key = ['eu-west-1', 'ses', 'aws4_request'].reduce((from, part) => mac(from, part), mac(`AWS4${secret}`, date.slice(0, 8)));
  const signature = mac(key, ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}
