import type { StatusReason } from '../../domain/messages/status.js';

/** What nodemailer reports about a failed dispatch. */
export interface SmtpFailure {
  readonly message: string;
  /** Of nodemailer: `EAUTH`, `EENVELOPE`, `ECONNECTION` … */
  readonly code?: string | undefined;
  /** Of the system, where `code` replaced it. */
  readonly originalCode?: string | undefined;
  /** The last reply of the server, and its code. */
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  /** What the reply answers: `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`, `CONN`. */
  readonly command?: string | undefined;
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

/** Failures before any reply of the server, and those that nodemailer finds itself. */
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
