import http, { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express, { type Express } from 'express';
import type { Clock } from '../../../domain/kernel/clock.js';
import { DomainError } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { parseUrl } from '../../../domain/kernel/urls.js';
import { newId } from '../../../log/runtime/ids.js';
import { operatorAuthenticator } from '../access/authorization.js';
import { BodyBudget } from '../body/body.js';
import { type CorsPolicy, type CrossOriginRequest, originsWithKeys, preflight } from '../cors.js';
import { errorResponse } from '../errors.js';
import type { AnyRoute, HttpResponse } from '../route.js';
import { clientAddress } from './client-address.js';
import { IdempotencyQueue } from './idempotency.js';
import { headerNames, RequestContext, type ServerContext } from './request-context.js';
import { sendResponse } from './send-response.js';
import { inboundRouteHandler } from './serve-inbound-route.js';
import { ServedRoute } from './served-route.js';
import type { HttpServerOptions, UnversionedPage } from './server-options.js';

/** Timeouts for a whole request, for its headers, and for an idle connection. */
const REQUEST_TIMEOUT_MS = 120_000;
const HEADERS_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/**
 * Creates the HTTP server. Every request gets a response, every error the same shape. Routing by Express, but for the methods of
 * fixed paths, which are looked up; each route is a single handler made beforehand, so there is no chain of middleware.
 */
export function createServer(options: HttpServerOptions): Server {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  const shared: ServerContext = {
    options,
    names: headerNames(options.config.headerPrefix),
    operator: operatorAuthenticator(options.config.operatorToken),
    address: clientAddress(options.config.trustProxy),
    accepting: () => server.listening,
    bodies: new BodyBudget(options.config.bodyBudget),
  };
  const fixed = register(app, options, shared);

  const fallback = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    const ctx = new RequestContext(shared, request, response);
    sendResponse(ctx, errorResponse(routingError(error), ctx.requestId, options.report), 'unknown');
  };
  const listener: Handler = (request, response) => {
    const refusal = normalizeTarget(request);
    if (refusal) {
      fallback(request, response, refusal);
      return;
    }
    const failed = (error: unknown) => fallback(request, response, error);
    try {
      const direct = fixed.get(`${request.method} ${pathOf(request)}`);
      if (direct) direct(request, response)?.catch(failed);
      else app(request as express.Request, response as express.Response, failed);
    } catch (error) {
      failed(error);
    }
  };
  const server = http.createServer(
    { ...expressClasses(app), requireHostHeader: false, requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    listener,
  );
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => listener(continueOnRead(request, response), response));
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => respondOnSocket(connectRefused(), socket as Socket, options));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => respondToBrokenRequest(error, socket as Socket, options));
  return server;
}

