import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import compression from 'compression';
import type { Request, Response } from 'express';
import { rateLimitHeaders } from '../access/rate-limits.js';
import { hasBody } from '../body/body.js';
import { errorResponse } from '../errors.js';
import type { HttpResponse } from '../route.js';
import { bodyEtag, isNoneMatch } from '../versions.js';
import type { RequestContext } from './request-context.js';

/** A response may be sent before the body has arrived. The rest of the body is read and discarded for this time, so that the response arrives. */
const DRAIN_TIMEOUT_MS = 5000;
const COMPRESSED_FROM_BYTES = 1_024;

const isPlain = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null && !Array.isArray(body);

/** Sends the response, or an error if the response cannot be sent. Never throws. */
export function sendResponse(ctx: RequestContext, answer: HttpResponse, route: string): void {
  try {
    write(ctx, tagged(ctx, answer));
  } catch (error) {
    if (!ctx.outgoing.headersSent) write(ctx, errorResponse(error, ctx.requestId, ctx.shared.options.report));
  }
  const { onCompleted } = ctx.shared.options;
  onCompleted?.({
    requestId: ctx.requestId,
    method: ctx.incoming.method ?? '',
    route,
    status: ctx.outgoing.statusCode,
    durationMs: ctx.shared.options.clock.monotonic() - ctx.startedAt,
    account: ctx.caller.account,
  });
}

const VERSION_TAG = /^"\d+"$/;

/** The successful answer to a GET with its `ETag`, or 304 if the client has it. Long lists and streams have none. */
function tagged(ctx: RequestContext, answer: HttpResponse): Answer {
  const { method, headers } = ctx.incoming;
  if (answer.status !== 200 || (method !== 'GET' && method !== 'HEAD')) return answer;
  const content = contentOf(ctx, answer);
  if (content.kind !== 'json' && content.kind !== 'raw') return { ...answer, content };
  const given = answer.headers?.ETag;
  const tag = given === undefined || VERSION_TAG.test(given) ? bodyEtag(given, content.bytes) : given;
  const tags = { ...answer.headers, ETag: tag };
  if (isNoneMatch(headers['if-none-match'], tag)) return { ...answer, status: 304, body: undefined, headers: tags };
  return { ...answer, headers: tags, content };
}

function write(ctx: RequestContext, answer: Answer): void {
  const { outgoing } = ctx;
  const content = answer.content ?? contentOf(ctx, answer);
  const headers = headersOf(ctx, answer, content);
  if (content.kind === 'parts' || content.kind === 'stream') {
    compressed(ctx.incoming, outgoing, headers);
    outgoing.writeHead(answer.status, headers);
    if (ctx.incoming.method === 'HEAD') {
      outgoing.end();
      return;
    }
    // As fast as the client reads. Where it stops reading, the connection breaks and nothing is left to do.
    pipeline(content.kind === 'parts' ? jsonParts(content.body) : content.parts, outgoing, (error) => {
      if (error && !isDisconnected(error)) ctx.shared.options.report(error, ctx.requestId);
    });
  } else {
    const bytes = content.kind === 'none' ? '' : content.bytes;
    const length = Buffer.byteLength(bytes);
    if (answer.status !== 204 && answer.status !== 304) headers.push('Content-Length', String(length));
    if (length > COMPRESSED_FROM_BYTES) compressed(ctx.incoming, outgoing, headers);
    outgoing.writeHead(answer.status, headers);
    if (bytes.length > 0) outgoing.end(bytes);
    else outgoing.end();
  }
  if (hasBody(ctx.incoming) && !ctx.incoming.complete) drainRequest(ctx);
}

