import type { IncomingMessage } from 'node:http';
import type { Dispatcher } from '../../commands/kernel.js';
import type { Clock, Entropy, Position, RateLimits } from '../../domain/kernel/ports.js';
import type { ErrorReporter } from '../errors.js';
import type { TrustProxy } from './client-address.js';
import type { AnyRoute, HttpResponse } from './route.js';
import type { Authenticator, LastWrites } from './services.js';

/** A thing to read that is no part of the versioned API: health, metrics, the API page. Not limited, no credential. */
export interface UnversionedPage {
  readonly path: string;
  readonly read: (request: IncomingMessage) => HttpResponse | Promise<HttpResponse>;
}

/** One answered request, for logs and metrics. Holds no address, no query and no path parameter. */
export interface CompletedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern, `/v1/messages/:id`; `unknown` where no route matched. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Empty where the caller is not known. */
  readonly account: string;
}

export interface HttpServerConfig {
  /** The word between `X-` and the rest in header names: `Service`. */
  readonly headerPrefix: string;
  readonly trustProxy: TrustProxy;
  /** Credential for routes of the operator; with null they refuse everybody. */
  readonly operatorToken: string | null;
  /** Bytes of request bodies that are being read, or accepted and not yet on disk. Default: 64 MB. */
  readonly bodyBudget?: number;
}

/** What the HTTP server is made of. */
export interface HttpServerOptions {
  readonly routes: readonly AnyRoute[];
  readonly pages?: readonly UnversionedPage[];
  readonly authenticator: Authenticator;
  readonly dispatcher: Dispatcher;
  readonly limits: RateLimits;
  readonly lastWrites: LastWrites;
  /** Resolves true once a projection has reached the position, false when the time is over. */
  readonly reached: (projection: string, position: Position, timeoutMs: number) => Promise<boolean>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly config: HttpServerConfig;
  /** Keys the hash of what a request asks, which is kept in the log: a short text could be guessed from a plain one. */
  readonly requestHashKey: Uint8Array;
  /** Told of every error that is not the caller's. */
  readonly report: ErrorReporter;
  /** Told of every answer. Must not throw. */
  readonly onCompleted?: (answered: CompletedRequest) => void;
}
