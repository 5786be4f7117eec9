import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import NodemailerComposer from 'nodemailer/lib/mail-composer';
import type { MailAddress } from '../../../carriers/runtime/email.js';
import { Composer, type Mail } from '../../../carriers/smtp/compose.js';
import { envelopeAddress } from '../../../carriers/smtp/header-lines.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 300);
const ID = 'msg_01JZ0000000000000000000000';
const plain: Mail = {
  ...{ id: ID, messageId: `${ID}@example.com`, date: Date.UTC(2026, 1, 3, 4, 5, 6) },
  ...{ from: { address: 'grace@example.com', name: 'Grace' }, to: { address: 'ada@example.org', name: null }, cc: [], replyTo: null },
  ...{ subject: 'Hello', text: 'Hello', html: '', headers: [], attachments: [] },
};

// What people write

const printable = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/\p{Cc}/gu, ''));
const word = fc.oneof(
  fc.constantFrom(
    'Grüße',
    'Ada',
    'Ltd.',
    '"x"',
    '=?utf-8?Q?a?=',
    '=?',
    '=41',
    'a=b',
    '👩‍👩‍👧‍👦',
    '日本語テキスト',
    'x'.repeat(90),
    'ü'.repeat(90),
    '(c)',
    'a,b;c',
    '\\',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
  printable,
);
const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const name = fc.oneof(
  fc.constant(null),
  line.map((text) => text.slice(0, 200)),
);
const lineBreak = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n.\r\n', '\n.\n', '\n..', ' \n', '\t\r\n', '\n--', '\nFrom ');
const text = fc
  .array(fc.tuple(fc.oneof(line, fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), fc.constantFrom('.', '..', 'y'.repeat(1_200))), lineBreak), {
    maxLength: 8,
  })
  .map((lines) => lines.flat().join(''));
const html = fc.oneof(
  fc.constant(''),
  text.map((inner) => `<p>${inner.replace(/[<>&]/g, '')}</p>`),
  fc
    .tuple(line, line)
    .map(([a, b]) => `<html><body><a href="https://example.com/?a=${encodeURIComponent(a)}&amp;b=ü">${b.replace(/[<&]/g, '')}</a></body></html>`),
);
const local = fc.constantFrom('ada', 'a.b+c', "o'neil", 'jörg', 'x_y', '日本', 'a..b', '.a', 'b!#$%&*/=?^`{|}~');
const domain = fc.constantFrom(
  'example.org',
  'Example.COM',
  'müller.example',
  'xn--mller-kva.example',
  'a-b.c-d.example',
  '-a.example',
  'ab--cd.example',
  'x1.y2.example',
);
const address = fc.tuple(local, domain).map((parts) => parts.join('@'));
const mailbox: fc.Arbitrary<MailAddress> = fc.record({ address, name });
const headerName = fc.constantFrom(
  'X-Order',
  'x-a-b',
  'X-ID',
  'References',
  'In-Reply-To',
  'List-Unsubscribe',
  'list-id',
  'Feedback-ID',
  'Auto-Submitted',
  'X-SMTPAPI',
);
const headers = fc.uniqueArray(fc.tuple(headerName, line), { maxLength: 4, selector: ([key]) => key.toLowerCase() });
const attachment = fc.record({
  filename: fc.oneof(
    fc.constantFrom('größe.txt', 'a.pdf', 'mail.eml'),
    printable.map((given) => `${given}.txt`),
  ),
  contentType: fc.constantFrom('text/plain', 'application/pdf', 'image/png', 'message/rfc822'),
  content: fc.oneof(
    fc.constantFrom('', 'YWJj'),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  ),
});
const mails: fc.Arbitrary<Mail> = fc.record({
  ...{ id: fc.constant(ID), messageId: fc.constant(plain.messageId), date: fc.integer({ min: 0, max: 4_000_000_000_000 }) },
  ...{ from: mailbox, to: mailbox, cc: fc.array(mailbox, { maxLength: 4 }) },
  replyTo: fc.oneof(
    fc.constant(null),
    address,
    fc.tuple(fc.constantFrom('Desk', 'Büro', '"Desk, 2"'), address).map(([by, at]) => `${by} <${at}>`),
  ),
  ...{ subject: line.map((given) => given.slice(0, 998)), text, html, headers },
  attachments: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(attachment, { maxLength: 2 }) }),
});

