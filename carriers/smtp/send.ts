import { createHash } from 'node:crypto';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { CopyRecipient } from '../../domain/messages/accepted-fields.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { type CarrierClient, NO_SENDER, type OutgoingMessage } from '../runtime/carrier.js';
import type { CarrierDependencies, TrackOutgoingHtml } from '../runtime/dependencies.js';
import { type MailAddress, senderOf } from '../runtime/email.js';
import { classify, type SmtpFailure } from './errors.js';
import { guardedSocket } from './guarded-socket.js';
import { domainOf, envelopeSender, messageIdHeader } from './message-id.js';
import { smtpSendingChecks } from './sending-records.js';
import type { SmtpSettings } from './settings.js';
import { utf8Support } from './smtp-utf8.js';

/** Connections of a node, and messages in one. */
const CONNECTIONS = 8;
const MESSAGES_PER_CONNECTION = 200;
/** In milliseconds. `socket`: without a byte from the server. */
const TIMEOUTS = { connection: 15_000, greeting: 15_000, socket: 60_000, idle: 30_000 } as const;
/** What DKIM covers, where it is present: those of RFC 6376, 5.4.1, and both of one-click unsubscription (RFC 8058, 4). */
const SIGNED_HEADERS =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:' +
  'In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Auto-Submitted';
/** Headers that the service writes itself: those of a caller do not replace them. */
const OWN_HEADERS = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|return-path)$/i;

/**
 * Email over SMTP, over a pool of connections. The address is `smtp://user:password@host:port` (STARTTLS if the server offers it) or
 * `smtps://…` (TLS from the start); its query parameters are nodemailer's settings: `?requireTLS=true`. No two dispatches are recognized as the same. Throws where the connection breaks
 * after the whole message was written: the server may have taken it.
 */
export function createSmtp(
  settings: SmtpSettings,
  { clock, track, tagOf, own }: Pick<CarrierDependencies, 'clock' | 'track' | 'tagOf' | 'own'>,
): CarrierClient {
  const { from, return_path: returnPath = null } = settings;
  const transport = connectionPool(settings, clock, own);
  const takesUtf8 = utf8Support(transport.transporter as SMTPPool, clock);
  const written = new WeakSet<object>();
  transport.use('stream', (mail, done) => {
    const create = mail.message.createReadStream.bind(mail.message);
    mail.message.createReadStream = (...args) => create(...args).once('end', () => written.add(mail.data.envelope as object));
    done();
  });

  const send = async (mail: SendMailOptions, sender: string, recipients: readonly string[], signal: AbortSignal): Promise<SendResult | null> => {
    const envelope = { from: sender, to: [...recipients] };
    try {
      await transport.sendMail({ ...mail, envelope, signal });
      return null;
    } catch (e) {
      const failure = e as SmtpFailure;
      // Only a reply of the server proves that it did not take the message.
      if (written.has(envelope) && failure.responseCode === undefined) throw new Error(withoutAddresses(failure.message));
      return refusal(failure);
    }
  };

  return {
    deduplicates: false,
    calls: CONNECTIONS,

    async send(given, signal) {
      const author = senderOf(given, from);
      if (author === null) return misconfigured(NO_SENDER, 'The message has no sender: set EMAIL_FROM, or the sender of the account.');
      const message = await fitted(given, author, takesUtf8);
      if ('outcome' in message) return message;
      const bounces = returnPath === null ? null : envelopeSender(returnPath, message.message_id, tagOf?.(message.message_id));
      const mail = mailOf(await tracked(message, track), author, clock.now());
      const sender = bounces ?? author.address;
      const refused = await send(mail, sender, [message.to], signal);
      if (refused) return refused;
      // A second transaction: a retry for the recipient must not reach the copies again. It is made once, as the recipient has the message.
      const copies = [...(message.cc ?? []), ...(message.bcc ?? [])].map(({ address }) => address);
      if (copies.length > 0) await send(mail, sender, copies, signal).catch(() => null);
      return { outcome: 'accepted', carrier_message_id: mail.messageId.slice(1, -1) };
    },

    sendingChecks: async (domain) => smtpSendingChecks(domain, settings),

    check: () =>
      transport.verify().then(
        () => null,
        (e: SmtpFailure) => withoutAddresses(e.message),
      ),
  };
}

