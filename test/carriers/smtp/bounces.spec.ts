import { expect } from 'chai';
import { type MailReceipt, type ReceivedMail, readMail } from '../../../carriers/smtp/receive.js';
import { bounceMeanings } from '../../../domain/messages/bounces/meanings.js';
import { replyPhrases } from '../../../domain/messages/bounces/reply-phrases.js';
import { textFormats } from '../../../domain/messages/bounces/text-formats.js';
import { type BounceExample, RECIPIENT, reported, textBounces } from './bounce-texts.js';

const ID = 'msg_01JZ0000000000000000000000';
const NOW = Date.UTC(2026, 10, 23);
const OWN = `bounces+${ID}@example.com`;
const mailOf = (header: readonly string[], body: readonly string[]) => Buffer.from([...header, '', ...body, ''].join('\r\n'));
const read = (mail: Buffer) => readMail(mail, NOW);
const returned = [
  '',
  '------ This is a copy of the message, including all the headers. ------',
  '',
  'Received: from mx.example.com',
  'Subject: user unknown',
  '',
  'virus, spam, 550 5.1.1',
];

const textMail = ({ from = 'Mail Delivery System <MAILER-DAEMON@mx.example.com>', subject = 'failure notice', fields = [], text }: BounceExample) =>
  mailOf([`To: ${OWN}`, `From: ${from}`, `Subject: ${subject}`, 'Date: Sun, 22 Nov 2026 10:00:00 +0000', ...fields], [...text, ...returned]);

const reportMail = (blocks: readonly (readonly string[])[], { type = 'message/delivery-status', text = ['Not delivered.'], to = OWN } = {}) =>
  mailOf(
    [
      `To: ${to}`,
      'From: MAILER-DAEMON@mx.example.com',
      'Subject: Undelivered',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    ],
    [
      '--b',
      'Content-Type: text/plain',
      '',
      ...text,
      '--b',
      `Content-Type: ${type}`,
      '',
      'Reporting-MTA: dns; mx.example.com',
      '',
      ...blocks.flatMap((block) => [...block, '']),
      '--b--',
    ],
  );
const block = (recipient: string, status: string, said: string, action = 'failed') => [
  `Final-Recipient: rfc822; ${recipient}`,
  `Action: ${action}`,
  `Status: ${status}`,
  ...(said === '' ? [] : [`Diagnostic-Code: ${said}`]),
];
const resultsOf = (mail: ReceivedMail) => {
  expect(mail.kind).to.equal('receipt');
  return (mail as MailReceipt).receipts;
};

describe('a bounce as text', () => {
  for (const example of textBounces)
    it(`of ${example.system} is ${example.means}`, async () => {
      const mail = await read(textMail(example));
      const [result, ...others] = resultsOf(mail);
      expect(others).to.deep.equal([]);
      expect(result?.kind).to.equal('bounced');
      expect(result?.bounce_class).to.equal(example.means);
      expect(result?.reason === 'hard_bounce').to.equal(example.means === 'hard');
      expect([RECIPIENT, null]).to.include(result?.recipient);
      expect((mail as MailReceipt).ids).to.deep.equal([ID]);
    });

  it('names each of several recipients with what is said of it', async () => {
    const text = [
      'This message was created automatically by mail delivery software.',
      '',
      '  ada@example.org',
      '    550 5.1.1 no such user',
      '  bob@example.org',
      '    552 5.2.2 mailbox full',
    ];
    const results = resultsOf(await read(textMail({ system: '', means: 'hard', text })));
    expect(results.map(({ recipient, bounce_class }) => [recipient, bounce_class])).to.deep.equal([
      ['ada@example.org', 'hard'],
      ['bob@example.org', 'soft'],
    ]);
  });

  it('is a delay where the mail system still tries', async () => {
    const text = [
      'This message was created automatically by mail delivery software.',
      'It has not yet been delivered, and has been delayed.',
      '',
      `  ${RECIPIENT}`,
      '    connection timed out',
    ];
    expect(resultsOf(await read(textMail({ system: '', means: 'soft', text }))).map(({ kind }) => kind)).to.deep.equal(['deferred']);
  });

  it('has an example for each mail system', async () => {
    const covered = textFormats.filter(({ marks }) =>
      [...textBounces.map(({ text }) => text.join(' ')), ...MORE_SYSTEMS].some((text) => marks.some((mark) => mark.test(text.toLowerCase()))),
    );
    expect(textFormats.filter((format) => !covered.includes(format)).map(({ system }) => system)).to.deep.equal([]);
  });

  /** Systems whose mails have a report, and gateways: an opening each. */
  const MORE_SYSTEMS = [
    'This is the MAILER-DAEMON, please DO NOT REPLY to this email.',
    'Error message below: 550',
    '----- Transcript of session follows -----',
    'This is the mail system at host mx.example.com.',
    '<SMTP32 v8.12>',
    'Message from InterScan Messaging',
    'このメールは「m-FILTER」が生成しています',
    'This is the mail delivery agent at messagelabs.com.',
    'This is a delivery status notification from mx.example.com',
    'This message was created automatically by Facebook.',
  ];
  for (const text of MORE_SYSTEMS)
    it(`that opens with "${text.slice(0, 40)}" is one`, async () => {
      const mail = await read(
        textMail({
          system: '',
          means: 'hard',
          from: 'robot@example.com',
          subject: 'x',
          fields: text.startsWith('<') ? [`X-Mailer: ${text}`, 'Return-Path: <>'] : [],
          text: [text, '', `<${RECIPIENT}>: 550 5.1.1 no such user`],
        }),
      );
      expect(resultsOf(mail).map(({ bounce_class }) => bounce_class)).to.deep.equal(['hard']);
    });
});

