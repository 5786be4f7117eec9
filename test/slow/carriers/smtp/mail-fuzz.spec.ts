import { expect } from 'chai';
import fc from 'fast-check';
import { loadMail, MAX_READ, withoutAttachments } from '../../../../carriers/runtime/mail.js';
import { decodedWords, mimeStructureOf } from '../../../../carriers/runtime/mime-parts.js';
import { readMail } from '../../../../carriers/smtp/receive.js';
import { bounceMail, complaintMail, mailOf } from '../../../carriers/smtp/mails.js';

const ID = 'msg_01JZ0000000000000000000000';
const NOW = Date.UTC(2026, 10, 23);
const OWN = `To: bounces+${ID}@example.com`;
const bounce = bounceMail({ id: ID, recipient: 'ada@example.org' });
const text = mailOf([OWN, 'From: MAILER-DAEMON@mx.example.com'], '<ada@example.org>:\r\nRemote host said: 550 5.1.1 no such user');
const SEEDS = [bounce, complaintMail(ID), text, mailOf(['Subject: =?utf-8?Q?=FF?=', 'Content-Type: text/html; charset=iso-2022-jp'], '<p>Hi')];
const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

/** Ways to harm a mail; `at` says where. */
const harms: readonly ((mail: Buffer, at: number) => Buffer)[] = [
  (mail, at) => mail.subarray(0, at % (mail.length + 1)),
  (mail, at) => mail.subarray(at % (mail.length + 1)),
  (mail, at) => {
    const lines = mail.toString('latin1').split('\r\n');
    const moved = lines.splice(at % lines.length, 3);
    return Buffer.from([...moved, ...lines].join('\r\n'), 'latin1');
  },
  (mail) => Buffer.from(mail.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (mail) => Buffer.from(mail.toString('latin1').replaceAll('\r\n', '\r'), 'latin1'),
  (mail, at) =>
    Buffer.from(mail.toString('latin1').replace('text/plain', `text/plain; charset=${['utf-7', 'utf-16le', 'x-none', 'shift_jis', '""'][at % 5]}`)),
  (mail, at) =>
    Buffer.from(
      mail.toString('latin1').replace(/(Content-Type: )/, `Content-Transfer-Encoding: ${['base64', 'quoted-printable', 'x-uue', ''][at % 4]}\r\n$1`),
    ),
  (mail, at) => Buffer.concat([mail, mail.subarray(at % mail.length), Buffer.from([at % 256, 0, 255])]),
];

/** A mail in multiparts that are nested so deep. */
function nested(depth: number, inner: string): Buffer {
  const open = Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`);
  const close = Array.from({ length: depth }, (_, n) => `\r\n--b${depth - 1 - n}--`);
  return Buffer.from([`${OWN}\r\nFrom: ada@example.org\r\n`, ...open, inner, ...close].join(''));
}

const cpuMsOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

describe('mail that is cut, reordered, coded anew, nested or long', () => {
  it('is read without an error', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SEEDS),
        fc.array(fc.tuple(fc.nat({ max: harms.length - 1 }), fc.nat()), { minLength: 1, maxLength: 5 }),
        async (seed, done) => {
          const mail = done.reduce((bytes, [nth, at]) => (bytes.length === 0 ? bytes : (harms[nth] as (typeof harms)[number])(bytes, at)), seed);
          const found = await readMail(mail, NOW);
          if (found.kind === 'none') expect(found.why).not.to.match(/unreadable/);
        },
      ),
      { numRuns: RUNS },
    ));

  it('keeps its parts within its bytes, whatever these are', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
          fc
            .string({ unit: fc.constantFrom('--b', '\r\n', '\n', 'Content-Type: multipart/x; boundary=b', ': ', ' '), maxLength: 400 })
            .map((raw) => Buffer.from(raw)),
        ),
        (bytes) => {
          for (const { headerStart, start, end } of mimeStructureOf(bytes).parts) {
            expect(0 <= headerStart && headerStart <= start && start <= end && end <= bytes.length).to.equal(true);
          }
          expect(withoutAttachments(loadMail(bytes)).length).to.be.at.most(bytes.length + 100 * 500);
        },
      ),
      { numRuns: RUNS },
    ));

  it('is read where it is nested a hundred times', async () => {
    const found = await readMail(nested(100, 'Content-Type: text/plain\r\n\r\nThank you'), NOW);
    expect(found.kind).to.equal('email');
    const shallow = await readMail(nested(10, bounce.toString().split('\r\n').slice(6).join('\r\n')), NOW);
    expect(shallow).to.deep.include({ kind: 'receipt', ids: [ID] });
  });

  it('of 30 MB takes the time of a search, and has the sizes of its attachments', async () => {
    const MB = 1_048_576;
    const line = `${Buffer.alloc(57, 7).toString('base64')}\r\n`;
    const file = line.repeat(Math.floor((30 * MB) / line.length));
    const parts = [
      '--b',
      'Content-Type: text/plain',
      '',
      'Thank you',
      '--b',
      'Content-Type: application/pdf; name="a.pdf"',
      'Content-Disposition: attachment; filename="a.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      `${file}--b--`,
    ];
    const mail = mailOf([`In-Reply-To: <${ID}@example.com>`, 'Content-Type: multipart/mixed; boundary="b"'], parts.join('\r\n'));
    let found = await readMail(mail, NOW);
    expect(
      await cpuMsOf(async () => {
        found = await readMail(mail, NOW);
      }),
    ).to.be.below(1_500);
    expect(found).to.deep.include({ kind: 'email', text: 'Thank you' });
    expect(found)
      .to.have.nested.property('attachments[0]')
      .that.deep.equals({ filename: 'a.pdf', content_type: 'application/pdf', size: Math.floor(((file.length - 2) * 57) / 78) });
  });

  it('has no more of its text and reports read than a bound', async () => {
    const long = mailOf([`In-Reply-To: <${ID}@example.com>`], 'word '.repeat(6_000_000));
    expect(loadMail(long).text.length).to.be.at.most(MAX_READ);
    expect(withoutAttachments(loadMail(long)).length).to.be.below(MAX_READ + 2_000);
    expect(await cpuMsOf(() => readMail(long, NOW))).to.be.below(3_000);
    const found = await readMail(long, NOW);
    expect(found.kind === 'email' && found.text.length).to.be.within(65_537, MAX_READ);
  });

  it('takes a time in proportion to its length, whatever is repeated in it', async () => {
    for (const repeated of ['a@', '<', '=?utf-8?q?', '--b\r\n', ':', '\n ', '550 5.1.1 ', '<style>', 'x: y\r\n'])
      for (const header of [
        [OWN, 'Content-Type: multipart/mixed; boundary="b"'],
        [OWN, 'From: MAILER-DAEMON@mx.example.com', `Subject: ${repeated.replace(/\s/g, ' ').repeat(2_000)}`],
      ])
        expect(await cpuMsOf(() => readMail(mailOf(header, repeated.repeat(400_000)), NOW)), repeated).to.be.below(5_000);
  }).timeout(120_000);

  it('has its encoded words decoded, and broken ones kept', () => {
    expect(decodedWords('=?utf-8?B?w6Q=?= =?iso-8859-1?Q?=E4_b?= c')).to.equal('ää b c');
    expect(decodedWords('=?utf-8?X?w6Q=?= =?')).to.equal('=?utf-8?X?w6Q=?= =?');
  });
});
