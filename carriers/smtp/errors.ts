import type { StatusReason } from '../../domain/messages/status.js';
import type { Reply } from './replies.js';

/** What is known about a dispatch that failed. */
export interface SmtpFailure {
  readonly message: string;
  /** `EAUTH`, `EENVELOPE`, `EMESSAGE`, `ECONNECTION`, `ESOCKET`, `ETIMEDOUT`, `EPROTOCOL`, `ETLS`, `EABORT`. */
  readonly code?: string | undefined;
  /** Of the system, where `code` is `ESOCKET`. */
  readonly originalCode?: string | undefined;
  /** The reply of the server that refuses, and its code. */
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  /** What the reply answers: `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`, `CONN`. */
  readonly command?: string | undefined;
}

/** A dispatch, or a connection, that failed. */
export class SmtpError extends Error implements SmtpFailure {
  override readonly name = 'SmtpError';
  readonly code: string | undefined;
  readonly originalCode: string | undefined;
  readonly response: string | undefined;
  readonly responseCode: number | undefined;
  readonly command: string | undefined;
  /** How much of the message was written before; null for nothing. */
  content: 'beginning' | 'end' | null = null;

  constructor(message: string, { code, originalCode, command, reply }: SmtpErrorParts) {
    super(reply ? `${message}: ${reply.text}` : message);
    this.code = code;
    this.originalCode = originalCode;
    this.command = command;
    this.response = reply?.text;
    this.responseCode = reply && reply.code > 0 ? reply.code : undefined;
  }

  /** The same, after so much of the message. */
  after(content: 'beginning' | 'end'): this {
    this.content = content;
    return this;
  }
}

interface SmtpErrorParts {
  readonly code: string | undefined;
  readonly originalCode?: string | undefined;
  readonly command?: string;
  readonly reply?: Reply | null;
}

/** An error of a socket, of TLS or of the DNS. */
export function socketError(cause: unknown): SmtpError {
  if (cause instanceof SmtpError) return cause;
  // Where several addresses of a name are tried, the first says why.
  const all = cause instanceof AggregateError ? cause.errors : [];
  const { message, code } = (all[0] ?? cause) as NodeJS.ErrnoException;
  return new SmtpError(message, { code: 'ESOCKET', originalCode: code, command: 'CONN' });
}

/** `temporary`: later. `permanent`: never. `misconfigured`: once the operator has corrected the settings. */
export type SmtpOutcome =
  | { readonly kind: 'transient'; readonly code: string | null }
  | { readonly kind: 'misconfigured'; readonly code: string | null }
  | { readonly kind: 'permanent'; readonly reason: StatusReason; readonly code: string | null };

/** Replies that mean that the server does not take mail from us: no or wrong credentials, or no encryption where it is required. */
const REFUSED_CLIENT = [530, 534, 535, 538];
/** Enhanced status codes (RFC 3463) of an address that does not exist, or takes no mail any more. */
const GONE = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
/** Replies to `RCPT TO` that mean the same where the server sends no enhanced status code. */
const GONE_REPLIES = [550, 551, 553];
/** Certificates that nobody can trust until somebody changes them, or the settings. */
const CERTIFICATE =
  /^(CERT_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/;

/** The enhanced status code of a reply: `550 5.1.1 No such user` has 5.1.1. Null if it has none. */
export const enhancedCode = (reply: string): string | null => /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? null;

/** Classifies a failed dispatch, whose message the server did not take. */
export function classify({ code, originalCode, response, responseCode, command = '' }: SmtpFailure): SmtpOutcome {
  if (responseCode === undefined) return withoutReply(code, originalCode);
  const enhanced = enhancedCode(response ?? '');
  const shown = enhanced ?? String(responseCode);
  if (responseCode < 500) return { kind: 'transient', code: shown };
  if (command.startsWith('AUTH') || REFUSED_CLIENT.includes(responseCode)) return { kind: 'misconfigured', code: String(responseCode) };
  const gone = enhanced === null ? command === 'RCPT TO' && GONE_REPLIES.includes(responseCode) : GONE.includes(enhanced);
  return { kind: 'permanent', reason: gone ? 'invalid_recipient' : 'carrier_rejected', code: shown };
}

/** Failures before any reply of the server, and those that this side finds itself. */
function withoutReply(code: string | undefined, originalCode: string | undefined): SmtpOutcome {
  const shown = originalCode ?? code ?? null;
  if (originalCode !== undefined && CERTIFICATE.test(originalCode)) return { kind: 'misconfigured', code: shown };
  if (code !== undefined && CERTIFICATE.test(code)) return { kind: 'misconfigured', code: shown };
  switch (code) {
    // No credentials are set and the server wants some, or its STARTTLS is missing where the settings require it.
    case 'EAUTH':
    case 'ENOAUTH':
    case 'ECONFIG':
      return { kind: 'misconfigured', code: shown };
    case 'EENVELOPE':
      return { kind: 'permanent', reason: 'invalid_recipient', code: shown };
    // Larger than the server allows.
    case 'EMESSAGE':
      return { kind: 'permanent', reason: 'carrier_rejected', code: shown };
    default:
      return { kind: 'transient', code: shown };
  }
}
