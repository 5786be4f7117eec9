import { expect } from 'chai';
import { type CarrierName, carrierNames, carrierOf } from '../../../carriers/registry.js';
import type { IncomingReport } from '../../../carriers/runtime/incoming.js';
import { KEPT_CHARACTERS } from '../../../domain/messages/inbound-email.js';
import { readReports } from '../../../ops/app/threads/readers.js';
import { createReportReader } from '../../../ops/app/threads/report-reader.js';
import { createClock } from '../../../ops/system/clock.js';
import { mailOf } from '../../carriers/smtp/mails.js';
import { reportOnMany } from '../../webhooks/large-reports.js';

const never = new AbortController().signal;
const task = (carrier: CarrierName, body: Buffer, { headers = {}, path = '' } = {}) => ({
  reader: { carrier, path },
  request: { method: 'POST', target: '/v1/webhooks/x', headers, body } as const,
  nowMs: Date.UTC(2026, 10, 27),
});
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const longText = 'Thank you. '.repeat(200_000);
const boundary = { 'content-type': 'multipart/form-data; boundary=limit' };
const form = Buffer.from(
  `--limit\r\nContent-Disposition: form-data; name="from"\r\n\r\nada@example.org\r\n--limit\r\nContent-Disposition: form-data; name="text"\r\n\r\n${longText}\r\n--limit--\r\n`,
);
const received = { notificationType: 'Received', receipt: { recipients: ['desk@example.com'] }, content: mailOf([], longText).toString() };

/** A long request for each receiver, with the number of elements that are in it. */
const long = {
  smtp: [task('smtp', reportOnMany({ to: 'bounces@example.com', recipients: 3_000 })), 51],
  sendgrid: [
    task('sendgrid', json(Array.from({ length: 20_000 }, (_, nth) => ({ event: 'delivered', sg_message_id: `sg-${nth}`, timestamp: nth })))),
    20_000,
  ],
  postmark: [task('postmark', json({ From: 'ada@example.org', TextBody: longText, Headers: [] })), 1],
  'sendgrid/inbound/:secret': [task('sendgrid', form, { headers: boundary, path: '/inbound/:secret' }), 1],
  ses: [task('ses', json({ Type: 'Notification', MessageId: 'sns-1', Message: JSON.stringify(received) })), 1],
  twilio: [task('twilio', Buffer.from(`MessageSid=SM1&From=%2B14155550100&Body=${longText}`)), 1],
  vonage: [task('vonage', json({ message_uuid: 'v1', from: '14155550100', text: longText }), { headers: { 'content-type': 'application/json' } }), 1],
} as const satisfies Readonly<Record<string, readonly [ReturnType<typeof task>, number]>>;

describe('long requests of carriers', () => {
  it('have a test for each receiver', () => {
    const receivers = carrierNames.flatMap((name) => carrierOf(name).receivers.map(({ path }) => `${name}${path}`));
    expect(Object.keys(long)).to.have.members(receivers);
  });

  for (const [reader, [asked, elements]] of Object.entries(long)) {
    it(`are read by ${reader} while this thread does other work, as short ones are`, async () => {
      const turns: string[] = [];
      const found = createReportReader(createClock())(asked, never).finally(() => turns.push('read'));
      for (let nth = 0; nth < 5; nth++) {
        await new Promise((resolve) => setImmediate(resolve));
        turns.push('other work');
      }
      expect(await found).to.have.length(elements);
      expect(turns).to.deep.equal([...Array(5).fill('other work'), 'read']);
      expect(await found).to.deep.equal(JSON.parse(JSON.stringify(await readReports(asked))));
    });
  }

  it('bring no more of an email than is recorded, and that it is cut', async () => {
    const [email] = await createReportReader(createClock())(long.postmark[0], never);
    expect((email as Extract<IncomingReport, { kind: 'email' }>).text).to.have.length(KEPT_CHARACTERS + 1);
  });

  it('are not read once the client is gone, whether they wait or are being read', async () => {
    const read = createReportReader(createClock());
    const gone = new AbortController();
    const mail = task('smtp', mailOf([], 'x\r\n'.repeat(4_000_000)));
    const answers = [read(mail, gone.signal), read(mail, gone.signal)].map((answer) => answer.catch((e: unknown) => e));
    const after = read(long.smtp[0], never);
    await new Promise((resolve) => setImmediate(resolve));
    const reason = new Error('the client is gone');
    gone.abort(reason);
    expect(await Promise.all(answers)).to.deep.equal([reason, reason]);
    expect(await after, 'the next one is read by another thread').to.have.length(51);
  });

  it('are unreadable where the thread ends', async () => {
    const dying = new URL(
      `data:text/javascript,${encodeURIComponent('import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1));')}`,
    );
    const found = await createReportReader(createClock(), dying)(long.smtp[0], never);
    expect(found).to.deep.equal([{ kind: 'unreadable', problem: 'it takes too long, or too much memory' }]);
  });
});