function connectionPool(settings: SmtpSettings, clock: CarrierDependencies['clock'], own: CarrierDependencies['own']) {
  const transport = createTransport({
    url: settings.url ?? '',
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: MESSAGES_PER_CONNECTION,
    // A message of a broken connection is never sent again without us: it may have arrived.
    maxRequeues: 0,
    connectionTimeout: TIMEOUTS.connection,
    greetingTimeout: TIMEOUTS.greeting,
    socketTimeout: TIMEOUTS.socket,
    idleTimeout: TIMEOUTS.idle,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...dkimOf(settings),
    ...(own && { getSocket: guardedSocket(own.allowedCidrs, clock) }),
  });
  // Connections that break while they are idle are of no interest.
  transport.on('error', () => undefined);
  return transport;
}

/** Mail is signed where domain, selector and key are set. */
function dkimOf({ dkim_domain: domainName, dkim_selector: keySelector, dkim_private_key: key }: SmtpSettings) {
  if (domainName === undefined || keySelector === undefined || key === undefined) return {};
  return { dkim: { domainName, keySelector, privateKey: key.replaceAll('\\n', '\n'), headerFieldNames: SIGNED_HEADERS } };
}

async function tracked(message: OutgoingMessage, track: TrackOutgoingHtml | null): Promise<OutgoingMessage> {
  const { html } = message.content;
  return track === null || html === undefined ? message : { ...message, content: { ...message.content, html: await track(html, message) } };
}

/** The message as nodemailer takes it. The same at every dispatch, but for its date. */
function mailOf(
  { message_id, to, content, cc, headers = {} }: OutgoingMessage,
  author: MailAddress,
  nowMs: number,
): SendMailOptions & { messageId: string } {
  const named = ({ address, name }: CopyRecipient) => ({ address, name: name ?? '' });
  return {
    messageId: `<${messageIdHeader(message_id, domainOf(author.address))}>`,
    date: new Date(nowMs),
    baseBoundary: createHash('sha256').update(message_id).digest('hex').slice(0, 32),
    from: { address: author.address, name: author.name ?? '' },
    to: { address: to, name: content.to_name ?? '' },
    ...(cc && cc.length > 0 && { cc: cc.map(named) }),
    ...(content.reply_to !== undefined && { replyTo: content.reply_to }),
    subject: content.subject ?? '',
    text: content.message,
    ...(content.html !== undefined && { html: content.html }),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))),
    attachments: (content.attachments ?? []).map(({ filename, content_type, content: base64 = '' }) => ({
      filename,
      contentType: content_type,
      content: base64,
      encoding: 'base64',
    })),
  };
}

const isAscii = (address: string): boolean => !/[^\0-\x7f]/.test(address);

/** The message as the server can take it: one without SMTPUTF8 gets no copies with letters such as ö before the @, and no message to or from such an address. */
async function fitted(message: OutgoingMessage, author: MailAddress, takesUtf8: () => Promise<boolean>): Promise<OutgoingMessage | SendResult> {
  const { to, cc = [], bcc = [] } = message;
  const copies = [...cc, ...bcc].map(({ address }) => address);
  if ([to, author.address, ...copies].every(isAscii)) return message;
  try {
    if (await takesUtf8()) return message;
  } catch (e) {
    return refusal(e as SmtpFailure);
  }
  const ascii = (some: readonly CopyRecipient[]) => some.filter(({ address }) => isAscii(address));
  if (isAscii(to) && isAscii(author.address)) return { ...message, cc: ascii(cc), bcc: ascii(bcc) };
  const reason = isAscii(to) ? 'carrier_rejected' : 'invalid_recipient';
  const error = 'Letters such as ö before the @ are not supported by the SMTP server: it has no SMTPUTF8 (RFC 6531).';
  return { outcome: 'permanent_error', reason, code: null, error };
}

function refusal(failure: SmtpFailure): SendResult {
  const outcome = classify(failure);
  const error = withoutAddresses(failure.response ?? failure.message);
  switch (outcome.kind) {
    case 'permanent':
      return { outcome: 'permanent_error', reason: outcome.reason, code: outcome.code, error };
    case 'misconfigured':
      return misconfigured(outcome.code, error);
    case 'transient':
      return { outcome: 'transient_error', code: outcome.code, error };
  }
}

/** Servers repeat the recipient in their replies, and events keep errors readable. */
const withoutAddresses = (text: string): string => text.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…');

/** The message waits until the settings are corrected. */
const misconfigured = (code: string | null, error: string): SendResult => ({ outcome: 'misconfigured', code, error });
