import { expect } from 'chai';
import fc from 'fast-check';
import { receivePostmark, receivePostmarkMail } from '../../carriers/postmark/receive.js';
import type { IncomingReport, RawRequest } from '../../carriers/runtime/incoming.js';
import { receiveInboundParse } from '../../carriers/sendgrid/parse-form.js';
import { receiveSendGrid } from '../../carriers/sendgrid/receive.js';
import { receiveSes } from '../../carriers/ses/receive.js';
import { receiveTwilio } from '../../carriers/twilio/receive.js';
import { receiveVonage } from '../../carriers/vonage/receive.js';

const OURS = 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0001';
const request = (body: string, headers: Readonly<Record<string, string>> = {}, target = '/v1/webhooks/x'): RawRequest => ({
  method: 'POST',
  target,
  headers,
  body: Buffer.from(body),
});
const sns = (message: unknown) => ({ Type: 'Notification', MessageId: 'sns-1', TopicArn: 'arn', Message: JSON.stringify(message) });
// biome-ignore lint/suspicious/noExplicitAny: specs look into results of every kind
const only = (found: readonly IncomingReport[]): any => {
  expect(found).to.have.lengthOf(1);
  return found[0];
};

describe('what Twilio reports', () => {
  const status = (fields: Readonly<Record<string, string>>) =>
    receiveTwilio(request(new URLSearchParams({ MessageSid: 'SM1', ...fields }).toString(), {}, `/v1/webhooks/twilio?message_id=${OURS}`));

  it('is a receipt of our message, with all fields', () => {
    const { kind, receipt, message_id } = only(status({ MessageStatus: 'undelivered', ErrorCode: '30005', Unheard: 'of' }));
    expect([kind, message_id]).to.deep.equal(['receipt', OURS]);
    expect(receipt).to.include({ kind: 'undelivered', reason: 'invalid_recipient', code: '30005', carrier_message_id: 'SM1', at: null });
    expect(JSON.parse(receipt.raw)).to.include({ Unheard: 'of' });
    expect(only(status({ MessageStatus: 'delivered' })).receipt.kind).to.equal('delivered');
    expect(only(status({ MessageStatus: 'a_new_status' }))).to.deep.equal({ kind: 'none', what: 'a_new_status', unknown_code: 'a_new_status' });
  });

  it('shows that it took our message, by each step before the result', () => {
    for (const step of ['queued', 'sent'])
      expect(only(status({ MessageStatus: step })))
        .to.deep.include({ message_id: OURS, dedupe: 'status' })
        .and.nested.include({
          'receipt.kind': 'accepted',
          'receipt.raw_status': step,
        });
    const unnamed = receiveTwilio(request('MessageSid=SM1&MessageStatus=sent', {}, '/v1/webhooks/twilio'));
    expect(only(unnamed)).to.deep.equal({ kind: 'none', what: 'sent' });
  });

  it('is a text, also with a classified keyword', () => {
    const { report } = only(status({ From: 'whatsapp:+14155550100', To: 'whatsapp:+14155550199', Body: 'Adiós', OptOutType: 'STOP' }));
    const expected = { channel: 'whatsapp', from: '+14155550100', to: '+14155550199', text: 'Adiós', kind: 'stop', answered: true };
    expect(report).to.deep.include(expected);
    expect(only(status({ From: '+14155550100', Body: 'STOP', SmsStatus: 'received' })).report).to.include({ channel: 'sms', answered: false });
  });
});

describe('what Vonage reports', () => {
  it('is a receipt or a text, as JSON, as a form or in the query', () => {
    const json = JSON.stringify({
      message_uuid: 'u-1',
      status: 'rejected',
      client_ref: OURS,
      timestamp: '2023-05-01T14:00:00.000Z',
      error: { title: '1020' },
    });
    expect(only(receiveVonage(request(json)))).to.deep.include({ kind: 'receipt', message_id: OURS });
    expect(only(receiveVonage(request(json.replace('rejected', 'submitted')))).receipt.kind).to.equal('accepted');
    expect(only(receiveVonage(request(json))).receipt).to.include({ kind: 'undelivered', code: '1020', at: '2023-05-01T14:00:00.000Z' });
    const form = 'msisdn=447700900000&to=447700900001&messageId=0A&status=delivered&err-code=0&message-timestamp=2026-01-15+10%3A30%3A00';
    expect(only(receiveVonage(request(form))).receipt).to.include({ kind: 'delivered', at: '2026-01-15T10:30:00.000Z' });
    expect(only(receiveVonage({ ...request('', {}, `/v1/webhooks/vonage?${form}`), method: 'GET' })).receipt.kind).to.equal('delivered');
    const text = JSON.stringify({ message_uuid: 'u-2', from: '447700900000', to: '447700900001', channel: 'rcs', message_type: 'text', text: 'Hi' });
    expect(only(receiveVonage(request(text))).report).to.include({ channel: 'rcs', from: '+447700900000', to: '+447700900001', text: 'Hi' });
  });
});

