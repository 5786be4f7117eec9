import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { refused } from '../runtime/errors.js';
import { answerTextOf, basic, type HttpCarrier, noSender, noTemplate, overHttp, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { twilioErrors } from './codes.js';
import { isMessagingService } from './senders.js';
import type { TwilioSettings } from './settings.js';

const TITLE = 'Twilio';
const BASE_URL = 'https://api.twilio.com';

/** Twilio marks the channels other than SMS before the address. */
const PREFIXES = { sms: '', whatsapp: 'whatsapp:', rcs: 'rcs:' } as const;

/** What the recipient sees. A template takes the place of text and media. */
function contentFields({ message, media_urls = [], whatsapp_template }: OutgoingMessage['content']): [string, string][] {
  if (whatsapp_template === undefined) {
    return [...(message === '' ? [] : [['Body', message] as [string, string]]), ...media_urls.map((url): [string, string] => ['MediaUrl', url])];
  }
  const { content_sid = '', variables = {} } = whatsapp_template;
  return [
    ['ContentSid', content_sid],
    ...(Object.keys(variables).length === 0 ? [] : [['ContentVariables', JSON.stringify(variables)] as [string, string]]),
  ];
}

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
      ...contentFields(content),
      ...(receiptsUrl === null ? [] : [['StatusCallback', `${receiptsUrl}?message_id=${message_id}`] as [string, string]]),
    ];
    return new URLSearchParams(fields);
  };
  return {
    title: TITLE,
    request(message) {
      const { whatsapp_template } = message.content;
      if (whatsapp_template && whatsapp_template.content_sid === undefined) return noTemplate(TITLE, 'content_sid');
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
