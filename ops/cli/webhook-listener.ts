/** A receiver of webhooks for development: verifies each request, prints it and answers with a fixed status. */
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { ownField } from '../../domain/kernel/own-fields.js';
import { type SignatureVerification, verifySignature } from '../../formats/webhooks/signature.js';
import { paint as paintOn, type TextStyle } from './terminal/terminal.js';

export interface WebhookListenerOptions {
  /** 0 for a free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The `whsec_…` secret of the account or endpoint. Without it no signature is verified. */
  readonly secret?: string | undefined;
  /** The prefix in `X-Service-Signature`. Default `Service`. */
  readonly headerPrefix?: string;
  /** The status of every answer; 500 simulates a receiver that fails. Default 200. */
  readonly status?: number;
  /** One JSON document per line instead of text. */
  readonly json?: boolean;
  /** The output; with colors if it is a terminal. */
  readonly out: Writable;
  readonly now?: () => number;
}

export interface WebhookListener {
  readonly port: number;
  /** Stops at once and drops requests in flight. */
  close(): Promise<void>;
}

/** `verified` is null if there is no secret. */
interface ReceivedWebhook {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly event: string | null;
  readonly delivery: string | null;
  readonly attempt: number | null;
  readonly verified: boolean | null;
  readonly reason: string | null;
  readonly answered: number;
  /** Parsed if it is JSON, else the text. */
  readonly body: unknown;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;

type Reason = Extract<SignatureVerification, { verified: false }>['reason'];

const REASONS: Readonly<Record<Reason, (prefix: string) => string>> = {
  missing_headers: (prefix) => `X-${prefix}-Signature or X-${prefix}-Timestamp is missing`,
  malformed_timestamp: (prefix) => `X-${prefix}-Timestamp is not a time in milliseconds`,
  outside_tolerance: () => 'the timestamp is more than five minutes off',
  malformed_signature: (prefix) => `X-${prefix}-Signature is not a SHA-256 in hex`,
  mismatch: () => 'the signature does not match this body and this secret',
};

/** Starts the receiver and prints its URL. Rejects if it cannot listen on the port. */
export async function startWebhookListener(options: WebhookListenerOptions): Promise<WebhookListener> {
  const { port, host = '127.0.0.1', out } = options;
  const print = options.json === true ? formatJson : textFormatter(options);
  const server = http.createServer(async (request, response) => {
    const body = await readBody(request);
    const status = body === null ? 413 : (options.status ?? 200);
    response.writeHead(status, { 'content-type': 'text/plain', ...(body === null && { connection: 'close' }) }).end(`${status}\n`);
    if (body !== null) out.write(print(toReceivedWebhook(request, body, options)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  out.write(options.json === true ? `${JSON.stringify({ listening: url })}\n` : banner(url, options.secret));
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const banner = (url: string, secret: string | undefined): string =>
  [
    `Waiting for webhooks on ${url}`,
    secret
      ? 'Signatures are verified with the given secret.'
      : 'No secret was given, so signatures are NOT verified: use --secret whsec_… or HELIOGRAPH_WEBHOOK_SECRET.',
    'A server calls a private address like this one only when started with HELIOGRAPH_WEBHOOK_ALLOW_CIDRS=127.0.0.0/8.',
    '',
    '',
  ].join('\n');

/** Null if the body is too long for a webhook, or the request broke off. */
async function readBody(request: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

function toReceivedWebhook({ method = '', url = '', headers }: http.IncomingMessage, body: Buffer, options: WebhookListenerOptions): ReceivedWebhook {
  const { secret, headerPrefix = 'Service', status = 200, now = Date.now } = options;
  const nowMs = now();
  const verdict = secret ? verifySignature({ secret, headers, body, nowMs, prefix: headerPrefix }) : null;
  const attempt = Number(prefixedHeader(headers, headerPrefix, 'attempt') ?? Number.NaN);
  return {
    at: new Date(nowMs).toISOString(),
    method,
    path: url,
    event: prefixedHeader(headers, headerPrefix, 'event'),
    delivery: prefixedHeader(headers, headerPrefix, 'delivery'),
    attempt: Number.isInteger(attempt) ? attempt : null,
    verified: verdict === null ? null : verdict.verified,
    reason: verdict === null ? 'no secret was given' : verdict.verified ? null : REASONS[verdict.reason](headerPrefix),
    answered: status,
    body: parseBody(body.toString('utf8')),
  };
}

function prefixedHeader(headers: IncomingHttpHeaders, prefix: string, name: string): string | null {
  const value = ownField(headers, `x-${prefix}-${name}`.toLowerCase());
  return typeof value === 'string' ? value : null;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const formatJson = (arrival: ReceivedWebhook): string => `${escapeControlCharacters(JSON.stringify(arrival))}\n`;

function textFormatter({ out }: WebhookListenerOptions): (arrival: ReceivedWebhook) => string {
  const paint = (style: TextStyle, text: string) => paintOn(out, style, text);
  return (arrival) => {
    const { at, method, path, event, delivery, attempt, verified, reason, answered, body } = arrival;
    const mark =
      verified === null
        ? paint('yellow', `not verified: ${reason}`)
        : verified
          ? paint('green', '✔ verified')
          : paint('red', `✘ NOT verified: ${reason}`);
    const facts = [`${method} ${path}`, delivery, attempt === null ? null : `attempt ${attempt}`, `answered ${answered}`].filter(
      (fact) => fact !== null,
    );
    const shown = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
    return `${paint('dim', at.slice(11))} ${paint('bold', escapeControlCharacters(event ?? '(no event)'))}  ${mark}\n${paint('dim', escapeControlCharacters(facts.join('  ')))}\n${escapeControlCharacters(shown)}\n\n`;
  };
}

/** Text from the network must not send control sequences to the terminal. */
const escapeControlCharacters = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