describe('what SendGrid reports', () => {
  const event = (fields: object) => ({ sg_message_id: 'abc.def', sg_event_id: 'e-1', timestamp: 1_600_112_492, ...fields });
  const one = (fields: object) => only(receiveSendGrid(request(JSON.stringify([event(fields)]))));

  it('is read by its table', () => {
    expect(one({ event: 'bounce', type: 'bounce', status: '5.1.1', message_id: OURS }).receipt).to.include({
      kind: 'bounced',
      reason: 'hard_bounce',
      code: '5.1.1',
      carrier_message_id: 'abc',
    });
    expect(one({ event: 'bounce', type: 'blocked' }).receipt).to.include({ kind: 'bounced', reason: 'carrier_rejected' });
    expect(one({ event: 'dropped', reason: 'Unsubscribed Address' }).receipt.reason).to.equal('unsubscribed');
    expect(one({ event: 'open', sg_machine_open: true }).receipt).to.include({ kind: 'opened', code: 'machine_open' });
    expect(one({ event: 'click', url: 'https://example.com' }).receipt).to.include({ kind: 'clicked', url: 'https://example.com' });
    expect(one({ event: 'group_resubscribe' }).kind).to.equal('none');
    expect(one({ event: 'processed', message_id: OURS }).receipt.kind).to.equal('accepted');
    expect(one({ event: 'processed' }).kind).to.equal('none');
  });

  it('keeps the other events of a batch where one is bad', () => {
    const body = JSON.stringify([event({ event: 'delivered' }), 7, { event: 'delivered' }, null, event({ event: 'spamreport' })]);
    expect(receiveSendGrid(request(body)).map(({ kind }) => kind)).to.deep.equal(['receipt', 'unreadable', 'unreadable', 'unreadable', 'receipt']);
  });

  it('is an email, in the fields of a form or raw', async () => {
    const form = async (fields: Readonly<Record<string, string>>, file?: string) => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.set(name, value);
      if (file) data.set('attachment1', new Blob([file], { type: 'text/plain' }), 'note.txt');
      const made = new Response(data);
      const body = Buffer.from(await made.arrayBuffer());
      return only(await receiveInboundParse({ ...request('', { 'content-type': String(made.headers.get('content-type')) }), body }));
    };
    const headers = `Message-ID: <r-1@example.com>\r\nIn-Reply-To:\r\n <${OURS}@acme.example>\r\nAuto-Submitted: auto-replied`;
    const envelope = JSON.stringify({ to: ['reply@acme.example'], from: 'ada@example.com' });
    const email = await form({ headers, envelope, from: 'Ada <ada@example.com>', subject: 'Re: Hi', text: 'Yes' }, 'abc');
    expect(email).to.deep.include({ from: 'ada@example.com', from_name: 'Ada', to: ['reply@acme.example'], text: 'Yes', automatic: true });
    expect(email.references).to.include(OURS);
    expect(email.attachments).to.deep.equal([{ filename: 'note.txt', content_type: 'text/plain', size: 3 }]);
    const raw = await form({ envelope, email: `From: Ada <ada@example.com>\r\nTo: x@y.example\r\nIn-Reply-To: <${OURS}@a.example>\r\n\r\nYes` });
    expect(raw).to.deep.include({ from: 'ada@example.com', to: ['reply@acme.example'] });
    expect([raw.text.trim(), raw.references.includes(OURS)]).to.deep.equal(['Yes', true]);
  });

  it('is an email in the charsets that it names', async () => {
    const read = async (fields: readonly (readonly [name: string, bytes: Buffer])[]) => {
      const boundary = 'xyz';
      const parts = fields.flatMap(([name, bytes]) => [
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
        bytes,
        Buffer.from('\r\n'),
      ]);
      const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
      const found = only(await receiveInboundParse({ ...request('', { 'content-type': `multipart/form-data; boundary=${boundary}` }), body }));
      return [found.from_name, found.subject, found.text];
    };
    const latin1 = (text: string) => Buffer.from(text, 'latin1');
    const form = (charsets: object, from: Buffer, subject: Buffer, text: Buffer) =>
      read([
        ['from', from],
        ['subject', subject],
        ['text', text],
        ['charsets', Buffer.from(JSON.stringify(charsets))],
      ]);
    const named = { from: 'UTF-8', subject: 'iso-8859-1', text: 'windows-1252' };
    const found = await form(named, Buffer.from('Zoë <zoe@example.com>'), latin1('Café'), Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x80]));
    expect(found).to.deep.equal(['Zoë', 'Café', 'Café €']);
    const unnamed = await form({}, Buffer.from('Zoë <zoe@example.com>'), Buffer.from('Grüße'), latin1('Grüße'));
    expect(unnamed).to.deep.equal(['Zoë', 'Grüße', 'Grüße']);
    const unheard = await form(
      { subject: 'x-unheard', text: 'shift_jis' },
      Buffer.from('zoe@example.com'),
      Buffer.from('Grüße'),
      Buffer.from([0x83, 0x65]),
    );
    expect(unheard).to.deep.equal([null, 'Grüße', 'テ']);
  });
});