describe('a report of a mail system', () => {
  for (const [status, said, means] of reported)
    it(`with ${status} and "${said.slice(0, 60)}" is ${means}`, async () => {
      const [result] = resultsOf(await read(reportMail([block(RECIPIENT, status, said)])));
      expect(result).to.include({ kind: 'bounced', bounce_class: means, recipient: RECIPIENT });
    });

  it('may have several recipients and several parts, of any spelling', async () => {
    const blocks = [block(RECIPIENT, '5.1.1', ''), block('bob@example.org', '5.2.2', '', 'failure'), block('cy@example.org', '4.4.7', '', 'expired')];
    for (const type of ['message/delivery-status', 'MESSAGE/Delivery-Status; name=x', 'message/global-delivery-status', 'text/delivery-status']) {
      const results = resultsOf(await read(reportMail(blocks, { type })));
      expect(
        results.map(({ recipient, bounce_class }) => `${recipient} ${bounce_class}`),
        type,
      ).to.deep.equal(['ada@example.org hard', 'bob@example.org soft', 'cy@example.org soft']);
    }
  });

  it('is explained by the text beside it where it gives no reason', async () => {
    const text = ['** Address not found **', '', `Your message wasn't delivered to ${RECIPIENT} because the address couldn't be found.`];
    const [result] = resultsOf(await read(reportMail([block(RECIPIENT, '5.0.0', '')], { text })));
    expect(result?.bounce_class).to.equal('hard');
  });

  it('is found by its boundary even where the header names another one', async () => {
    const mail = reportMail([block(RECIPIENT, '5.1.1', '')])
      .toString()
      .replace('boundary="b"', 'boundary="other"');
    expect(resultsOf(await read(Buffer.from(mail)))[0]?.bounce_class).to.equal('hard');
  });
});

describe('the returned message', () => {
  const original = ['Received: from x', `Message-ID: <${ID}@example.com>`, 'Subject: Hello', '', 'Hi'];
  for (const type of [
    'message/rfc822',
    'message/rfc822; x=y\r\nContent-Disposition: inline',
    'text/rfc822-headers',
    'text/rfc822-header',
    'message/rfc822-headers',
    'message/global',
    'TEXT/RFC822-Headers',
  ])
    it(`is found as ${type.replace(/\s+/g, ' ')}`, async () => {
      const mail = mailOf(
        ['To: desk@example.com', 'From: MAILER-DAEMON@mx.example.com', 'Subject: Undelivered', 'Content-Type: multipart/report; boundary="b"'],
        [
          '--b',
          'Content-Type: message/delivery-status',
          '',
          'Reporting-MTA: dns; x',
          '',
          ...block(RECIPIENT, '5.1.1', ''),
          '',
          '--b',
          `Content-Type: ${type}`,
          '',
          ...original,
          '--b--',
        ],
      );
      expect(await read(mail)).to.deep.include({ kind: 'receipt', ids: [ID] });
    });
});

