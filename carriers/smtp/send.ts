import type { CopyRecipient } from '../../domain/messages/accepted-fields.js';
import { isInternational } from '../../domain/messages/international.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { type CarrierClient, NO_SENDER, type OutgoingMessage } from '../runtime/carrier.js';
import type { CarrierDependencies, TrackOutgoingHtml } from '../runtime/dependencies.js';
import { type MailAddress, senderOf } from '../runtime/email.js';
import { Composer, type Mail } from './compose.js';
import type { SmtpConnection } from './connection.js';
import { dkimSigner } from './dkim.js';
import { classify, SmtpError, type SmtpFailure } from './errors.js';
import { envelopeAddress } from './header-lines.js';
import { mailServerOf } from './mail-server.js';
import { domainOf, envelopeSender, messageIdHeader } from './message-id.js';
import { openGuardedSocket, openSocket } from './open-socket.js';
import { ConnectionPool } from './pool.js';
import { smtpSendingChecks } from './sending-records.js';
import type { SmtpSettings } from './settings.js';

/** Headers that the service writes itself: those of a caller do not replace them. */
const OWN_HEADERS = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|return-path)$/i;

/**
 * Email over SMTP, over a pool of connections. The address is `smtp://user:password@host:port` (STARTTLS if the server offers it) or
 * `smtps://…` (TLS from the start), with settings in its query (`mailServerOf`). No two dispatches are recognized as the same. Throws where
 * the connection breaks after the whole message was written: the server may have taken it.
 */
export function createSmtp(
  settings: SmtpSettings,
  { clock, track, tagOf, own }: Pick<CarrierDependencies, 'clock' | 'track' | 'tagOf' | 'own'>,
): CarrierClient {
  const { from, return_path: returnPath = null } = settings;
  const server = mailServerOf(settings.url ?? '');
  const pool = new ConnectionPool(server, own ? openGuardedSocket(server, own.allowedCidrs, clock) : openSocket(server, clock), clock);
  const composer = new Composer(dkimSigner(settings));

  async function hand(connection: SmtpConnection, given: OutgoingMessage, author: MailAddress): Promise<SendResult> {
    const message = fitted(given, author, connection);
    if ('outcome' in message) return message;
    const bounces = returnPath === null ? null : envelopeSender(returnPath, message.message_id, tagOf?.(message.message_id));
    const mail = mailOf(await tracked(message, track), author, clock.now());
    const content = await composer.compose(mail).catch((e: Error) => {
      throw new SmtpError(e.message, { code: 'ESTREAM' });
    });
    const sender = envelopeAddress(bounces ?? author.address);
    await connection.send({ sender, recipients: [envelopeAddress(message.to)] }, content);
    // A second transaction: a retry for the recipient must not reach the copies again. It is made once, as the recipient has the message.
    const copies = [...new Set([...(message.cc ?? []), ...(message.bcc ?? [])].map(({ address }) => envelopeAddress(address)))];
    if (copies.length > 0) await connection.send({ sender, recipients: copies }, content).catch(() => null);
    return { outcome: 'accepted', carrier_message_id: mail.messageId };
  }

  return {
    deduplicates: false,
    calls: server.connections,

    async send(message, signal) {
      const author = senderOf(message, from);
      if (author === null) return misconfigured(NO_SENDER, 'The message has no sender: set EMAIL_FROM, or the sender of the account.');
      try {
        return await pool.run(signal, (connection) => hand(connection, message, author));
      } catch (e) {
        if (!(e instanceof SmtpError)) throw e;
        // Only a reply of the server proves that it did not take the message.
        if (e.content === 'end' && e.responseCode === undefined) throw new Error(withoutAddresses(e.message));
        return refusal(e);
      }
    },

    sendingChecks: async (domain) => smtpSendingChecks(domain, settings),

    check: () =>
      pool.verify().then(
        () => null,
        (e: Error) => withoutAddresses(e.message),
      ),
  };
}

async function tracked(message: OutgoingMessage, track: TrackOutgoingHtml | null): Promise<OutgoingMessage> {
  const { html } = message.content;
  return track === null || html === undefined ? message : { ...message, content: { ...message.content, html: await track(html, message) } };
}

/** What the mail of a message says. The same at every dispatch, but for its date. */
function mailOf({ message_id, to, content, cc, headers = {} }: OutgoingMessage, from: MailAddress, date: number): Mail {
  return {
    id: message_id,
    messageId: messageIdHeader(message_id, domainOf(from.address)),
    date,
    from,
    to: { address: to, name: content.to_name ?? null },
    cc: cc ?? [],
    replyTo: content.reply_to ?? null,
    subject: content.subject ?? '',
    text: content.message,
    html: content.html ?? '',
    headers: Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name)),
    attachments: (content.attachments ?? []).map(({ filename, content_type, content: base64 = '' }) => ({
      filename,
      contentType: content_type,
      content: base64,
    })),
  };
}

/** The message as the server can take it: one without SMTPUTF8 gets no copies with letters such as ö before the @, and no message to or from such an address. */
function fitted(message: OutgoingMessage, author: MailAddress, { extensions }: SmtpConnection): OutgoingMessage | SendResult {
  const { to, cc = [], bcc = [] } = message;
  if (extensions.smtpUtf8) return message;
  if (isInternational(to) || isInternational(author.address)) {
    const reason = isInternational(to) ? 'invalid_recipient' : 'carrier_rejected';
    const error = 'Letters such as ö before the @ are not supported by the SMTP server: it has no SMTPUTF8 (RFC 6531).';
    return { outcome: 'permanent_error', reason, code: null, error };
  }
  const ascii = (some: readonly CopyRecipient[]) => some.filter(({ address }) => !isInternational(address));
  return { ...message, cc: ascii(cc), bcc: ascii(bcc) };
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