describe('what SES reports', () => {
  const mail = { messageId: '0000-ses', timestamp: '2026-01-15T10:30:00.000Z', tags: { message_id: [OURS] } };

  it('is a receipt for each listed recipient', async () => {
    const bounce = {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      timestamp: '2026-01-15T10:31:00.101Z',
      bouncedRecipients: [{ emailAddress: 'jane@example.com', status: '5.1.1' }, 'bad'.length, { emailAddress: 'joe@example.com' }],
    };
    const found = await receiveSes(sns({ notificationType: 'Bounce', bounce, mail }));
    expect(found.map(({ kind }) => kind)).to.deep.equal(['receipt', 'unreadable', 'receipt']);
    expect(found[0]).to.deep.include({ message_id: OURS, dedupe: 'sns-1/jane@example.com' });
    const transient = only(await receiveSes(sns({ eventType: 'Bounce', bounce: { bounceType: 'Transient', bouncedRecipients: [] }, mail })));
    expect(transient.receipt).to.include({ kind: 'bounced', reason: 'carrier_rejected' });
    const full = { bounceType: 'Transient', bounceSubType: 'MailboxFull', bouncedRecipients: [] };
    expect(only(await receiveSes(sns({ eventType: 'Bounce', bounce: full, mail }))).receipt).to.include({ bounce_class: 'soft' });
    expect(only(await receiveSes(sns({ eventType: 'Send', mail }))).receipt.kind).to.equal('accepted');
    expect(only(await receiveSes(sns({ eventType: 'Send', mail: { ...mail, tags: {} } }))).kind).to.equal('none');
    expect(only(await receiveSes(sns({ eventType: 'Unheard', mail }))).kind).to.equal('none');
    expect(only(await receiveSes({ ...sns(''), Message: 'Successfully validated SNS topic' })).kind).to.equal('none');
  });

  it('is an unsubscription where the person has left all lists, and a complaint where a person complained', async () => {
    const kindOf = async (fields: object) => {
      const [found] = await receiveSes(sns({ mail, ...fields }));
      return found?.kind === 'receipt' ? found.receipt.kind : found?.kind;
    };
    const change = (newTopicPreferences: object) => ({ eventType: 'Subscription', subscription: { newTopicPreferences } });
    expect(await kindOf(change({ unsubscribeAll: true }))).to.equal('unsubscribed');
    const topics = [{ topicName: 'News', subscriptionStatus: 'OptOut' }];
    expect(await kindOf(change({ unsubscribeAll: false, topicSubscriptionStatus: topics }))).to.equal('none');
    const complaint = (complaintFeedbackType?: string) => ({ eventType: 'Complaint', complaint: { complaintFeedbackType } });
    expect(await kindOf(complaint())).to.equal('complained');
    expect(await kindOf(complaint('abuse'))).to.equal('complained');
    expect(await kindOf(complaint('auth-failure'))).to.equal('none');
    expect(await kindOf(complaint('not-spam'))).to.equal('none');
  });

  it('is an inbound email', async () => {
    const content = Buffer.from(`From: ada@example.com\r\nSubject: Re\r\nReferences: <${OURS}@a.example>\r\n\r\nYes`).toString('base64');
    const receipt = { action: { type: 'SNS', encoding: 'BASE64' }, recipients: ['reply@acme.example'] };
    const email = only(await receiveSes(sns({ notificationType: 'Received', receipt, content, mail })));
    expect(email).to.deep.include({ kind: 'email', from: 'ada@example.com', to: ['reply@acme.example'] });
  });

  it('cannot be read where the receipt rule has stored it in S3, and says what to set', async () => {
    const receipt = { action: { type: 'S3', bucketName: 'mail', objectKey: 'k1' }, recipients: ['reply@acme.example'] };
    const found = only(await receiveSes(sns({ notificationType: 'Received', receipt, mail })));
    expect(found).to.include({ kind: 'unreadable' });
    expect(found.problem).to.contain('action SNS');
  });
});

