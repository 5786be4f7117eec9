import { expect } from 'chai';
import { meaningOfStatus } from '../../domain/messages/bounces/enhanced-statuses.js';
import { comparableWords, readRefusal, type SessionStage } from '../../domain/messages/bounces/read-reply.js';
import { recipientsIn, sessionStageIn, tellsDelay, withoutReturned } from '../../domain/messages/bounces/text-formats.js';

/** What receivers say of an address that is gone. */
const GONE = [
  ...['No such user', 'User unknown', 'unknown recipient', 'Invalid mailbox', 'recipient not found', 'Address does not exist', 'mailbox unavailable'],
  ...[
    'not listed in Domino Directory',
    'This account has been deleted',
    'no mailbox here by that name',
    'there is no one at this address',
    'account closed',
  ],
  ...[
    'Recipient address rejected: User unknown in virtual mailbox table',
    'this address no longer accepts mail',
    'Host unknown',
    'domain does not exist',
  ],
  ...[
    'Unrouteable address',
    'Adresse inconnue',
    'Empfänger unbekannt',
    'el usuario no existe',
    'utente sconosciuto',
    'пользователь не найден',
    '用户不存在',
  ],
];
/** What they say of a message, of its sender, or of a moment. */
const PASSING = [
  ...[
    'Mailbox full',
    'over quota',
    'disk quota exceeded',
    'user has exceeded the space',
    'Postfach ist voll',
    'boîte pleine',
    'message too large for this user',
  ],
  ...[
    'greylisted',
    'too many recipients this hour',
    'too many unknown users',
    'rate limit exceeded',
    'possible directory harvest attack: unknown recipients',
  ],
  ...['sender address rejected: user unknown', 'Domain of sender address does not exist', 'your domain does not exist', 'unknown sender'],
  ...[
    'relaying denied for unknown user',
    'Relay access denied',
    'spam',
    'virus found',
    'attachment not allowed',
    'hop count exceeded',
    'user unknown temporarily',
  ],
  ...[
    'host lookup failure',
    'Host not found, try again',
    'account disabled',
    'mailbox is frozen',
    'not authorized to send to this recipient',
    'refused by recipient preferences',
  ],
  ...[
    'blocked using a DNSBL',
    'client host rejected: cannot find your hostname',
    'SPF record does not exist',
    'DMARC policy',
    'access denied',
    'message id unknown',
  ],
];

describe('the words of receivers', () => {
  for (const said of GONE)
    it(`"${said}" mean that the address is gone`, () =>
      expect(readRefusal({ status: null, words: `550 ${said}`, stage: 'address' }).class).to.equal('hard'));

  for (const said of PASSING)
    it(`"${said}" do not`, () => expect(readRefusal({ status: '5.0.0', words: `550 ${said}`, stage: 'address' }).class).not.to.equal('hard'));

  it('are those of a moment where the reply is one of class 4, whatever it says', () => {
    for (const said of GONE) expect(readRefusal({ status: '5.0.0', words: `450 4.1.1 ${said}` }).class, said).not.to.equal('hard');
  });

  it('are about the content where the address had been accepted', () => {
    const classAt = (stage: SessionStage | null, isReply: boolean) =>
      readRefusal({ status: '5.0.0', words: '550 user unknown', stage, isReply }).class;
    expect([
      classAt('address', true),
      classAt('named_address', true),
      classAt('content', true),
      classAt(null, true),
      classAt(null, false),
    ]).to.deep.equal(['hard', 'hard', 'soft', 'soft', 'hard']);
  });

  it('come before a generic status, and not before a specific code of the receiver', () => {
    expect(readRefusal({ status: '5.7.1', words: '553 invalid recipient' }).class).to.equal('hard');
    expect(readRefusal({ status: null, words: '550 5.7.1 user unknown', stage: 'address' }).class).to.equal('soft');
    expect(readRefusal({ status: null, words: '550 5.2.1 user unknown', stage: 'address' }).class).to.equal('hard');
    expect(readRefusal({ status: null, words: '550 5.2.1 user unknown' }).class).to.equal('soft');
    expect(readRefusal({ status: '5.1.1', words: '550 5.2.2 x' })).to.deep.equal({ class: 'soft', meaning: 'full', code: '5.2.2' });
  });

  it('are not looked for in addresses and links, but for those of block lists', () => {
    expect(comparableWords('550 <virus@spam.example.org> See https://example.org/spam?full')).to.equal('550 see');
    expect(readRefusal({ status: '5.1.1', words: '550 https://www.spamhaus.org/query/bl?ip=192.0.2.1' }).class).to.equal('blocked');
  });
});

describe('codes', () => {
  it('mean what the registry says, by their subject where they are not in it', () => {
    expect(['5.1.1', '5.2.2', '5.7.26', '5.4.312', '5.4.99', '5.7.999', '5.0.0', '5.5.0', '4.0.0', '5.01.1'].map(meaningOfStatus)).to.deep.equal([
      'no_mailbox',
      'full',
      'authentication',
      'name_server',
      'network',
      'policy',
      null,
      null,
      null,
      'no_mailbox',
    ]);
  });
});

describe('texts of mail systems', () => {
  it('end where the returned message begins', () => {
    for (const line of [
      '--- Below this line is a copy of the message.',
      'Original message follows.',
      '------ This is a copy of your message ------',
      'Message headers follow.',
      'Received: from x by y',
      'Message-ID: <x@y>',
    ])
      expect(withoutReturned(`Not delivered.\n\n${line}\nuser unknown`).trim(), line).to.equal('Not delivered.');
  });

  it('name recipients at the beginning of lines, or else within them', () => {
    expect(
      recipientsIn('  <ada@example.org>:\n550 no\nbob@example.org: 552 full\nRecipient: cy@example.org').map(({ recipient, words }) => [
        recipient,
        words.trim(),
      ]),
    ).to.deep.equal([
      ['ada@example.org', '<ada@example.org>:\n550 no'],
      ['bob@example.org', 'bob@example.org: 552 full'],
      ['cy@example.org', 'Recipient: cy@example.org'],
    ]);
    expect(recipientsIn('There was an error delivering your mail to <ada@example.org>.')).to.deep.equal([
      { recipient: 'ada@example.org', words: '' },
    ]);
  });

  it('tell what was refused, and whether it is tried again', () => {
    expect(['(in reply to RCPT TO command)', '>>> DATA\n<<< 550 no', '550 <ada@example.org>: no', 'no'].map(sessionStageIn)).to.deep.equal([
      'address',
      'content',
      'named_address',
      null,
    ]);
    expect([tellsDelay('This is a warning message only.'), tellsDelay('I gave up.')]).to.deep.equal([true, false]);
  });
});
