import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { refused } from '../runtime/errors.js';
import { answerTextOf, basic, type HttpCarrier, noSender, overHttp, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { twilioErrors } from './codes.js';
import { isMessagingService } from './senders.js';
import type { TwilioSettings } from './settings.js';

const TITLE = 'Twilio';
const BASE_URL = 'https://api.twilio.com';

/** Twilio marks the channels other than SMS before the address. */
const PREFIXES = { sms: '', whatsapp: 'whatsapp:', rcs: 'rcs:' } as const;

/** SMS, WhatsApp and RCS by Twilio: `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`. */
export const twilioFormat = (settings: TwilioSettings, receiptsUrl: string | null): HttpCarrier => {
  const { account_sid: account = '', auth_token: token = '', from: ownFrom, messaging_service_sid: service, base_url: base = BASE_URL } = settings;
  const authorization = basic(account, token);
  /** The sender of a message, or that of the settings: the service comes before the number. */
  const senderField = (from: string | null): { readonly value: string; readonly service: boolean } | null => {
    const value = from ?? service ?? ownFrom;
    return value === undefined ? null : { value, service: isMessagingService(value) };
  };
  const form = (message: OutgoingMessage): URLSearchParams | null => {
    const { message_id, channel, to, from, content } = message;
    const prefix = PREFIXES[channel as keyof typeof PREFIXES] ?? '';
    const sender = senderField(from);
    if (sender === null) return null;
    const fields: [string, string][] = [
      ['To', `${prefix}${to}`],
      sender.service ? ['MessagingServiceSid', sender.value] : ['From', `${prefix}${sender.value}`],
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
      if (answer.status < 200 || answer.status > 299) return refused(TITLE, twilioErrors, answer.status, answerTextOf(code));
      if (status === 'failed' || status === 'undelivered') return refused(TITLE, twilioErrors, 400, answerTextOf(error_code));
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