/** The mail as nodemailer writes it, in the lines in which it goes out. */
async function byNodemailer({ attachments, messageId, date, from, to, cc, replyTo, headers: given, ...texts }: Mail): Promise<Buffer> {
  const composed = new NodemailerComposer({
    ...{ subject: texts.subject, text: texts.text, html: texts.html, messageId: `<${messageId}>`, date: new Date(date) },
    ...{ from: named(from), to: named(to), headers: Object.fromEntries(given) },
    ...(cc.length > 0 && { cc: cc.map(named) }),
    ...(replyTo !== null && { replyTo }),
    baseBoundary: createHash('sha256').update(ID).digest('hex').slice(0, 32),
    attachments: attachments.map((one) => ({ ...one, encoding: 'base64' })),
  }).compile();
  const bytes = await composed.build();
  return Buffer.from(bytes.toString('latin1').replace(/\r\n?|\n/g, '\r\n'), 'latin1');
}
const named = ({ address: at, name: by }: MailAddress) => ({ address: at, name: by ?? '' });

const parsed = async (mail: Buffer) => {
  const { headerLines, headers: fields, attachments, ...rest } = await simpleParser(mail);
  fields.delete('content-transfer-encoding');
  return { ...rest, fields: [...fields].sort(), attachments: attachments.map(({ headers: own, ...one }) => ({ ...one, own: [...own].sort() })) };
};
const headerOf = (mail: Buffer): string => mail.toString().split('\r\n\r\n', 1)[0] ?? '';
const fieldsOf = (mail: Buffer): string[] =>
  headerOf(mail)
    .split(/\r\n(?![ \t])/)
    .sort();
const longest = (header: string): number => Math.max(...header.split('\r\n').map((one) => Buffer.byteLength(one)));

describe('mail as bytes', () => {
  it('has the header that nodemailer writes, and is read as the same mail', async () => {
    const composer = new Composer(null);
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const [ours, theirs] = [await composer.compose(mail), await byNodemailer(mail)];
        if (longest(headerOf(theirs)) <= 998) expect(fieldsOf(ours)).to.deep.equal(fieldsOf(theirs));
        expect(await parsed(ours)).to.deep.equal(await parsed(theirs));
      }),
      { numRuns },
    );
  });

  it('has lines that every server takes, and of ASCII alone but for addresses', async () => {
    const composer = new Composer(null);
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const bytes = (await composer.compose({ ...mail, attachments: [], headers: [] })).toString();
        expect(bytes.replaceAll('\r\n', '')).not.to.match(/[\r\n]/);
        expect(bytes.endsWith('\r\n')).to.equal(true);
        for (const one of bytes.split('\r\n')) expect(one.length).to.be.at.most(998);
        const body = bytes.slice(bytes.indexOf('\r\n\r\n'));
        expect(body).to.match(/^[\t\r\n\x20-\x7f]*$/);
        for (const one of body.split('\r\n')) expect(one.length).to.be.at.most(76);
      }),
      { numRuns },
    );
  });

  it('writes addresses to servers as nodemailer does', () => {
    fc.assert(
      fc.property(address, (given) => {
        const composed = new NodemailerComposer({ text: 'x', envelope: { from: 'a@example.com', to: [given] } }).compile();
        expect([envelopeAddress(given)]).to.deep.equal(composed.getEnvelope().to);
      }),
      { numRuns },
    );
  });

  it('encodes a subject without blanks that is longer than a line may be', async () => {
    const subject = 'x'.repeat(998);
    const bytes = await new Composer(null).compose({ ...plain, subject });
    expect(longest(headerOf(bytes))).to.be.at.most(998);
    expect((await simpleParser(bytes)).subject).to.equal(subject);
  });

  it('is the same at every dispatch', async () => {
    const mail = { ...plain, html: '<p>Hello</p>', attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'YWJj' }] };
    expect((await new Composer(null).compose(mail)).equals(await new Composer(null).compose(mail))).to.equal(true);
  });
});
