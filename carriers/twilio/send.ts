import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { type ErrorTable, refused } from '../runtime/errors.js';
import { answerTextOf, basic, type HttpCarrier, noSender, overHttp, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import type { TwilioSettings } from './settings.js';

const TITLE = 'Twilio';
const BASE_URL = 'https://api.twilio.com';

/** Codes of https://www.twilio.com/docs/api/errors. Any other is decided by the status of the answer. */
const ERRORS: ErrorTable = {
  ...{ 21211: 'gone', 21214: 'gone', 21217: 'gone', 21614: 'gone', 21635: 'gone', 30005: 'gone', 30006: 'gone', 63003: 'gone', 63024: 'gone' },
  ...{ 21610: 'opted_out', 63014: 'opted_out', 63033: 'opted_out' },
  ...{
    20003: 'misconfigured',
    20008: 'misconfigured',
    20404: 'misconfigured',
    21212: 'misconfigured',
    21603: 'misconfigured',
    21606: 'misconfigured',
  },
  ...{ 21659: 'misconfigured', 21660: 'misconfigured', 21701: 'misconfigured', 21703: 'misconfigured', 63007: 'misconfigured' },
  // The account is suspended, or has no funds.
  ...{ 20005: 'misconfigured', 30002: 'misconfigured' },
  ...{ 20429: 'transient', 14107: 'transient', 30001: 'transient', 30003: 'transient', 30008: 'transient', 30009: 'transient', 30017: 'transient' },
  ...{ 30022: 'transient', 30023: 'transient', 63012: 'transient', 63018: 'transient', 63020: 'transient', 63049: 'transient' },
  // A region or a recipient that this account may not reach, not a wrong password.
  ...{ 21408: 'rejected', 21612: 'rejected', 30004: 'rejected', 30007: 'rejected', 30032: 'rejected', 30034: 'rejected', 63016: 'rejected' },
};

/** Twilio marks the channels other than SMS before the address. */
const PREFIXES = { sms: '', whatsapp: 'whatsapp:', rcs: 'rcs:' } as const;

/** SMS, WhatsApp and RCS by Twilio: `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`. */
export const twilioFormat = (settings: TwilioSettings, receiptsUrl: string | null): HttpCarrier => {
  const { account_sid: account = '', auth_token: token = '', from: ownFrom, messaging_service_sid: service, base_url: base = BASE_URL } = settings;
  const authorization = basic(account, token);
  const form = (message: OutgoingMessage): URLSearchParams | null => {
    const { message_id, channel, to, from, content } = message;
    const prefix = PREFIXES[channel as keyof typeof PREFIXES] ?? '';
    const sender = from ?? (service === undefined ? ownFrom : undefined);
    if (sender === undefined && service === undefined) return null;
    const fields: [string, string][] = [
      ['To', `${prefix}${to}`],
      sender === undefined ? ['MessagingServiceSid', service ?? ''] : ['From', `${prefix}${sender}`],
      ...(content.message === '' ? [] : [['Body', content.message] as [string, string]]),
      ...(content.media_urls ?? []).map((url): [string, string] => ['MediaUrl', url]),
      ...(receiptsUrl === null ? [] : [['StatusCallback', `${receiptsUrl}?message_id=${message_id}`] as [string, string]]),
    ];
    return new URLSearchParams(fields);
  };
  return {
    title: TITLE,
    request(message) {
      const body = form(message);
      if (body === null) return noSender(TITLE);
      const headers = { authorization, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
      return { method: 'POST', url: urlOf(base, `/2010-04-01/Accounts/${account}/Messages.json`), headers, body: body.toString() };
    },
    outcome(answer) {
      const { sid, code, status, error_code } = responseJsonOf(answer);
      if (answer.status < 200 || answer.status > 299) return refused(TITLE, ERRORS, answer.status, answerTextOf(code));
      if (status === 'failed' || status === 'undelivered') return refused(TITLE, ERRORS, 400, answerTextOf(error_code));
      const id = answerTextOf(sid);
      return id === null ? null : { outcome: 'accepted', carrier_message_id: id };
    },
    probe: () => ({
      method: 'GET',
      url: urlOf(base, `/2010-04-01/Accounts/${account}.json`),
      headers: { authorization, accept: 'application/json' },
    }),
  };
};

export const createTwilio = (settings: TwilioSettings, dependencies: HttpDependencies): CarrierClient =>
  overHttp(twilioFormat(settings, dependencies.receiptsUrl), dependencies);
