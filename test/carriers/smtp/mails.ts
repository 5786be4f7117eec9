/** Mails as mail systems send them. */

const lines = (...parts: readonly (string | readonly string[])[]): Buffer => Buffer.from(`${parts.flat().join('\r\n')}\r\n`);

interface BounceOf {
  readonly id: string;
  readonly recipient: string;
  readonly status?: string;
  readonly action?: string;
  readonly date?: string;
  /** What the receiver said behind the code. */
  readonly said?: string;
}

/** A delivery status notification (RFC 3464), as Postfix writes it. */
export const bounceMail = ({
  id,
  recipient,
  status = '5.1.1',
  action = 'failed',
  date = 'Sun, 22 Nov 2026 10:00:00 +0000',
  said,
}: BounceOf): Buffer =>
  lines(
    'Return-Path: <>',
    `Date: ${date}`,
    'From: MAILER-DAEMON@mx.example.org (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: grace@example.com',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="limit"',
    `Message-Id: <${action}.${status}@mx.example.org>`,
    '',
    '--limit',
    ['Content-Type: text/plain; charset=us-ascii', '', 'I could not deliver your message.', ''],
    '--limit',
    ['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.org', 'Arrival-Date: Sun, 22 Nov 2026 09:59:00 +0000', ''],
    [
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; 550 ${status} <${recipient}>: ${said ?? 'User'}`,
    ],
    [said === undefined ? '    unknown' : '    and no more', ''],
    '--limit',
    ['Content-Type: message/rfc822', '', `Message-ID: <${id}@example.com>`, `To: ${recipient}`, 'Subject: Hello', '', 'Hi', '', '--limit--'],
  );

/** A complaint (RFC 5965). */
export const complaintMail = (id: string, type = 'abuse'): Buffer =>
  lines(
    'From: <feedback@isp.example>',
    'Date: Sun, 22 Nov 2026 10:00:00 +0000',
    'Subject: FW: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="limit"',
    '',
    '--limit',
    ['Content-Type: text/plain', '', 'This is an abuse report.', ''],
    '--limit',
    ['Content-Type: message/feedback-report', '', `Feedback-Type: ${type}`, 'User-Agent: SomeGenerator/1.0', 'Version: 1', ''],
    '--limit',
    ['Content-Type: message/rfc822', '', `Message-ID: <${id}@example.com>`, 'Subject: Hello', '', 'Hi', '', '--limit--'],
  );

/** A mail of a person. `fields`: further header fields. */
export const mailOf = (fields: readonly string[], text = 'Thank you'): Buffer =>
  lines('From: Ada Lovelace <ada@example.org>', 'Date: Sun, 22 Nov 2026 10:00:00 +0000', 'Message-ID: <r1@example.org>', fields, '', text);