function headersOf(ctx: RequestContext, answer: HttpResponse, { kind }: Content): string[] {
  const headers = ['X-Request-Id', ctx.requestId, 'X-Content-Type-Options', 'nosniff'];
  if (ctx.rateLimit) headers.push(...rateLimitHeaders(ctx.rateLimit));
  headers.push(...headerPairs(ctx, answer));
  // Responses belong to one account and one moment.
  if (kind !== 'raw') headers.push('Cache-Control', 'no-store');
  if (kind === 'json' || kind === 'parts') headers.push('Content-Type', 'application/json; charset=utf-8');
  if (ctx.position !== null) headers.push(ctx.shared.names.position, ctx.position);
  if (ctx.replayed) headers.push('Idempotency-Replayed', 'true');
  if (ctx.staleRead) headers.push(ctx.shared.names.consistency, 'eventual');
  if (!ctx.shared.accepting()) headers.push('Connection', 'close');
  return headers;
}

/** An answer whose content may be made already. */
type Answer = HttpResponse & { readonly content?: Content };

type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'raw' | 'json'; readonly bytes: string | Uint8Array }
  /** An object with a long list. */
  | { readonly kind: 'parts'; readonly body: object }
  | { readonly kind: 'stream'; readonly parts: AsyncIterable<string> };

/** The client closed the connection. */
const isDisconnected = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';

function contentOf(ctx: RequestContext, answer: HttpResponse): Content {
  const { body, stream } = answer;
  if (stream) return { kind: 'stream', parts: stream };
  if (typeof body === 'string' || body instanceof Uint8Array) return { kind: 'raw', bytes: body };
  if (body === undefined) return { kind: 'none' };
  const shown = bodyWithWarnings(ctx, answer);
  if (isPlain(shown) && hasLongList(shown)) return { kind: 'parts', body: shown };
  return { kind: 'json', bytes: JSON.stringify(shown) };
}

function headerPairs({ shared }: RequestContext, { headers = {}, prefixedHeaders = {} }: HttpResponse): string[] {
  const prefixed = Object.entries(prefixedHeaders).map(([name, value]) => [shared.names.prefixed(name), value] as const);
  return [...Object.entries(headers), ...prefixed].flat();
}

/** Adds the unknown fields of the request to the body of a successful write. */
function bodyWithWarnings({ incoming, warnings }: RequestContext, { status, body }: HttpResponse): unknown {
  if (warnings.length === 0 || incoming.method === 'GET' || status >= 300 || !isPlain(body)) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...warnings] };
}

function drainRequest({ incoming, shared }: RequestContext): void {
  incoming.resume();
  const late = shared.options.clock.timer(DRAIN_TIMEOUT_MS, () => incoming.destroy());
  incoming.on('close', () => late.cancel());
}

const compress = compression({ threshold: 0 });
const SKIPPED = /^(?:text\/event-stream|multipart\/|image\/(?!svg))/;

/**
 * Compresses what is written from now on with br or gzip, if the client accepts one of them and the media type gains by it. Streams of
 * events are left alone, since each event must arrive at once, and so is what is compressed already. `headers`: names and values in turn.
 */
function compressed(incoming: IncomingMessage, outgoing: ServerResponse, headers: readonly string[]): void {
  const headerOf = (name: string): string | undefined => {
    const at = headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name);
    return at < 0 ? undefined : headers[at + 1];
  };
  if (incoming.headers['accept-encoding'] === undefined || headerOf('content-encoding') !== undefined) return;
  if (SKIPPED.test(headerOf('content-type') ?? '')) return;
  compress(incoming as Request, outgoing as Response, () => {});
}

/** Elements of a list that are written at once. */
const ELEMENTS_AT_ONCE = 500;

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 2 * ELEMENTS_AT_ONCE;

/** Whether an answer has a list so long that it is written in parts. */
export const hasLongList = (body: object): boolean => Object.values(body).some(isLong);

/** The JSON of an object in parts, which together are what JSON.stringify makes of it. Its long lists are divided. */
export function* jsonParts(body: object): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const head = `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!isLong(value)) {
      yield head + JSON.stringify(value);
      continue;
    }
    yield `${head}[`;
    for (let from = 0; from < value.length; from += ELEMENTS_AT_ONCE) {
      yield (from > 0 ? ',' : '') + JSON.stringify(value.slice(from, from + ELEMENTS_AT_ONCE)).slice(1, -1);
    }
    yield ']';
  }
  yield separator === '{' ? '{}' : '}';
}