/** Stops new requests; resolves when those in flight are answered, or after the timeout, when connections are closed. */
export function stop(server: Server, graceMs: number, clock: Pick<Clock, 'timer'>): Promise<void> {
  return new Promise((resolve) => {
    const cut = clock.timer(graceMs, () => server.closeAllConnections());
    server.close(() => {
      cut.cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * Requests and responses have Express's own prototypes from the start. Otherwise Express changes the prototype of each one,
 * which makes every later access slow: on Node 20 that halves the request rate of the whole server.
 */
function expressClasses(app: Express): Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  function Incoming(this: IncomingMessage, socket: Socket): void {
    (IncomingMessage as unknown as (this: IncomingMessage, socket: Socket) => void).call(this, socket);
  }
  function Outgoing(this: ServerResponse, request: IncomingMessage, options: unknown): void {
    (ServerResponse as unknown as (this: ServerResponse, request: IncomingMessage, options: unknown) => void).call(this, request, options);
  }
  Incoming.prototype = app.request;
  Outgoing.prototype = app.response;
  return { IncomingMessage: Incoming as unknown as typeof IncomingMessage, ServerResponse: Outgoing as unknown as typeof ServerResponse };
}

/**
 * Fixed paths go before those with parameters, otherwise in the order of the list; other methods of a path are refused. Returns the
 * handlers of routes with fixed paths by method and path, where the router could find nothing else.
 */
function register(app: Express, options: HttpServerOptions, shared: ServerContext): ReadonlyMap<string, Handler> {
  const fixed = new Map<string, Handler>();
  const queue = new IdempotencyQueue(options.clock);
  const paths = new Map<string, AnyRoute[]>();
  for (const route of withOrigins(options)) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  for (const page of options.pages ?? []) {
    const at = app.route(page.path).get(handler(pageHandler(page, shared)));
    at.all(handler(methodNotAllowed(['GET', 'HEAD'], page.path, shared)));
  }
  for (const inboundRoute of options.inboundRoutes ?? []) {
    const at = app.route(inboundRoute.path);
    for (const method of inboundRoute.methods) at[METHODS[method]](handler(inboundRouteHandler(inboundRoute, shared)));
    at.all(handler(methodNotAllowed(inboundRoute.methods, inboundRoute.path, shared)));
  }
  const parameters = (path: string): number => path.split('/:').length;
  for (const [path, routes] of [...paths].sort(([a], [b]) => parameters(a) - parameters(b))) {
    const at = app.route(path);
    const isFixed = !path.includes('/:') && ![...(options.pages ?? []), ...(options.inboundRoutes ?? [])].some((other) => mayMatch(other.path, path));
    for (const route of routes) {
      const { serve } = new ServedRoute(route, shared, queue);
      at[METHODS[route.method]](handler(serve));
      if (isFixed) fixed.set(`${route.method} ${path}`, withoutParams(serve));
    }
    const methods = routes.map((r) => r.method).flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m]));
    const cors = routes.find((route) => route.cors)?.cors;
    at.options(handler(cors ? preflightHandler(cors, methods, path, shared) : optionsHandler(methods, path, shared)));
    at.all(handler(methodNotAllowed(methods, path, shared)));
  }
  return fixed;
}

/** Whether the router may match this pattern with a fixed path. */
function mayMatch(pattern: string, path: string): boolean {
  const open = pattern.search(/[*{]/);
  if (open >= 0) return path.startsWith(pattern.slice(0, open));
  const [asked, segments] = [pattern.split('/'), path.split('/')];
  return asked.length === segments.length && asked.every((name, i) => name.startsWith(':') || name === segments[i]);
}

const withoutParams =
  (serve: ServedRoute['serve']): Handler =>
  (request, response) =>
    serve(Object.assign(request, { params: {} }), response);

/** The target without its query. */
function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

const handler = (h: Handler): express.RequestHandler => h as unknown as express.RequestHandler;

function pageHandler({ path, read }: UnversionedPage, shared: ServerContext): Handler {
  return async (request, response) => {
    const ctx = new RequestContext(shared, request, response);
    let answer: HttpResponse;
    try {
      answer = await read(request);
    } catch (error) {
      answer = errorResponse(error, ctx.requestId, shared.options.report);
    }
    sendResponse(ctx, answer, path);
  };
}

/** The routes; those with a credential, which have no policy of their own, take that of the setting. */
function withOrigins({ routes, config: { corsOrigins = [], headerPrefix } }: HttpServerOptions): readonly AnyRoute[] {
  if (corsOrigins.length === 0) return routes;
  const cors = originsWithKeys(corsOrigins, headerPrefix);
  const own = new Set(routes.filter((route) => route.cors).map(({ path }) => path));
  return routes.map((route) => (own.has(route.path) || ['public', 'operator'].includes(route.access) ? route : { ...route, cors }));
}

/** Answers OPTIONS of a path that pages of other origins may not call. */
function optionsHandler(methods: readonly string[], path: string, shared: ServerContext): Handler {
  const headers = { Allow: [...methods, 'OPTIONS'].join(', ') };
  return (request, response) => sendResponse(new RequestContext(shared, request, response), { status: 204, headers }, path);
}

function preflightHandler(policy: CorsPolicy, methods: readonly string[], path: string, shared: ServerContext): Handler {
  return async (request, response) => {
    const ctx = new RequestContext(shared, request, response);
    let answer: HttpResponse;
    try {
      answer = await preflight(policy, methods, request as IncomingMessage & CrossOriginRequest);
    } catch (error) {
      answer = errorResponse(error, ctx.requestId, shared.options.report);
    }
    sendResponse(ctx, answer, path);
  };
}

function methodNotAllowed(allowed: readonly string[], path: string, shared: ServerContext): Handler {
  return (request, response) => {
    const ctx = new RequestContext(shared, request, response);
    const message = `${String(request.method)} is not allowed here. Use ${allowed.join(', ')}.`;
    sendResponse(ctx, errorResponse(new DomainError('method_not_allowed', message, { allowed }), ctx.requestId, shared.options.report), path);
  };
}

const invalidTarget = (message: string): DomainError =>
  new DomainError('invalid_parameter', message, { errors: [{ field: '', code: 'invalid_format', message }] });

/** Normalizes the target of a request to a path with an optional query; null if that is impossible. */
function normalizeTarget(request: IncomingMessage): DomainError | null {
  const target = request.url ?? '';
  // Texts never contain U+0000; in a path or a query it can only be a percent escape.
  if (target.includes('%00')) return invalidTarget('The URL contains the character U+0000.');
  if (target.startsWith('/')) return null;
  // RFC 9112 requires servers to accept absolute URLs.
  if (!parseUrl(target)) return invalidTarget('The target of the request is not a path or URL.');
  const { pathname, search } = new URL(target);
  request.url = pathname + search;
  return null;
}

/** The error for a path without a route, or for one that cannot be decoded. */
function routingError(error: unknown): unknown {
  if (error === undefined || error === null) return new DomainError('not_found', 'There is no resource at this path.', { resource: 'path' });
  const undecodable = error instanceof URIError || (error as { status?: unknown }).status === 400;
  return undecodable ? new DomainError('invalid_parameter', 'The path holds a malformed percent escape.') : error;
}

/** `Expect: 100-continue`: the server asks for the body when a route starts to read it, so the body of a refused request is never sent. */
function continueOnRead(request: IncomingMessage, response: ServerResponse): IncomingMessage {
  request.once('resume', () => {
    if (!response.headersSent) response.writeContinue();
  });
  return request;
}

const brokenRequests: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request took too long to arrive.' },
};

/** Bytes that are not HTTP never become a request. The response is written to the socket. */
function respondToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, options: HttpServerOptions): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  const { code, message } = ownField(brokenRequests, error.code ?? '') ?? {
    code: 'invalid_parameter',
    message: 'This is not a well-formed HTTP request.',
  };
  respondOnSocket(new DomainError(code, message), socket, options);
}

/** CONNECT asks for a tunnel. Without a listener Node closes the connection without a response. */
const connectRefused = (): DomainError =>
  new DomainError('method_not_allowed', 'This server is not a proxy: CONNECT is not allowed.', { allowed: Object.keys(METHODS) });

function respondOnSocket(refusal: DomainError, socket: Socket, options: HttpServerOptions): void {
  const requestId = newId(options.entropy, 'req', options.clock.now());
  const { status, body, headers } = errorResponse(refusal, requestId, options.report);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
