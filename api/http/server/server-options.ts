import type { IncomingMessage } from 'node:http';
import type { Dispatcher } from '../../../commands/runtime/command.js';
import type { Clock, Entropy, Position, RateLimits } from '../../../domain/kernel/ports.js';
import type { ErrorReporter } from '../errors.js';
import type { InboundRoute } from '../inbound-route.js';
import type { AnyRoute, HttpResponse } from '../route.js';
import type { Authenticator, LastWrites } from '../services.js';
import type { TrustProxy } from './client-address.js';

/** A resource outside the versioned API: health, metrics, the API page. No rate limit, no credential. */
export interface UnversionedPage {
  readonly path: string;
  readonly read: (request: IncomingMessage) => HttpResponse | Promise<HttpResponse>;
}

/** One answered request, for logs and metrics. Contains no address, no query and no path parameter. */
export interface CompletedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern, `/v1/messages/:id`; `unknown` if no route matched. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Empty if the caller is unknown. */
  readonly account: string;
}

export interface HttpServerConfig {
  /** The `Service` in header names such as `X-Service-Position`. */
  readonly headerPrefix: string;
  readonly trustProxy: TrustProxy;
  /** Credential for routes of the operator; null refuses all requests to them. */
  readonly operatorToken: string | null;
  /** Origins whose pages may call routes with a key; `*` is any. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Bytes of request bodies that are being read, or accepted and not yet on disk. Default: 64 MB. */
  readonly bodyBudget?: number;
}

/** The dependencies of the HTTP server. */
export interface HttpServerOptions {
  readonly routes: readonly AnyRoute[];
  readonly pages?: readonly UnversionedPage[];
  readonly inboundRoutes?: readonly InboundRoute[];
  readonly authenticator: Authenticator;
  readonly dispatcher: Dispatcher;
  readonly limits: RateLimits;
  readonly lastWrites: LastWrites;
  /** Resolves true once what a projection has of the account includes all up to the position, false after the timeout. */
  readonly reached: (projection: string, position: Position, timeoutMs: number, account: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly config: HttpServerConfig;
  /** Keys the hash of a request, which is stored in the log: a short text could be guessed from a hash without a key. */
  readonly requestHashKey: Uint8Array;
  /** Receives every error that is not the caller's fault. */
  readonly report: ErrorReporter;
  /** Called after every response. Must not throw. */
  readonly onCompleted?: (answered: CompletedRequest) => void;
}
