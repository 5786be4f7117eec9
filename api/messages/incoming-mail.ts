import { createHash, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import { DomainError } from '../../domain/kernel/errors.js';
import { annotate, count, flag, named, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import type { Claim, ClaimableReport } from '../../projections/webhooks/claim-report.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { cutOf, isClaimable } from './found-reports.js';
import { reportRecorder } from './record-reports.js';

/** Larger mails are refused with 413. */
const MAX_MAIL_BYTES = 25 * 1024 * 1024;

export interface IncomingMailParts {
  /** What the mail system shows by Basic authentication; null: nothing is accepted. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
  /** Reads a mail. Never throws. */
  readonly read: (bytes: Buffer, nowMs: number, signal: AbortSignal) => Promise<readonly IncomingReport[]>;
  /** Called where a report was about more recipients than a message can have, with the number of those that were left out. */
  readonly onCut: (recipients: number) => void;
}

const body = record({
  mime: Type.String({ description: 'The mail as it came, each byte as one character (Latin-1). With `message/rfc822` it is the body itself.' }),
});
const received = named(
  'IncomingMailResult',
  record({
    result: named('IncomingMailKind', oneOf('receipt', 'email', 'unclaimed', 'none')),
    message_id: nullable(text),
    kept: annotate(optional(flag), { description: 'True where an unclaimed mail is kept for the operator.' }),
    recipients_cut: annotate(optional(count), { description: 'Recipients that were left out: the report named more than a message can have.' }),
  }),
);

type Result = {
  readonly result: 'receipt' | 'email' | 'unclaimed' | 'none';
  readonly message_id: string | null;
  readonly kept?: boolean;
  readonly recipients_cut?: number;
};
const NOTHING: Result = { result: 'none', message_id: null };

/** `POST /v1/webhooks/smtp`: mail that came back for messages sent by SMTP. */
export function incomingMailRoute(services: Services, { credentials, read, onCut }: IncomingMailParts): AnyRoute {
  const isAllowed = basicAuthentication(credentials);
  const recorder = reportRecorder(services);

  /** What the mail was: of its reports the last one that belongs to somebody. */
  async function resultOf(reports: readonly ClaimableReport[], request: Pick<Request, 'execute' | 'signal'>): Promise<Result> {
    let result: Result | null = null;
    const unclaimed: ClaimableReport[] = [];
    for (const report of await recorder.counting(reports)) {
      request.signal.throwIfAborted();
      // All reports of a mail name the same message.
      const owners = unclaimed.length > 0 ? 'unclaimed' : await recorder.record(report, request);
      if (owners === 'unclaimed') unclaimed.push(report);
      // The mail system cannot correct an unreadable one.
      else if (owners !== 'unreadable') result = ofOwner(report, owners[0]);
    }
    if (unclaimed.length === 0) return result ?? NOTHING;
    const kept = await recorder.keep(unclaimed, request);
    return result ?? { result: 'unclaimed', message_id: null, ...(kept && { kept }) };
  }

  return route({
    method: 'POST',
    path: '/v1/webhooks/smtp',
    operationId: 'receiveMail',
    summary: 'Receive a mail',
    description:
      'For your mail server, which passes on what comes to the senders of emails by SMTP: bounces (RFC 3464), complaints (RFC 5965), unsubscriptions by mail, and replies. The body is the mail itself, as `message/rfc822`. The server shows SMTP_WEBHOOK_USER and SMTP_WEBHOOK_PASSWORD by Basic authentication. A mail belongs to the message whose `Message-ID` or envelope address it names; a reply that names none belongs to the account that has last written to its sender from its recipient. What is `unclaimed` is kept for the operator for 30 days, if its receiving address proves that it answers a message of yours: one mail of a message and day. A report about more recipients than a message can have is cut.',
    tag: 'messages',
    access: 'public',
    limit: 'general',
    proof({ headers }) {
      if (!isAllowed(headers.authorization)) throw new DomainError('unauthorized', 'Send the user name and the password of this webhook.');
    },
    body,
    bodyLimit: MAX_MAIL_BYTES,
    bodyTypes: { 'message/rfc822': (bytes) => ({ mime: bytes.toString('latin1') }) },
    sentAs: { 'message/rfc822': text },
    responses: {
      200: {
        description: 'What the mail was: a receipt of a message, an email from a person, or nothing that concerns a message.',
        schema: received,
      },
    },
    errors: ['unauthorized'],
    async handle({ body: { mime }, execute, signal }) {
      const found = await read(Buffer.from(mime, 'latin1'), services.clock.now(), signal);
      const cut = cutOf(found);
      if (cut > 0) onCut(cut);
      const result = await resultOf(found.filter(isClaimable), { execute, signal });
      return { status: 200, body: { ...result, ...(cut > 0 && { recipients_cut: cut }) } };
    },
  });
}

const ofOwner = ({ kind }: ClaimableReport, owner: Claim | undefined): Result => ({
  result: kind === 'email' ? 'email' : 'receipt',
  message_id: owner?.message_id ?? null,
});

/** Compares in constant time. */
function basicAuthentication(credentials: IncomingMailParts['credentials']): (authorization: string | string[] | undefined) => boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  const expected = credentials && digest(`${credentials.user}:${credentials.password}`);
  return (authorization) => {
    const given = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(typeof authorization === 'string' ? authorization : '')?.[1];
    return expected !== null && given !== undefined && timingSafeEqual(digest(Buffer.from(given, 'base64').toString('utf8')), expected);
  };
}
