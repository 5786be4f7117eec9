import type { ErrorCodes, StatusCodes } from '../runtime/codes.js';

const EVENT_PAGE = 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event';

/** A bounce by its `type`. Null: it says nothing of a message. */
export const sendgridEvents: StatusCodes = {
  title: 'SendGrid: events',
  page: EVENT_PAGE,
  statuses: {
    processed: { kind: 'accepted' },
    deferred: { kind: 'deferred' },
    delivered: { kind: 'delivered' },
    bounce: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    blocked: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    dropped: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    open: { kind: 'opened' },
    click: { kind: 'clicked' },
    spamreport: { kind: 'complained' },
    unsubscribe: { kind: 'unsubscribed' },
    group_unsubscribe: { kind: 'unsubscribed' },
    // Lifts nothing: who resubscribes at SendGrid has not asked us.
    group_resubscribe: null,
  },
};

/** Null: it says no more than the event. */
export const sendgridClassifications: StatusCodes = {
  title: 'SendGrid: `bounce_classification` of bounces',
  page: 'https://www.twilio.com/docs/sendgrid/ui/sending-email/bounces#bounce-classifications',
  statuses: {
    'Invalid Address': { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    Invalid: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    Technical: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Technical Failure': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    Content: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    Reputation: { kind: 'bounced', reason: 'blocked', bounce_class: 'blocked' },
    'Frequency or Volume Too High': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Frequency/Volume Too High': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Mailbox Unavailable': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    Unclassified: null,
  },
};

/** Why SendGrid dropped a message, by the beginning of its reason. */
export const sendgridDropped: StatusCodes = {
  title: 'SendGrid: reasons of `dropped`',
  page: EVENT_PAGE,
  statuses: {
    'Bounced Address': { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    'Unsubscribed Address': { kind: 'bounced', reason: 'unsubscribed', bounce_class: 'unknown', listed_as: 'opted_out' },
    'Spam Reporting Address': { kind: 'bounced', reason: 'complaint', bounce_class: 'unknown', listed_as: 'complained' },
    Invalid: { kind: 'bounced', reason: 'invalid_recipient', bounce_class: 'unknown' },
    'Invalid SMTPAPI header': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    'Spam Content': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    'Recipient List over Package Quota': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
  },
};

/** SendGrid has no codes for errors, but names the field of the request. Any other field is decided by the status. */
export const sendgridErrors: ErrorCodes = {
  title: 'SendGrid: fields of errors',
  page: 'https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors',
  onlyAnswers: true,
  codes: {
    'personalizations.0.to.0.email': ['gone', 'The address of the recipient is invalid'],
    'from.email': ['misconfigured', 'The address of the sender is invalid, or not verified'],
    from: ['misconfigured', 'The sender is not a verified identity'],
  },
};