describe('feedback', () => {
  const feedback = (type: string) =>
    mailOf(
      [`To: ${OWN}`, 'From: fbl@example.org', 'Content-Type: multipart/report; report-type=feedback-report; boundary="b"'],
      ['--b', 'Content-Type: message/feedback-report', '', `Feedback-Type: ${type}`, 'Version: 1', '', '--b--'],
    );
  for (const [type, kind] of [
    ['abuse', 'complained'],
    ['fraud', 'complained'],
    ['opt-out', 'unsubscribed'],
    ['opt-out-list', 'unsubscribed'],
    ['not-spam', 'none'],
    ['auth-failure', 'none'],
    ['dkim', 'none'],
    ['dmarc', 'none'],
    ['virus', 'none'],
  ] as const)
    it(`of the type ${type} is ${kind}`, async () => {
      const mail = await read(feedback(type));
      expect(mail.kind === 'receipt' ? mail.receipts[0]?.kind : mail.kind).to.equal(kind);
    });

  it('of Microsoft is a complaint, found by the returned message', async () => {
    const mail = mailOf(
      [
        'To: abuse@example.com',
        'From: staff@hotmail.com',
        'Subject: complaint about message from 192.0.2.1',
        'Content-Type: multipart/mixed; boundary="b"',
      ],
      [
        '--b',
        'Content-Type: message/rfc822',
        'Content-Disposition: inline',
        '',
        'X-HmXmrOriginalRecipient: ada@example.org',
        `Message-ID: <${ID}@example.com>`,
        '',
        'Hi',
        '--b--',
      ],
    );
    expect(await read(mail)).to.deep.include({ kind: 'receipt', ids: [ID] });
    expect(resultsOf(await read(mail))[0]?.kind).to.equal('complained');
  });

  it('of Amazon as a mail is what it says', async () => {
    const event = {
      notificationType: 'Bounce',
      mail: { messageId: 's1' },
      bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: RECIPIENT, status: '5.1.1' }] },
    };
    const notice = JSON.stringify({ Type: 'Notification', MessageId: 'n', Message: JSON.stringify(event) }, null, 2);
    const mail = mailOf(
      [`To: ${OWN}`, 'From: SES <no-reply@sns.amazonaws.com>', 'Subject: AWS Notification Message'],
      [notice, '', '--', 'If you wish to stop receiving notifications …'],
    );
    expect(resultsOf(await read(mail))[0]).to.include({ kind: 'bounced', bounce_class: 'hard' });
  });
});

describe('a bounce from another name', () => {
  it('is one where its subject or its sender says so, found by the returned message', async () => {
    for (const from of ['sysadmin@example.org', 'Mail.Delivery.System@example.org', '"Mail Administrator" <ada@example.org>']) {
      const header = ['To: desk@example.com', `From: ${from}`, 'Subject: Undeliverable Message', 'Content-Type: multipart/mixed; boundary="b"'];
      const parts = ['--b', 'Content-Type: text/plain', '', `<${RECIPIENT}>: 550 5.1.1 no such user`];
      const mail = mailOf(header, [...parts, '--b', 'Content-Type: message/rfc822', '', `Message-ID: <${ID}@example.com>`, '', 'Hi', '--b--']);
      expect(await read(mail), from).to.deep.include({ kind: 'receipt', ids: [ID] });
      expect(resultsOf(await read(mail))[0]?.bounce_class, from).to.equal('hard');
    }
  });
});

describe('a mail to the address of bounces of a message', () => {
  const sent = (fields: readonly string[], text: readonly string[] = ['Thank you']) =>
    read(mailOf([`To: ${OWN}`, 'From: Ada <ada@example.org>', ...fields], text));

  it('is no bounce where it is a note of absence, though its sender is empty', async () => {
    for (const fields of [
      ['Return-Path: <>', 'Auto-Submitted: auto-replied', 'Subject: I will be back'],
      ['Return-Path: <>', 'Subject: Automatic reply: Hello'],
      ['Return-Path: <>', 'X-Autoreply: yes', 'Subject: Re: Hello'],
    ])
      expect(await sent(fields), fields.join()).to.include({ kind: 'email', automatic: true });
  });

  it('is an unsubscription, also where a program sent it', async () => {
    for (const fields of [['Auto-Submitted: auto-replied'], ['Return-Path: <>', 'X-Mailer: daemon']])
      expect(await sent(['Subject: unsubscribe', ...fields]), fields.join()).to.include({ kind: 'email', subject: 'unsubscribe' });
  });

  it('is a reply of a person where it answers the message, and otherwise for the operator', async () => {
    const answer = await sent(['Subject: Re: Hello', `In-Reply-To: <${ID}@example.com>`]);
    expect(answer).to.include({ kind: 'email', automatic: false });
    expect(answer).not.to.have.property('for_operator');
    expect(await sent(['Subject: Hello'])).to.include({ kind: 'email', automatic: false, for_operator: true });
  });
});

describe('the tables of bounces', () => {
  it('have a phrase of each meaning that has one, and no expression that takes long', () => {
    const meanings = new Set(replyPhrases.map(({ meaning }) => meaning));
    // Only codes tell of it.
    expect(Object.keys(bounceMeanings).filter((name) => !meanings.has(name as never))).to.deep.equal(['protocol']);
    const words = ['user '.repeat(400), 'mailbox quota '.repeat(150), 'a'.repeat(2_000), 'recipient address not '.repeat(90), '550 '.repeat(500)];
    for (const { phrases, meaning } of replyPhrases)
      for (const phrase of phrases)
        for (const text of words) {
          const before = process.cpuUsage();
          phrase.test(text);
          expect(process.cpuUsage(before).user, `${meaning} ${phrase}`).to.be.below(200_000);
        }
  });
});
