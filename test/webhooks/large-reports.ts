/** Reports as nobody sends them who means well. */

interface ReportOnMany {
  readonly to: string;
  readonly recipients: number;
  /** The local part of a recipient's address. */
  readonly nameOf?: (nth: number) => string;
}

/** A delivery status notification about many recipients: 70 bytes each. */
export function reportOnMany({ to, recipients, nameOf = (nth) => `u${nth}` }: ReportOnMany): Buffer {
  const blocks = Array.from(
    { length: recipients },
    (_, nth) => `Final-Recipient: rfc822; ${nameOf(nth)}@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n`,
  );
  const head = ['From: MAILER-DAEMON@mx.example.org', `To: ${to}`, 'Subject: Undelivered', 'MIME-Version: 1.0'];
  const type = 'Content-Type: multipart/report; report-type=delivery-status; boundary="limit"';
  const parts = [
    '--limit',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.org',
    '',
    blocks.join('\r\n'),
    '--limit--',
    '',
  ];
  return Buffer.from([...head, type, '', ...parts].join('\r\n'));
}
