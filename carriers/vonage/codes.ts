import type { ErrorCodes, StatusCodes } from '../runtime/codes.js';
import type { StatusMeaning } from '../runtime/incoming.js';

const STEP: StatusMeaning = { kind: 'accepted' };

/** Of the Messages API and of the SMS API. Null: it says nothing. */
export const vonageStatuses: StatusCodes = {
  title: 'Vonage: statuses of messages',
  page: 'https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts',
  statuses: {
    submitted: STEP,
    accepted: STEP,
    buffered: STEP,
    unknown: null,
    delivered: { kind: 'delivered' },
    read: { kind: 'read' },
    rejected: { kind: 'undelivered' },
    undeliverable: { kind: 'undelivered' },
    failed: { kind: 'undelivered' },
    expired: { kind: 'undelivered', reason: 'carrier_unavailable' },
    deleted: { kind: 'undelivered' },
  },
};

/** `err-code` of the receipts of the SMS API. */
export const vonageSmsErrors: ErrorCodes = {
  title: 'Vonage: error codes of the SMS API',
  page: 'https://api.support.vonage.com/hc/en-us/articles/204014733-Vonage-SMS-Delivery-Error-Codes-and-Descriptions',
  codes: {
    1: ['transient', 'Unknown'],
    2: ['transient', 'Absent subscriber, temporary'],
    3: ['gone', 'Absent subscriber, permanent'],
    4: ['rejected', 'Call barred: the network has to remove the bar'],
    5: ['rejected', 'Portability error'],
    6: ['rejected', 'Anti-spam rejection'],
    7: ['transient', 'Handset busy'],
    8: ['transient', 'Network error'],
    9: ['unsubscribed', 'Illegal number: the user does not want messages of this sender'],
    10: ['rejected', 'Illegal message'],
    11: ['gone', 'Unroutable'],
    12: ['transient', 'Destination unreachable'],
    13: ['rejected', 'Subscriber age restriction'],
    14: ['rejected', 'Number blocked by the network'],
    15: ['transient', 'Prepaid: insufficient funds of the subscriber'],
    16: ['rejected', 'Gateway quota exceeded'],
    39: ['misconfigured', 'Illegal sender address for US destinations'],
    50: ['rejected', 'Entity filter'],
    51: ['rejected', 'Header filter'],
    52: ['rejected', 'Content filter'],
    53: ['rejected', 'Consent filter'],
    54: ['rejected', 'Regulation error'],
    99: ['transient', 'General error'],
  },
};

