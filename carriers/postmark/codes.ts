import type { ErrorCodes, StatusCodes } from '../runtime/codes.js';

/** By `RecordType`; `Bounce` and `SubscriptionChange` have tables of their own. */
export const postmarkRecords: StatusCodes = {
  title: 'Postmark: records',
  page: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
  statuses: {
    Delivery: { kind: 'delivered' },
    SpamComplaint: { kind: 'complained' },
    Open: { kind: 'opened' },
    Click: { kind: 'clicked' },
  },
};

/** Null: no bounce of a message, but the answer of a program, or a confirmation that Postmark awaits. */
export const postmarkBounces: StatusCodes = {
  title: 'Postmark: types of bounces',
  page: 'https://postmarkapp.com/developer/api/bounce-api#bounce-types',
  statuses: {
    HardBounce: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    Transient: { kind: 'deferred' },
    Unsubscribe: { kind: 'unsubscribed' },
    Subscribe: null,
    AutoResponder: null,
    AddressChange: null,
    DnsError: { kind: 'deferred' },
    SpamNotification: { kind: 'complained' },
    OpenRelayTest: null,
    Unknown: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    SoftBounce: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    VirusNotification: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    ChallengeVerification: null,
    BadEmailAddress: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    SpamComplaint: { kind: 'complained' },
    ManuallyDeactivated: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    Unconfirmed: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    Blocked: { kind: 'bounced', reason: 'blocked', bounce_class: 'blocked' },
    SMTPApiError: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    // Of a mail to us.
    InboundError: null,
    DMARCPolicy: { kind: 'bounced', reason: 'blocked', bounce_class: 'blocked' },
    TemplateRenderingFailed: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
  },
};

/** Why Postmark sends nothing more to an address: where only this webhook is set, it is the only report of the bounce or the complaint. */
export const postmarkSuppressions: StatusCodes = {
  title: 'Postmark: `SuppressionReason` of `SubscriptionChange`',
  page: 'https://postmarkapp.com/developer/webhooks/subscription-change-webhook',
  statuses: {
    ManualSuppression: { kind: 'unsubscribed' },
    HardBounce: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    SpamComplaint: { kind: 'complained' },
  },
};

/** The codes that an answer to an email can have. */
export const postmarkErrors: ErrorCodes = {
  title: 'Postmark: error codes',
  page: 'https://postmarkapp.com/developer/api/overview#error-codes',
  onlyAnswers: true,
  codes: {
    10: ['misconfigured', 'Bad or missing API token'],
    100: ['transient', 'Maintenance'],
    300: ['rejected', 'Invalid email request'],
    400: ['misconfigured', 'Sender signature not found'],
    401: ['misconfigured', 'Sender signature not confirmed'],
    402: ['rejected', 'Invalid JSON'],
    403: ['rejected', 'Incompatible JSON'],
    405: ['misconfigured', 'Not allowed to send'],
    // After a hard bounce, a complaint or a manual suppression, perhaps of one stream only: SubscriptionChange says which.
    406: ['inactive', 'Inactive recipient'],
    407: ['rejected', 'Bounce not found'],
    408: ['rejected', 'Bounce query exception'],
    409: ['rejected', 'JSON required'],
    410: ['rejected', 'Too many messages of a batch'],
    411: ['rejected', 'Forbidden type of attachment'],
    412: ['misconfigured', 'The account is pending'],
    413: ['misconfigured', 'The account may not send'],
    429: ['transient', 'Rate limit exceeded'],
    1226: ['misconfigured', 'The message stream does not exist'],
    1235: ['misconfigured', 'The message stream is not of this server'],
  },
};
