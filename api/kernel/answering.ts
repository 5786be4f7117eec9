import { errorAnswer } from '../errors.js';
import { hasBody } from './body.js';
import type { Exchange } from './exchange.js';
import { rateHeaders } from './rate-limits.js';
import type { Answer } from './route.js';

/** After an answer that came before the body did, the rest is read and thrown away for so long, so that the answer arrives. */
const LINGER_MS = 5000;

const isPlain = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null && !Array.isArray(body);

/** Sends the answer, or the error that kept it from being sent. Never throws. */
export function send(x: Exchange, answer: Answer, route: string): void {
  try {
    write(x, answer);
  } catch (error) {
    if (!x.outgoing.headersSent) write(x, errorAnswer(error, x.requestId, x.shared.options.report));
  }
  const { answered } = x.shared.options;
  answered?.({
    requestId: x.requestId,
    method: x.incoming.method ?? '',
    route,
    status: x.outgoing.statusCode,
    durationMs: performance.now() - x.startedAt,
    account: x.caller.account,
  });
}

function write(x: Exchange, answer: Answer): void {
  const { outgoing } = x;
  const { body } = answer;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined ? null : raw ? body : JSON.stringify(withWarnings(x, answer));
  const headers = ['X-Request-Id', x.requestId, 'X-Content-Type-Options', 'nosniff'];
  if (x.hit) headers.push(...rateHeaders(x.hit));
  headers.push(...headersOf(x, answer));
  if (!raw) {
    // Answers are of one account and of this moment.
    headers.push('Cache-Control', 'no-store');
    if (bytes !== null) headers.push('Content-Type', 'application/json; charset=utf-8');
  }
  if (x.position !== null) headers.push(x.shared.names.position, x.position);
  if (x.replayed) headers.push('Idempotency-Replayed', 'true');
  if (x.behind) headers.push(x.shared.names.consistency, 'eventual');
  if (!x.shared.open()) headers.push('Connection', 'close');
  if (answer.status !== 204 && answer.status !== 304) headers.push('Content-Length', String(bytes === null ? 0 : Buffer.byteLength(bytes)));
  outgoing.writeHead(answer.status, headers);
  outgoing.end(bytes ?? undefined);
  if (hasBody(x.incoming) && !x.incoming.complete) linger(x);
}

function headersOf({ shared }: Exchange, { headers = {}, own = {} }: Answer): string[] {
  const prefixed = Object.entries(own).map(([name, value]) => [shared.names.own(name), value] as const);
  return [...Object.entries(headers), ...prefixed].flat();
}

/** Fields that were not understood are named in the good answer to a write. */
function withWarnings({ incoming, warnings }: Exchange, { status, body }: Answer): unknown {
  if (warnings.length === 0 || incoming.method === 'GET' || status >= 300 || !isPlain(body)) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...warnings] };
}

function linger({ incoming }: Exchange): void {
  incoming.resume();
  const late = setTimeout(() => incoming.destroy(), LINGER_MS).unref();
  incoming.on('close', () => clearTimeout(late));
}
