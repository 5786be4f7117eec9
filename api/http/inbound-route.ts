import type { IncomingHttpHeaders } from 'node:http';
import type { Command, ExecuteResult } from '../../commands/runtime/command.js';
import type { Static, TSchema } from '../../domain/kernel/schema.js';
import type { HttpResponse } from './route.js';

/** A request of another system, with its body as it arrived. */
export interface InboundRouteRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query as they were sent. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborts with RequestAborted when the client is gone: what is still to be done is done when it tries again. */
  readonly signal: AbortSignal;
  readonly execute: <Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    account: string,
  ) => Promise<ExecuteResult<Output>>;
}

/**
 * A path at which other systems report in their own formats, of any media type. It proves its requests itself, by throwing
 * `unauthorized`; only those count for a rate limit. It is no part of the API that callers use.
 */
export interface InboundRoute {
  readonly methods: readonly ('GET' | 'POST')[];
  readonly path: string;
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number;
  /** Throws `unauthorized` where the request cannot be genuine, whatever its body is. It is called before the body is read. */
  readonly admit?: (request: Pick<InboundRouteRequest, 'headers' | 'params'>) => Promise<void>;
  readonly handle: (request: InboundRouteRequest) => Promise<HttpResponse>;
}
