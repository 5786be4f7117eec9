import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import { errorRuleOf } from '../runtime/codes.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { emailOf, type MailAddress } from '../runtime/email.js';
import { refused, refusedByStatus } from '../runtime/errors.js';
import { answerTextOf, type HttpCarrier, noSender, overHttp, responseHeaderOf, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { sendgridErrors } from './codes.js';
import { domainsPath, NO_DOMAIN, sendgridSendingChecks } from './sending-records.js';
import type { SendGridSettings } from './settings.js';

const TITLE = 'SendGrid';
const BASE_URL = 'https://api.sendgrid.com';

const mailbox = ({ address, name }: MailAddress) => ({ email: address, ...(name && { name }) });

/** Email by SendGrid: `POST /v3/mail/send`. */
export const sendgridFormat = ({ api_key = '', from, base_url: base = BASE_URL }: SendGridSettings): HttpCarrier => {
  const authorization = `Bearer ${api_key}`;
  const body = (message: OutgoingMessage): unknown => {
    const email = emailOf(message, from);
    if (email === null) return null;
    const { cc, bcc, text, html, attachments } = email;
    return {
      personalizations: [
        {
          to: [mailbox(email.to)],
          ...(cc.length > 0 && { cc: cc.map(mailbox) }),
          ...(bcc.length > 0 && { bcc: bcc.map(mailbox) }),
          custom_args: { message_id: message.message_id },
        },
      ],
      from: mailbox(email.from),
      ...(email.replyTo !== null && { reply_to: { email: email.replyTo } }),
      subject: email.subject,
      content: [...(text === '' ? [] : [{ type: 'text/plain', value: text }]), ...(html ? [{ type: 'text/html', value: html }] : [])],
      headers: { 'Message-ID': email.messageId, ...Object.fromEntries(email.headers) },
      ...(attachments.length > 0 && {
        attachments: attachments.map(({ filename, content_type: type, content }) => ({ content, type, filename, disposition: 'attachment' })),
      }),
    };
  };
  return {
    title: TITLE,
    request(message) {
      const made = body(message);
      if (made === null) return noSender(TITLE);
      const headers = { authorization, 'content-type': 'application/json' };
      return { method: 'POST', url: urlOf(base, '/v3/mail/send'), headers, body: JSON.stringify(made) };
    },
    // A field that the table does not have is no code: the status decides.
    outcome(answer) {
      if (answer.status < 200 || answer.status > 299) {
        const { errors } = responseJsonOf(answer) as { errors?: readonly { readonly field?: unknown }[] };
        const field = Array.isArray(errors) ? answerTextOf(errors[0]?.field) : null;
        if (field === null || errorRuleOf(sendgridErrors, field)) return refused(TITLE, sendgridErrors, answer.status, field);
        return { ...refusedByStatus(TITLE, answer.status), code: field };
      }
      const id = responseHeaderOf(answer, 'x-message-id');
      return id === null ? null : { outcome: 'accepted', carrier_message_id: id };
    },
    probe: () => ({ method: 'GET', url: urlOf(base, '/v3/scopes'), headers: { authorization } }),
    sending: {
      request: (domain) => ({ method: 'GET', url: urlOf(base, domainsPath(domain)), headers: { authorization } }),
      read: sendgridSendingChecks,
      unknown: NO_DOMAIN,
    },
  };
};

export const createSendGrid = (settings: SendGridSettings, dependencies: HttpDependencies): CarrierClient =>
  overHttp(sendgridFormat(settings), dependencies);
