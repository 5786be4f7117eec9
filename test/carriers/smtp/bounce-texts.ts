/** Bounces as mail systems write them, with made-up people: what each says, and what it means. */
import type { BounceClass } from '../../../domain/messages/bounces/meanings.js';

export interface BounceExample {
  readonly system: string;
  readonly means: BounceClass;
  /** Header fields beside those of every mail. */
  readonly fields?: readonly string[];
  readonly from?: string;
  readonly subject?: string;
  readonly text: readonly string[];
}

/** Whom the message was sent to. */
export const RECIPIENT = 'ada@example.org';

const exim = [
  'This message was created automatically by mail delivery software.',
  '',
  'A message that you sent could not be delivered to one or more of its',
];
const eximList = [...exim, 'recipients. This is a permanent error. The following address(es) failed:', '', `  ${RECIPIENT}`];
const qmail = [
  'Hi. This is the qmail-send program at mx.example.com.',
  "I'm afraid I wasn't able to deliver your message to the following addresses.",
  '',
];
const gmail = ['Delivery to the following recipient failed permanently:', '', `     ${RECIPIENT}`, '', 'Technical details of permanent failure:'];

/** Layers (c) and (d): texts without a report. */
export const textBounces: readonly BounceExample[] = [
  {
    system: 'Exim, an unknown mailbox',
    means: 'hard',
    fields: [`X-Failed-Recipients: ${RECIPIENT}`, 'Auto-Submitted: auto-replied'],
    subject: 'Mail delivery failed: returning message to sender',
    text: [
      ...eximList,
      '    host mx.example.org [192.0.2.10]',
      `    SMTP error from remote mail server after RCPT TO:<${RECIPIENT}>:`,
      `    550 5.1.1 <${RECIPIENT}>: no such user`,
    ],
  },
  {
    system: 'Exim, a full mailbox',
    means: 'soft',
    fields: [`X-Failed-Recipients: ${RECIPIENT}`],
    text: [...eximList, '    mailbox is full: retry timeout exceeded'],
  },
  {
    system: 'Exim, a sender on a block list',
    means: 'blocked',
    text: [...eximList, '    554 Service unavailable; client host [192.0.2.1] blocked using a DNSBL'],
  },
  { system: 'Exim, a domain that does not exist', means: 'hard', text: [...eximList, '    Unrouteable mail domain "example.org"'] },
  {
    system: 'Exim, a header alone',
    means: 'unknown',
    from: 'Robot <robot@mx.example.com>',
    fields: [`X-Failed-Recipients: ${RECIPIENT}`],
    subject: 'x',
    text: ['See the log.'],
  },
  {
    system: 'qmail, an unknown mailbox',
    means: 'hard',
    text: [...qmail, `<${RECIPIENT}>:`, '192.0.2.10 does not like recipient.', 'Remote host said: 550 5.1.1 no such user'],
  },
  { system: 'qmail, words without a code', means: 'hard', text: [...qmail, `<${RECIPIENT}>:`, 'Sorry, no mailbox here by that name. user unknown'] },
  { system: 'qmail, a disk quota', means: 'soft', text: [...qmail, `<${RECIPIENT}>:`, 'Remote host said: 552 disk quota exceeded'] },
  {
    system: 'qmail, a host that is not found',
    means: 'hard',
    text: [...qmail, `<${RECIPIENT}>:`, "Sorry, I couldn't find any host named example.org. (#5.1.2)"],
  },
  {
    system: 'qmail, a name server that is silent',
    means: 'soft',
    text: [
      ...qmail,
      `<${RECIPIENT}>:`,
      'CNAME lookup failed temporarily. (#4.4.3)',
      "I'm not going to try again; this message has been in the queue too long.",
    ],
  },
  {
    system: 'DragonFly',
    means: 'hard',
    text: [
      'This is the DragonFly Mail Agent v0.13 at mx.example.com.',
      '',
      `There was an error delivering your mail to <${RECIPIENT}>.`,
      '',
      'mx.example.org [192.0.2.10] did not like our RCPT TO:',
      `550 5.1.1 <${RECIPIENT}>: Recipient address rejected: User unknown`,
    ],
  },
  {
    system: 'Yahoo',
    means: 'soft',
    text: [
      'Sorry, we were unable to deliver your message to the following address.',
      '',
      `<${RECIPIENT}>:`,
      'Remote host said: 550 5.2.2 Mailbox Full [RCPT_TO]',
    ],
  },
  {
    system: 'Gmail, old',
    means: 'hard',
    text: [
      ...gmail,
      'Google tried to deliver your message, but it was rejected by the server for the recipient domain. The error was:',
      '550 550 5.1.1 user unknown (state 14).',
    ],
  },
  {
    system: 'Gmail, old, a virus',
    means: 'soft',
    text: [...gmail, 'The error that the other server returned was: 554 virus found in message (state 18).'],
  },
  {
    system: 'Gmail, new',
    means: 'hard',
    text: ['** Address not found **', '', `Your message wasn't delivered to ${RECIPIENT} because the address couldn't be found.`],
  },
  {
    system: 'Google Groups',
    means: 'unknown',
    fields: ['X-Failed-Recipients: ada@example.org'],
    text: ['Hello,', "We're writing to let you know that the group you tried to contact (ada) may not exist, or you may not post to it."],
  },
  {
    system: 'mail.ru',
    means: 'hard',
    text: [
      'Это письмо создано автоматически сервером Mail.Ru, отвечать на него не нужно.',
      '',
      `  ${RECIPIENT}`,
      '    SMTP error from remote mail server after RCPT TO: 550 5.1.1 User Unknown',
    ],
  },
  {
    system: 'GMX',
    means: 'hard',
    text: [
      'This message was created automatically by mail delivery software.',
      '',
      `"${RECIPIENT}":`,
      'SMTP error from remote server after RCPT command:',
      'host: mx.example.org',
      '550 user unknown',
    ],
  },
  {
    system: 'Zoho',
    means: 'hard',
    text: [
      'This message was created automatically by mail delivery software.',
      '',
      `${RECIPIENT} Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 no such user`,
    ],
  },
  {
    system: 'Zoho, a host that is silent',
    means: 'soft',
    text: [
      'This message was created automatically by mail delivery software.',
      '',
      `${RECIPIENT} Error, ERROR_CODE :421, Host not reachable: connection timed out.`,
    ],
  },
  {
    system: 'Exchange 2003',
    means: 'hard',
    from: 'System Administrator <postmaster@example.com>',
    subject: 'Undeliverable: Hello',
    text: [
      'Your message',
      '',
      '  To:      Ada',
      '',
      'did not reach the following recipient(s):',
      '',
      `${RECIPIENT} on Thu, 5 Mar 2026 10:00:00 +0100`,
      '    The recipient name is not recognized',
      '    MSEXCH:IMS:A:B:C 0 (000C05A6) Unknown Recipient',
    ],
  },
  {
    system: 'Exchange 2007',
    means: 'hard',
    text: [
      'Delivery has failed to these recipients or distribution lists:',
      '',
      RECIPIENT,
      'Diagnostic information for administrators:',
      '',
      RECIPIENT,
      '#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##',
    ],
  },
  {
    system: 'Domino',
    means: 'hard',
    text: [
      'Your message',
      '',
      '  Subject: Hello',
      '',
      'was not delivered to:',
      '',
      `  ${RECIPIENT}`,
      '',
      'because:',
      '',
      `  User ada (${RECIPIENT}) not listed in Domino Directory`,
    ],
  },
  {
    system: 'Amazon WorkMail',
    means: 'soft',
    text: [
      'An error occurred while trying to deliver the mail to the following recipients:',
      RECIPIENT,
      '',
      'Technical report:',
      '',
      'Action: failed',
      `Final-Recipient: rfc822; ${RECIPIENT}`,
      'Diagnostic-Code: smtp; 552 5.2.2 over quota',
      'Status: 5.2.2',
    ],
  },
  {
    system: 'a list',
    means: 'soft',
    from: 'list-owner@example.org',
    fields: ['Precedence: list'],
    text: ['You are not a member of this mailing list, so your mail was not passed on.'],
  },
  {
    system: 'KDDI, which answers after the content',
    means: 'soft',
    text: ['Sorry, we were unable to deliver your message to the following address.', '', `<${RECIPIENT}>:`, '550 : User unknown'],
  },
  { system: 'a system that nobody knows', means: 'unknown', text: ['Your mail was not delivered.', '', `${RECIPIENT} [User unknown]`] },
  { system: 'a system that nobody knows, with a code', means: 'hard', text: ['Your mail was not delivered.', '', `${RECIPIENT} 5.1.1`] },
  { system: 'a mail daemon that says nothing', means: 'unknown', subject: 'x', text: ['Something happened.'] },
  {
    system: 'a null sender that says nothing',
    means: 'unknown',
    from: 'robot@example.com',
    fields: ['Return-Path: <>'],
    subject: 'x',
    text: ['Something happened.'],
  },
];