describe('a mail as it came, of Postmark', () => {
  it('is read where the fields of the mail are not given', async () => {
    const RawEmail = `From: Ada <ada@example.org>\r\nTo: desk@example.com\r\nSubject: Re: Hello\r\nIn-Reply-To: <${OURS}@a.example>\r\n\r\nYes`;
    const [email] = await receivePostmarkMail(request(JSON.stringify({ RawEmail, OriginalRecipient: 'r@a.example' })));
    expect(email).to.deep.include({
      kind: 'email',
      from: 'ada@example.org',
      subject: 'Re: Hello',
      text: 'Yes',
      to: ['r@a.example'],
      automatic: false,
    });
    const [parsed] = await receivePostmarkMail(request(JSON.stringify({ RawEmail, From: 'bob@example.org', TextBody: 'No' })));
    expect(parsed).to.deep.include({ kind: 'email', from: 'bob@example.org', text: 'No' });
    const [neither] = await receivePostmarkMail(request(JSON.stringify({ RawEmail: 'x' })));
    expect(neither).to.include({ kind: 'unreadable' });
  });
});

describe('what Postmark reports', () => {
  const one = async (fields: object) =>
    only(await receivePostmarkMail(request(JSON.stringify({ MessageID: 'pm-1', Metadata: { message_id: OURS }, ...fields }))));

  it('is read by its table', async () => {
    const time = '2016-04-27T16:28:50.3963933-04:00';
    expect((await one({ RecordType: 'Delivery', DeliveredAt: time })).receipt).to.include({ kind: 'delivered', at: '2016-04-27T20:28:50.396Z' });
    const bounced = await one({ RecordType: 'Bounce', Type: 'HardBounce', ID: 4, BouncedAt: time });
    expect([bounced.receipt.reason, bounced.dedupe, bounced.message_id]).to.deep.equal(['hard_bounce', '4', OURS]);
    expect((await one({ RecordType: 'Bounce', Type: 'Transient', ID: 5 })).receipt.kind).to.equal('deferred');
    expect((await one({ RecordType: 'Bounce', Type: 'Unheard', ID: 5 })).receipt.reason).to.equal('carrier_rejected');
    const change = { RecordType: 'SubscriptionChange', SuppressSending: true };
    expect((await one({ ...change, SuppressionReason: 'ManualSuppression' })).receipt.kind).to.equal('unsubscribed');
    expect((await one({ ...change, SuppressionReason: 'HardBounce' })).receipt).to.include({
      kind: 'bounced',
      reason: 'hard_bounce',
      bounce_class: 'hard',
    });
    expect((await one({ ...change, SuppressionReason: 'SpamComplaint' })).receipt.kind).to.equal('complained');
    expect((await one({ ...change, SuppressSending: false, SuppressionReason: 'HardBounce' })).kind).to.equal('none');
  });

  it('is an email', async () => {
    const email = { FromFull: { Email: 'ada@example.com', Name: 'Ada' }, OriginalRecipient: 'r+x@a.example', MailboxHash: OURS, TextBody: 'Yes' };
    expect(await one(email)).to.deep.include({ kind: 'email', from: 'ada@example.com', token: OURS, text: 'Yes', to: ['r+x@a.example'] });
  });

  it('is an email as a whole, where its fields are missing', async () => {
    const RawEmail = `From: Ada <ada@example.com>\r\nTo: x@y.example\r\nMessage-ID: <m@example.com>\r\nSubject: Re\r\n\r\nYes`;
    for (const more of [{}, { FromFull: { Email: 'ada@example.com' }, From: 'ada@example.com' }]) {
      const found = await one({ RawEmail, OriginalRecipient: 'r+x@a.example', MailboxHash: OURS, ...more });
      expect(found).to.deep.include({ kind: 'email', from: 'ada@example.com', token: OURS, to: ['r+x@a.example'], carrier_message_id: 'pm-1' });
      expect(found.text.trim()).to.equal('Yes');
    }
    expect((await one({ RawEmail: 'no mail' })).kind).to.equal('unreadable');
  });
});

describe('any bytes', () => {
  const json = fc.json({ maxDepth: 4 });
  const names = [
    'event',
    'status',
    'MessageStatus',
    'MessageSid',
    'message_uuid',
    'RecordType',
    'MessageID',
    'Message',
    'mail',
    'bounce',
    'eventType',
  ];
  const known = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
  const body = fc.oneof(
    json,
    known.map((o) => JSON.stringify(o)),
    fc.array(known).map((o) => JSON.stringify(o)),
    fc.string({ unit: 'binary' }),
  );
  const type = fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '');

  it('are read without a throw', () =>
    fc.assert(
      fc.asyncProperty(body, type, fc.webQueryParameters(), async (text, contentType, query) => {
        const raw = request(text, { 'content-type': contentType }, `/v1/webhooks/x?${query}`);
        for (const receive of [receiveTwilio, receiveVonage, receiveSendGrid, receivePostmark, receiveInboundParse])
          expect(await receive(raw)).to.be.an('array');
        expect(await receiveSes({ ...sns(null), Message: text })).to.be.an('array');
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
    ));
});
