import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, isDomainError } from '../../../domain/kernel/errors.js';
import { declaredLength, hasBody, payloadTooLarge, RequestAborted, readBody } from '../body/body.js';
import { errorResponse } from '../errors.js';
import type { InboundRoute } from '../inbound-route.js';
import type { HttpResponse } from '../route.js';
import { addressRateKey } from './client-address.js';
import { RequestContext, type ServerContext } from './request-context.js';
import { sendResponse } from './send-response.js';

/** Serves an inbound route. Always sends a response. */
export function inboundRouteHandler(
  inboundRoute: InboundRoute,
  shared: ServerContext,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const ctx = new RequestContext(shared, request, response);
    let answer: HttpResponse;
    try {
      answer = await respond(inboundRoute, ctx);
    } catch (error) {
      if (error instanceof RequestAborted) return;
      answer = errorResponse(error, ctx.requestId, shared.options.report);
    } finally {
      ctx.heldBody?.release();
    }
    sendResponse(ctx, answer, inboundRoute.path);
  };
}

/** Holder of the bodies of all inbound routes. */
const INBOUND_ROUTE_BODIES = '';

async function respond({ bodyLimit, admit, handle }: InboundRoute, ctx: RequestContext): Promise<HttpResponse> {
  const { incoming } = ctx;
  if ((declaredLength(incoming) ?? 0) > bodyLimit) throw payloadTooLarge(bodyLimit);
  const { params = {} } = incoming as IncomingMessage & { readonly params?: Readonly<Record<string, string>> };
  await counted(ctx, async () => admit?.({ headers: incoming.headers, params }));
  const held = ctx.shared.bodies.reserve(INBOUND_ROUTE_BODIES, declaredLength(incoming) ?? 0);
  ctx.heldBody = held;
  const isChunked = declaredLength(incoming) === null;
  const body = hasBody(incoming) ? await readBody(incoming, bodyLimit, isChunked ? held.grow : undefined) : Buffer.alloc(0);
  const method = incoming.method === 'POST' ? 'POST' : 'GET';
  return counted(ctx, () =>
    handle({ method, target: incoming.url ?? '', params, headers: incoming.headers, body, signal: ctx.signal, execute: ctx.execute }),
  );
}

/** A request without proof counts for the limit of its address. */
async function counted<T>(ctx: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDomainError(error) && error.code === 'unauthorized') await countRefused(ctx);
    throw error;
  }
}

/** Throws `rate_limit_exceeded` where too many requests of an address were refused. */
async function countRefused(ctx: RequestContext): Promise<void> {
  ctx.rateLimit = await ctx.shared.options.limits.consume('public', `refused ${addressRateKey(ctx.ip)}`);
  const { allowed, limit, retryAfter } = ctx.rateLimit;
  if (allowed) return;
  throw new DomainError('rate_limit_exceeded', `Too many requests without proof. Wait ${retryAfter} s before the next one.`, {
    limit,
    retry_after: retryAfter,
  });
}
