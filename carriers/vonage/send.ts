import jwt from 'jsonwebtoken';
import type { SendResult } from '../../domain/messages/send-result.js';
import { numberedValues, type WhatsappTemplate } from '../../domain/messages/whatsapp-template.js';
import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { ErrorCodes } from '../runtime/codes.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { refused } from '../runtime/errors.js';
import { answerTextOf, basic, type HttpCarrier, noSender, noTemplate, overHttp, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { messagesCodeOf, vonageGenericErrors, vonageMessagesErrors } from './codes.js';
import type { VonageSettings } from './settings.js';

const TITLE = 'Vonage';
const BASE_URL = 'https://api.nexmo.com';
const TOKEN_SECONDS = 900;

/** An answer can have the codes of the API, and those of all APIs. */
const ANSWERS: ErrorCodes = { ...vonageMessagesErrors, codes: { ...vonageMessagesErrors.codes, ...vonageGenericErrors.codes } };

/** The title of an answer can be a sentence. */
const numberOnly = (title: unknown): string | null => (/^\d+$/.test(answerTextOf(title) ?? '') ? answerTextOf(title) : null);

/** Vonage takes numbers without a plus; other senders are names. */
const number = (text: string): string => text.replace(/^\+(?=\d+$)/, '');

/** The part of the request that depends on channel and content, or why there is none. */
function typed({ channel, content }: OutgoingMessage): Record<string, unknown> | SendResult {
  if (content.whatsapp_template) return ofTemplate(content.whatsapp_template, channel);
  const [url, ...others] = content.media_urls ?? [];
  if (url === undefined) return { message_type: 'text', text: content.message, channel };
  if (others.length > 0) return notPossible();
  const caption = content.message === '' ? {} : { caption: content.message };
  // Media by SMS is a channel of its own; RCS has no captions.
  const type = /\.(jpe?g|png|gif)$/i.test(new URL(url).pathname) ? 'image' : channel === 'sms' ? 'vcard' : 'file';
  return { message_type: type, [type]: { url, ...(channel !== 'rcs' && caption) }, channel: channel === 'sms' ? 'mms' : channel };
}

/** Vonage writes languages with a hyphen, and gives variables by their places. */
function ofTemplate({ name, language, variables = {} }: WhatsappTemplate, channel: string): Record<string, unknown> | SendResult {
  const parameters = numberedValues(variables);
  if (name === undefined) return noTemplate(TITLE, 'name');
  if (language === undefined) return noTemplate(TITLE, 'language');
  if (parameters === null) return numbersOnly();
  const whatsapp = { policy: 'deterministic', locale: language.replaceAll('_', '-') };
  return { message_type: 'template', template: { name, ...(parameters.length > 0 && { parameters }) }, whatsapp, channel };
}

const numbersOnly = (): SendResult => ({
  outcome: 'permanent_error',
  reason: 'carrier_rejected',
  code: 'no_numbers',
  error: 'Vonage numbers the variables of templates of WhatsApp from 1, without gaps, and this message names them otherwise.',
});

const isResult = (made: Record<string, unknown> | SendResult): made is SendResult => 'outcome' in made;

const notPossible = (): SendResult => ({
  outcome: 'permanent_error',
  reason: 'carrier_rejected',
  code: 'too_many_media',
  error: 'Vonage takes one medium a message.',
});

/** SMS, WhatsApp and RCS by the Messages API of Vonage: `POST /v1/messages`. */
export const vonageFormat = (settings: VonageSettings, receiptsUrl: string | null): HttpCarrier => {
  const { api_key = '', api_secret = '', application_id, private_key, from: ownFrom, base_url: base = BASE_URL } = settings;
  const pem = private_key?.replaceAll('\\n', '\n');
  const authorization = (now: number, jti: string): string => {
    if (application_id === undefined || pem === undefined) return basic(api_key, api_secret);
    const iat = Math.floor(now / 1_000);
    return `Bearer ${jwt.sign({ application_id, iat, exp: iat + TOKEN_SECONDS, jti }, pem, { algorithm: 'RS256' })}`;
  };
  return {
    title: TITLE,
    request(message, now) {
      const { message_id, attempt, to, from } = message;
      const sender = from ?? ownFrom;
      if (sender === undefined) return noSender(TITLE);
      const content = typed(message);
      if (isResult(content)) return content;
      const receipts = receiptsUrl === null ? {} : { webhook_url: receiptsUrl, webhook_version: 'v1' };
      const body = JSON.stringify({ ...content, to: number(to), from: number(sender), client_ref: message_id, ...receipts });
      const headers = {
        authorization: authorization(now, `${message_id}-${attempt}`),
        accept: 'application/json',
        'content-type': 'application/json',
      };
      return { method: 'POST', url: urlOf(base, '/v1/messages'), headers, body };
    },
    outcome(answer) {
      const { message_uuid, type, title } = responseJsonOf(answer);
      if (answer.status < 200 || answer.status > 299) {
        const code = messagesCodeOf(numberOnly(title), answerTextOf(type));
        return refused(TITLE, ANSWERS, answer.status, code);
      }
      const id = answerTextOf(message_uuid);
      return id === null ? null : { outcome: 'accepted', carrier_message_id: id };
    },
    // Nothing can be read in both ways to authenticate. A message without fields is refused, with 422, after the credentials.
    probe: (now) => ({
      ...{ method: 'POST', url: urlOf(base, '/v1/messages'), body: '{}' },
      headers: { authorization: authorization(now, `check-${now}`), accept: 'application/json', 'content-type': 'application/json' },
    }),
  };
};

export const createVonage = (settings: VonageSettings, dependencies: HttpDependencies): CarrierClient =>
  overHttp(vonageFormat(settings, dependencies.receiptsUrl), dependencies);
