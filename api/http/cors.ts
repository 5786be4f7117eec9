import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../domain/kernel/errors.js';

/** The parts of a request that decide whether a page of another origin may make it. */
export interface CrossOriginRequest {
  readonly headers: IncomingHttpHeaders;
  /** Path and query. */
  readonly url?: string | undefined;
  /** The values in the path; not yet checked. */
  readonly params: Readonly<Record<string, string>>;
}

/** Lets scripts of pages of other origins call a route (https://fetch.spec.whatwg.org/#http-cors-protocol). Never with cookies: no answer has `Access-Control-Allow-Credentials`. */
export interface CorsPolicy {
  /**
   * Whether pages of this origin (`https://shop.example`, or `null` of a page without one) may call the route. Not asked about the origin
   * of the service itself, which always may.
   */
  readonly allows: (origin: string, request: CrossOriginRequest) => boolean | Promise<boolean>;
  /** Header fields that scripts may send besides `Content-Type`. */
  readonly headers?: readonly string[];
  /** Header fields of answers that scripts may read besides those that every answer has. */
  readonly exposed?: readonly string[];
}

/** For routes that any page may call. */
export const anyOrigin: CorsPolicy = { allows: () => true };

/** For routes with a credential: pages of these origins, of which `*` is any, may call them with a key. `prefix` is that of our own header fields. */
export const originsWithKeys = (origins: readonly string[], prefix: string): CorsPolicy => ({
  allows: (origin) => origins.includes('*') || origins.includes(origin),
  headers: [
    ...['X-API-Key', 'Authorization', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id'],
    ...[`X-${prefix}-Min-Position`, `X-${prefix}-Consistency`],
  ],
  exposed: ['Idempotency-Replayed', `X-${prefix}-Position`, `X-${prefix}-Consistency`],
});

/** How long a browser remembers the answer to a preflight, in seconds. */
const MAX_AGE_S = '600';
/** What scripts may read of an answer besides its body. */
const EXPOSED = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy', 'X-Request-Id', 'ETag'];
const VARY = { Vary: 'Origin' };

/**
 * The header fields of the answer to a request by a script; empty without an `Origin`, that is, for programs and links. Throws `forbidden`
 * for an origin that is not allowed: what a simple request would change is then not done either.
 */
export async function corsHeaders(policy: CorsPolicy, request: CrossOriginRequest): Promise<Readonly<Record<string, string>>> {
  const { origin } = request.headers;
  if (origin === undefined) return VARY;
  if (!isOwn(origin, request.headers) && !(await policy.allows(origin, request)))
    throw new DomainError('forbidden', `Pages of the origin ${shortened(origin)} may not call this.`);
  return { ...VARY, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': [...EXPOSED, ...(policy.exposed ?? [])].join(', ') };
}

/** Answers a preflight: 204 with what is allowed, or `forbidden`. It changes nothing and counts for no rate limit. */
export async function preflight(policy: CorsPolicy, methods: readonly string[], request: CrossOriginRequest) {
  const headers = {
    ...(await corsHeaders(policy, request)),
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': ['Content-Type', ...(policy.headers ?? [])].join(', '),
    'Access-Control-Max-Age': MAX_AGE_S,
  };
  return { status: 204, headers };
}

/** A browser cannot forge `Host`, so its page comes from here. */
const isOwn = (origin: string, { host }: IncomingHttpHeaders): boolean =>
  host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);

const shortened = (origin: string): string => (origin.length > 200 ? `${origin.slice(0, 200)}…` : origin);
