import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, isDomainError } from '../../domain/kernel/errors.js';
import { declaredLength, hasBody, payloadTooLarge, RequestAborted, readBody } from './body/body.js';
import { addressRateKey } from './client-address.js';
import { errorResponse } from './errors.js';
import { Exchange, type ServerContext } from './exchange.js';
import type { Inlet } from './inlet.js';
import type { HttpResponse } from './route.js';
import { sendResponse } from './send-response.js';

/** Serves an inlet. Always sends a response. */
export function inletHandler(inlet: Inlet, shared: ServerContext): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const x = new Exchange(shared, request, response);
    let answer: HttpResponse;
    try {
      answer = await respond(inlet, x);
    } catch (error) {
      if (error instanceof RequestAborted) return;
      answer = errorResponse(error, x.requestId, shared.options.report);
    } finally {
      x.heldBody?.release();
    }
    sendResponse(x, answer, inlet.path);
  };
}

/** Holder of the bodies of all inlets. */
const INLET_BODIES = '';

async function respond({ bodyLimit, admit, handle }: Inlet, x: Exchange): Promise<HttpResponse> {
  const { incoming } = x;
  if ((declaredLength(incoming) ?? 0) > bodyLimit) throw payloadTooLarge(bodyLimit);
  const { params = {} } = incoming as IncomingMessage & { readonly params?: Readonly<Record<string, string>> };
  await counted(x, async () => admit?.({ headers: incoming.headers, params }));
  const held = x.shared.bodies.reserve(INLET_BODIES, declaredLength(incoming) ?? 0);
  x.heldBody = held;
  const isChunked = declaredLength(incoming) === null;
  const body = hasBody(incoming) ? await readBody(incoming, bodyLimit, isChunked ? held.grow : undefined) : Buffer.alloc(0);
  const method = incoming.method === 'POST' ? 'POST' : 'GET';
  return counted(x, () =>
    handle({ method, target: incoming.url ?? '', params, headers: incoming.headers, body, signal: x.signal, execute: x.execute }),
  );
}

/** A request without proof counts for the limit of its address. */
async function counted<T>(x: Exchange, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDomainError(error) && error.code === 'unauthorized') await countRefused(x);
    throw error;
  }
}

/** Throws `rate_limit_exceeded` where too many requests of an address were refused. */
async function countRefused(x: Exchange): Promise<void> {
  x.rateLimit = await x.shared.options.limits.consume('public', `refused ${addressRateKey(x.ip)}`);
  const { allowed, limit, retryAfter } = x.rateLimit;
  if (allowed) return;
  throw new DomainError('rate_limit_exceeded', `Too many requests without proof. Wait ${retryAfter} s before the next one.`, {
    limit,
    retry_after: retryAfter,
  });
}
