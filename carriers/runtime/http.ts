/** The HTTP client of carriers, over got: its pooled agents, timeouts by phase and typed errors. No retries and no redirects. */
import http from 'node:http';
import https from 'node:https';
import { got, RequestError, TimeoutError } from 'got';
import { userAgent } from '../../net/user-agent.js';

export interface CarrierRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte, as UTF-8. */
  readonly body?: string;
}

export interface CarrierResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The request did not reach the carrier: its name has no address, or there is no connection. It may be sent again. */
export class NothingSent extends Error {
  override readonly name = 'NothingSent';
  constructor(readonly code: string) {
    super(`There was no connection (${code}).`);
  }
}

/**
 * One request. Throws NothingSent where nothing was written; any other throw means that the carrier may have got the request. An
 * answer of any status is returned.
 */
export type CarrierHttp = (request: CarrierRequest, signal: AbortSignal) => Promise<CarrierResponse>;

/** In milliseconds; `idle`: carriers close connections that are not used, and a request over such a one has an unknown outcome. */
export interface HttpTimeouts {
  readonly connect: number;
  readonly whole: number;
  readonly idle: number;
}
const TIMEOUTS: HttpTimeouts = { connect: 5_000, whole: 30_000, idle: 4_000 };
const MAX_BODY_BYTES = 262_144;

/** Errors from before the first byte of the request. Those of TLS are from the handshake. */
const BEFORE_REQUEST =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ERR_TLS_CERT_ALTNAME_INVALID|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const PHASES_BEFORE_REQUEST: readonly string[] = ['lookup', 'connect', 'secureConnect', 'socket'];

/** A client with a connection pool of its own. */
export function createCarrierHttp({ connect, whole, idle }: HttpTimeouts = TIMEOUTS): CarrierHttp {
  const agent = { http: new http.Agent({ keepAlive: true, timeout: idle }), https: new https.Agent({ keepAlive: true, timeout: idle }) };
  return async ({ method, url, headers, body }, signal) => {
    try {
      const call = got(url, {
        ...{ method, agent, signal, retry: { limit: 0 }, followRedirect: false, throwHttpErrors: false, decompress: false },
        headers: { 'user-agent': userAgent, ...headers },
        ...(body !== undefined && { body }),
        timeout: { lookup: connect, connect, secureConnect: connect, request: whole },
      });
      call.on('downloadProgress', ({ transferred }) => {
        if (transferred > MAX_BODY_BYTES) call.cancel('The answer is too large.');
      });
      const { statusCode, headers: answered, body: text } = await call;
      return { status: statusCode, headers: answered, body: text };
    } catch (e) {
      throw asOutcome(e);
    }
  };
}

/** Without the URL and the request, which may name a person. */
function asOutcome(e: unknown): Error {
  if (e instanceof TimeoutError) return PHASES_BEFORE_REQUEST.includes(e.event) ? new NothingSent('ETIMEDOUT') : new Error('No answer came in time.');
  if (e instanceof RequestError) {
    return BEFORE_REQUEST.test(e.code) ? new NothingSent(e.code) : new Error(`The connection broke before the answer was complete (${e.code}).`);
  }
  return e instanceof Error ? e : new Error(String(e));
}
