import aws4 from 'aws4';
import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { ErrorCodes } from '../runtime/codes.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { emailOf, encoded } from '../runtime/email.js';
import { refused } from '../runtime/errors.js';
import type { CarrierRequest } from '../runtime/http.js';
import { answerTextOf, type HttpCarrier, noSender, overHttp, responseHeaderOf, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { sesErrors } from './codes.js';
import { identityPath, NO_IDENTITY, sesSendingChecks } from './sending-records.js';
import type { SesSettings } from './settings.js';

const TITLE = 'Amazon SES';

/** `MessageRejected` is also the answer to a sender that is not verified. */
const NOT_VERIFIED = /not verified/i;
const NOT_VERIFIED_ERRORS: ErrorCodes = { ...sesErrors, codes: { MessageRejected: ['misconfigured', 'The sender is not verified'] } };

const text = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Null without a sender. */
function bodyOf(message: OutgoingMessage, from: SesSettings['from']): unknown {
  const email = emailOf(message, from);
  if (email === null) return null;
  const { cc, bcc, html, headers, attachments } = email;
  return {
    FromEmailAddress: encoded(email.from),
    Destination: {
      ToAddresses: [encoded(email.to)],
      ...(cc.length > 0 && { CcAddresses: cc.map(encoded) }),
      ...(bcc.length > 0 && { BccAddresses: bcc.map(encoded) }),
    },
    ...(email.replyTo !== null && { ReplyToAddresses: [email.replyTo] }),
    Content: {
      Simple: {
        Subject: text(email.subject),
        Body: { ...(email.text !== '' && { Text: text(email.text) }), ...(html && { Html: text(html) }) },
        ...(headers.length > 0 && { Headers: headers.map(([Name, Value]) => ({ Name, Value })) }),
        ...(attachments.length > 0 && {
          Attachments: attachments.map(({ filename, content_type, content }) => ({
            ...{ FileName: filename, ContentType: content_type, ContentDisposition: 'ATTACHMENT', RawContent: content },
          })),
        }),
      },
    },
    EmailTags: [{ Name: 'message_id', Value: message.message_id }],
  };
}

/** Email by Amazon SES: `POST /v2/email/outbound-emails`, signed with version 4. SES makes the Message-ID of its own id. */
export const sesFormat = (settings: SesSettings): HttpCarrier => {
  const { region = '', access_key_id: accessKeyId = '', secret_access_key: secretAccessKey = '', from } = settings;
  const base = settings.base_url ?? `https://email.${region}.amazonaws.com`;
  const signed = (method: 'GET' | 'POST', path: string, now: number, body?: string): CarrierRequest => {
    const url = urlOf(base, path);
    const { host, pathname } = new URL(url);
    const date = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const given = { ...(body !== undefined && { 'Content-Type': 'application/json' }), 'X-Amz-Date': date };
    const { headers } = aws4.sign(
      { service: 'ses', region, method, host, path: pathname, headers: given, body: body ?? '' },
      { accessKeyId, secretAccessKey },
    );
    const kept = Object.entries(headers ?? {}).filter(([name]) => !/^(host|content-length)$/i.test(name));
    const lowerCase = Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)]));
    return { method, url, headers: lowerCase, ...(body !== undefined && { body }) };
  };
  return {
    title: TITLE,
    request(message, now) {
      const made = bodyOf(message, from);
      return made === null ? noSender(TITLE) : signed('POST', '/v2/email/outbound-emails', now, JSON.stringify(made));
    },
    outcome(answer) {
      const { MessageId, message, Message, __type } = responseJsonOf(answer);
      if (answer.status < 200 || answer.status > 299) {
        const type = (responseHeaderOf(answer, 'x-amzn-errortype') ?? answerTextOf(__type))?.replace(/:.*$/, '').replace(/^.*#/, '') ?? null;
        const isOurs = type === 'MessageRejected' && NOT_VERIFIED.test(answerTextOf(message) ?? answerTextOf(Message) ?? '');
        return refused(TITLE, isOurs ? NOT_VERIFIED_ERRORS : sesErrors, answer.status, type);
      }
      const id = answerTextOf(MessageId);
      return id === null ? null : { outcome: 'accepted', carrier_message_id: id };
    },
    probe: (now) => signed('GET', '/v2/email/account', now),
    sending: { request: (domain, now) => signed('GET', identityPath(domain), now), read: sesSendingChecks, unknown: NO_IDENTITY },
  };
};

export const createSes = (settings: SesSettings, dependencies: HttpDependencies): CarrierClient => overHttp(sesFormat(settings), dependencies);
