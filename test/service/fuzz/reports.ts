/** Reports as carriers send them, to be changed. */
export const reportBodies: readonly { readonly carrier: string; readonly body: object }[] = [
  {
    carrier: 'ses',
    body: {
      Type: 'Notification',
      MessageId: 'sns-1',
      TopicArn: 'arn:aws:sns:eu-west-1:1:mail',
      Message: '{}',
      SignatureVersion: '2',
      Signature: 'x',
      SigningCertURL: 'https://sns.example.com/cert.pem',
    },
  },
  { carrier: 'twilio', body: { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30001' } },
  { carrier: 'vonage', body: { message_uuid: 'v-1', status: 'failed', 'err-code': '3', sig: '0'.repeat(64) } },
  { carrier: 'sendgrid', body: [{ event: 'dropped', reason: 'Invalid', sg_message_id: 'sg-1', timestamp: 1 }] },
  { carrier: 'postmark', body: { RecordType: 'Bounce', Type: 'HardBounce', MessageID: 'pm-1', BouncedAt: '2026-01-15T10:30:00Z', ID: 1 } },
  {
    carrier: 'postmark',
    body: {
      RecordType: 'Inbound',
      From: 'ada@example.com',
      FromFull: { Email: 'ada@example.com', Name: 'Ada' },
      ToFull: [{ Email: 'us@example.com' }],
      Subject: 'Hello',
      TextBody: 'STOP',
      Headers: [{ Name: 'Message-ID', Value: '<x@example.com>' }],
      Attachments: [{ Name: 'a', ContentType: 'text/plain', ContentLength: 1 }],
    },
  },
  { carrier: 'postmark', body: { RecordType: 'SubscriptionChange', MessageID: 'pm-2', SuppressSending: true, ChangedAt: '2026-01-15T10:30:00Z' } },
];