/** Codes of the Messages API: the title of the error in a report, and the fragment of its type in an answer. */
export const vonageMessagesErrors: ErrorCodes = {
  title: 'Vonage: error codes of the Messages API',
  page: 'https://developer.vonage.com/en/api-errors/messages',
  codes: {
    1000: ['transient', 'Throttled'],
    1010: ['rejected', 'Missing parameters'],
    1020: ['rejected', 'Invalid parameters'],
    1021: ['rejected', 'Invalid tag'],
    1022: ['rejected', 'Invalid template or parameters of it'],
    1030: ['transient', 'Internal error'],
    1040: ['rejected', 'Invalid message'],
    1050: ['gone', 'Number barred'],
    1060: ['misconfigured', 'Account barred'],
    1070: ['misconfigured', 'Quota of the account exceeded'],
    1080: ['misconfigured', 'Account not enabled'],
    1090: ['rejected', 'Message too long'],
    1100: ['transient', 'Communication failed'],
    1110: ['misconfigured', 'Invalid signature'],
    1120: ['misconfigured', 'Illegal sender address'],
    1130: ['rejected', 'Invalid TTL'],
    1140: ['misconfigured', 'Facility not allowed'],
    1150: ['rejected', 'Invalid message class'],
    1160: ['rejected', 'Destination not in the list of allowed ones'],
    1170: ['gone', 'Invalid or missing number'],
    1180: ['transient', 'Absent subscriber, temporary'],
    1190: ['gone', 'Absent subscriber, permanent'],
    1200: ['rejected', 'Portability error'],
    1210: ['rejected', 'Anti-spam rejection'],
    1220: ['transient', 'Handset busy'],
    1230: ['transient', 'Network error'],
    1240: ['unsubscribed', 'Illegal number: the user does not want messages of this sender'],
    1241: ['transient', 'Too many messages to the number'],
    1250: ['gone', 'Unroutable'],
    1251: ['rejected', 'The rules of the route do not allow the destination'],
    1260: ['transient', 'Destination unreachable'],
    1270: ['rejected', 'Subscriber age restriction'],
    1280: ['rejected', 'Number blocked by the network'],
    1282: ['rejected', 'Message blocked by the provider'],
    1290: ['transient', 'Prepaid: insufficient funds of the subscriber'],
    1300: ['gone', 'Not part of the network of the provider'],
    1310: ['rejected', 'The device cannot receive the message'],
    1320: ['rejected', 'Message already sent'],
    1330: ['transient', 'Unknown error of the network'],
    1331: ['transient', 'The provider does not respond'],
    1340: ['outside_window', 'Outside of the window of 24 hours: use a template'],
    1350: ['misconfigured', 'The fee for matching numbers is not paid'],
    1360: ['transient', 'The time to live is over'],
    1370: ['misconfigured', 'The access token is expired'],
    1380: ['rejected', 'Invalid address of media'],
    1381: ['rejected', 'The media are too large'],
    1382: ['rejected', 'The type of the media is invalid'],
    1400: ['misconfigured', 'Unsupported channel'],
    1410: ['rejected', 'Invalid parameters of the channel'],
    1420: ['misconfigured', 'The sender is invalid for the channel'],
    1430: ['gone', 'The recipient is invalid for the channel'],
    1440: ['rejected', 'The channel does not have this type of message'],
    1450: ['rejected', 'Invalid reference of the client'],
    1451: ['rejected', 'The message that is answered does not exist'],
    1460: ['transient', 'Daily limit exceeded'],
    1461: ['transient', 'The provider limits messages to this user'],
    1470: ['rejected', 'Fraud protection: the prefix is blocked'],
    1472: ['transient', 'Fraud protection: the limit of traffic is reached'],
    1473: ['rejected', 'Fraud protection: artificial traffic'],
    1480: ['rejected', 'Entity filter'],
    1481: ['rejected', 'Header filter'],
    1482: ['rejected', 'Content filter'],
    1483: ['rejected', 'Consent filter'],
    1484: ['rejected', 'Regulation error'],
  },
};

/** Fragments of the type of errors that all APIs of Vonage have. */
export const vonageGenericErrors: ErrorCodes = {
  title: 'Vonage: errors of all APIs',
  page: 'https://developer.vonage.com/en/api-errors',
  onlyAnswers: true,
  codes: {
    'low-balance': ['misconfigured', 'The balance of the account is low'],
    unauthorized: ['misconfigured', 'Wrong credentials'],
    forbidden: ['misconfigured', 'The account may not do this'],
    'not-found': ['misconfigured', 'The resource does not exist'],
    unprovisioned: ['misconfigured', 'The credentials do not have this product'],
    'account-suspended': ['misconfigured', 'The account is suspended'],
    'jwt-expired': ['misconfigured', 'The token is expired'],
    'jwt-revoked': ['misconfigured', 'The token is revoked'],
    'invalid-api-key': ['misconfigured', 'The key does not exist'],
    'invalid-signature': ['misconfigured', 'The signature is wrong'],
    'invalid-params': ['rejected', 'Invalid parameters'],
    'invalid-json': ['rejected', 'Invalid JSON'],
    throttled: ['transient', 'Too many requests'],
    'internal-error': ['transient', 'Internal error'],
  },
};

/**
 * The code of an error of the Messages API: its title where that is a number, or else the fragment of its type. A title of another kind is
 * the code itself, where the type has none.
 */
export function messagesCodeOf(title: string | null, type: string | null): string | null {
  if (title !== null && /^\d+$/.test(title)) return title;
  return /#([\w-]+)$/.exec(type ?? '')?.[1] ?? title;
}
