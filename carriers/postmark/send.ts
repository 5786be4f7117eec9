import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { emailOf, quoted } from '../runtime/email.js';
import { refused } from '../runtime/errors.js';
import { answerTextOf, type HttpCarrier, noSender, overHttp, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { postmarkErrors } from './codes.js';
import { postmarkSendingChecks } from './sending-records.js';
import type { PostmarkSettings } from './settings.js';

const TITLE = 'Postmark';
const BASE_URL = 'https://api.postmarkapp.com';
/** The streams that every server of Postmark has from the start. */
const STREAMS = { transactional: 'outbound', marketing: 'broadcast' } as const;

/** Email by Postmark: `POST /email`. */
export const postmarkFormat = ({ server_token: token = '', from, base_url: base = BASE_URL }: PostmarkSettings): HttpCarrier => {
  const common = { accept: 'application/json', 'x-postmark-server-token': token };
  const body = (message: OutgoingMessage): unknown => {
    const email = emailOf(message, from);
    if (email === null) return null;
    const { cc, bcc, html, text, attachments } = email;
    // Without the second header Postmark replaces the first.
    const headers = [['Message-ID', email.messageId], ['X-PM-KeepID', 'true'], ...email.headers];
    return {
      From: quoted(email.from),
      To: quoted(email.to),
      ...(cc.length > 0 && { Cc: cc.map(quoted).join(', ') }),
      ...(bcc.length > 0 && { Bcc: bcc.map(quoted).join(', ') }),
      ...(email.replyTo !== null && { ReplyTo: email.replyTo }),
      Subject: email.subject,
      ...(text !== '' && { TextBody: text }),
      ...(html && { HtmlBody: html }),
      MessageStream: STREAMS[message.category],
      Metadata: { message_id: message.message_id },
      Headers: headers.map(([Name, Value]) => ({ Name, Value })),
      ...(attachments.length > 0 && {
        Attachments: attachments.map(({ filename, content_type, content }) => ({ Name: filename, Content: content, ContentType: content_type })),
      }),
    };
  };
  return {
    title: TITLE,
    request(message) {
      const made = body(message);
      if (made === null) return noSender(TITLE);
      return { method: 'POST', url: urlOf(base, '/email'), headers: { ...common, 'content-type': 'application/json' }, body: JSON.stringify(made) };
    },
    outcome(answer) {
      const { ErrorCode, MessageID } = responseJsonOf(answer);
      const code = answerTextOf(ErrorCode);
      if (answer.status < 200 || answer.status > 299) return refused(TITLE, postmarkErrors, answer.status, code);
      if (code !== null && code !== '0') return refused(TITLE, postmarkErrors, 422, code);
      const id = answerTextOf(MessageID);
      return id === null ? null : { outcome: 'accepted', carrier_message_id: id };
    },
    probe: () => ({ method: 'GET', url: urlOf(base, '/server'), headers: common }),
  };
};

export const createPostmark = (settings: PostmarkSettings, dependencies: HttpDependencies): CarrierClient => ({
  ...overHttp(postmarkFormat(settings), dependencies),
  sendingChecks: async () => postmarkSendingChecks,
});