/** Layers (a) and (b): what a report gives as status, what the receiver said, and what both mean. */
export const reported: readonly (readonly [status: string, said: string, means: BounceClass])[] = [
  ['5.1.1', 'smtp; 550 5.1.1 User unknown', 'hard'],
  ['5.0.0', 'smtp; 550 5.7.1 Service unavailable; client blocked by a list', 'blocked'],
  ['5.0.0', 'smtp; 554 5.2.2 mailbox full', 'soft'],
  ['5.0.0', 'smtp; 550 virus found', 'soft'],
  ['5.0.0', 'smtp; 554 message looks like spam', 'soft'],
  ['5.0.0', 'smtp; 550 not authenticated', 'blocked'],
  ['5.0.0', 'smtp; 550-5.7.26 This message fails DMARC', 'blocked'],
  ['5.1.8', 'smtp; 553 5.1.8 Domain of sender address does not exist', 'soft'],
  ['5.4.316', 'smtp; 550 5.4.316 Message expired, connection refused', 'soft'],
  ['5.4.312', 'smtp; 550 5.4.312 DNS query failed', 'soft'],
  ['5.4.4', 'X-Postfix; Name service error for name=example.org type=MX: Host not found, try again', 'soft'],
  ['5.4.4', 'X-Postfix; Host or domain name not found. Name service error for name=example.org type=A: Host not found', 'hard'],
  ['5.1.1', 'smtp; 550 5.1.1 192.0.2.1 has sent to too many recipients this hour', 'soft'],
  ['5.5.0', 'smtp; 550 Requested action not taken: mailbox unavailable', 'hard'],
  ['5.0.0', 'smtp; 550 <ada@example.org>: User unknown', 'hard'],
  ['5.0.0', 'smtp; 550 Unknown user (in reply to end of DATA command)', 'soft'],
  ['5.0.0', 'X-Notes; User ada not listed in Domino Directory', 'hard'],
  ['5.2.1', 'smtp; 550 5.2.1 The account is disabled', 'soft'],
  ['5.7.1', 'smtp; 554 5.7.1 Relay access denied', 'soft'],
  ['5.2.3', 'smtp; 552 5.2.3 Message size exceeds fixed maximum', 'soft'],
  ['5.4.6', 'smtp; 554 5.4.6 Hop count exceeded', 'soft'],
  ['4.4.1', 'smtp; connect to mx.example.org: Connection timed out', 'soft'],
  ['4.0.0', "smtp; DNS type 'mx' lookup of example.org responded with code NXDOMAIN", 'soft'],
  ['5.1.6', 'smtp; 550 5.1.6 recipient no longer on server', 'hard'],
  ['5.1.10', 'smtp; 556 5.1.10 Domain does not accept mail (null MX)', 'hard'],
  ['5.3.0', 'smtp; 554 5.3.0 internal error', 'soft'],
  ['5.0.0', '', 'unknown'],
];
